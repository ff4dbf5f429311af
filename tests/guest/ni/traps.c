/*
 * Every row of the table of operations, in user and in kernel mode: what an
 * operation does, and when it traps instead.
 *
 * A trap is precise: it reports the pc of the instruction, which had no
 * effect. The kernel can continue after the instruction or, when it has
 * removed the cause, execute it again. So each situation that traps is tried
 * three times.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "message.h"
#include "ops.h"
#include "trap.h"

#define USER_BITS       FUGU_UAC_USER
#define KERNEL_BITS     (FUGU_UAC_DISPOSE_PENDING | FUGU_UAC_ATOMICITY_EXTEND)

enum head { NONE, OWN, OTHER, KERNELS };

struct situation {
    const char *name;
    enum mode mode;
    void (*op)(void *);
    uint32_t operand;                   /* N or MASK */
    unsigned trap;                      /* expected type, or 0 */

    /* The state before the operation. */
    uint32_t header;                    /* first word, if words > 0 */
    uint32_t words;                     /* words that are described */
    enum head head;     /* job of the message at the head */
    bool divert;
    uint32_t uac;

    /* The expected effects if the operation does not trap: uac plus and minus
     * these bits, and the message that is sent or dropped. */
    uint32_t sent;                      /* length of the message that is sent */
    bool drops;                         /* whether the head is dropped */
    uint32_t uac_plus, uac_minus;
};

#define ROW(m, o, n, t) .mode = m, .op = o, .operand = n, .trap = t
#define VIOLATION FUGU_TT_PROTECTION_VIOLATION
#define NOWHERE 0xffff                  /* no machine has that node */

static const struct situation table[] = {
    /* launch N, user */
    { "launch, user: a kernel message", ROW(USER, op_launch, 2, VIOLATION),
      .header = FUGU_HDR_KERNEL, .words = 2 },
    { "launch, user: no such node", ROW(USER, op_launch, 2, VIOLATION),
      .header = NOWHERE, .words = 2 },
    { "launch, user: nothing described", ROW(USER, op_launch, 2, 0) },
    { "launch, user: nothing described, N = 0", ROW(USER, op_launch, 0, 0) },
    { "launch, user: N = 0", ROW(USER, op_launch, 0, VIOLATION),
      .words = 2 },
    { "launch, user: N > descriptor-length",
      ROW(USER, op_launch, 4, VIOLATION), .words = 3 },
    { "launch, user: N > 16", ROW(USER, op_launch, 17, VIOLATION),
      .words = 16 },
    { "launch, user: one word", ROW(USER, op_launch, 1, 0),
      .words = 1, .sent = 1 },
    { "launch, user: sixteen words", ROW(USER, op_launch, 16, 0),
      .words = 16, .sent = 16 },
    { "launch, user: N < descriptor-length", ROW(USER, op_launch, 2, 0),
      .words = 5, .sent = 2 },

    /* launch N, kernel: from the kernel's window; kernel messages are
     * allowed */
    { "launch, kernel: a kernel message", ROW(KERNEL, op_launch, 2, 0),
      .header = FUGU_HDR_KERNEL, .words = 2, .sent = 2 },
    { "launch, kernel: no such node", ROW(KERNEL, op_launch, 2, VIOLATION),
      .header = NOWHERE, .words = 2 },
    { "launch, kernel: nothing described", ROW(KERNEL, op_launch, 2, 0) },
    { "launch, kernel: N = 0", ROW(KERNEL, op_launch, 0, VIOLATION),
      .words = 2 },
    { "launch, kernel: N > descriptor-length",
      ROW(KERNEL, op_launch, 4, VIOLATION), .words = 3 },
    { "launch, kernel: N < descriptor-length", ROW(KERNEL, op_launch, 2, 0),
      .words = 5, .sent = 2 },

    /* dispose, user */
    { "dispose, user: divert-mode",
      ROW(USER, op_dispose, 0, FUGU_TT_DISPOSE_EXTEND),
      .head = OWN, .divert = true },
    { "dispose, user: divert-mode, no message",
      ROW(USER, op_dispose, 0, FUGU_TT_DISPOSE_EXTEND), .divert = true },
    { "dispose, user: no message",
      ROW(USER, op_dispose, 0, FUGU_TT_BAD_DISPOSE) },
    { "dispose, user: another's message",
      ROW(USER, op_dispose, 0, FUGU_TT_BAD_DISPOSE), .head = OTHER },
    { "dispose, user: a kernel message",
      ROW(USER, op_dispose, 0, FUGU_TT_BAD_DISPOSE), .head = KERNELS },
    { "dispose, user: a message", ROW(USER, op_dispose, 0, 0),
      .head = OWN, .drops = true },
    { "dispose, user: clears dispose-pending alone",
      ROW(USER, op_dispose, 0, 0), .head = OWN, .drops = true,
      .uac = FUGU_UAC_ALL, .uac_minus = FUGU_UAC_DISPOSE_PENDING },

    /* dispose, kernel: any head; uac does not change */
    { "dispose, kernel: no message",
      ROW(KERNEL, op_dispose, 0, FUGU_TT_BAD_DISPOSE) },
    { "dispose, kernel: no message, divert-mode",
      ROW(KERNEL, op_dispose, 0, FUGU_TT_BAD_DISPOSE), .divert = true },
    { "dispose, kernel: the user's message", ROW(KERNEL, op_dispose, 0, 0),
      .head = OWN, .drops = true, .uac = FUGU_UAC_ALL },
    { "dispose, kernel: another's message", ROW(KERNEL, op_dispose, 0, 0),
      .head = OTHER, .drops = true },
    { "dispose, kernel: a kernel message", ROW(KERNEL, op_dispose, 0, 0),
      .head = KERNELS, .drops = true },
    { "dispose, kernel: divert-mode", ROW(KERNEL, op_dispose, 0, 0),
      .head = OWN, .divert = true, .drops = true },

    /* beginatom MASK */
    { "beginatom, user: interrupt-disable", ROW(USER, op_beginatom, 1, 0),
      .uac_plus = FUGU_UAC_INTERRUPT_DISABLE },
    { "beginatom, user: timer-force", ROW(USER, op_beginatom, 2, 0),
      .uac_plus = FUGU_UAC_TIMER_FORCE },
    { "beginatom, user: the user bits only",
      ROW(USER, op_beginatom, FUGU_UAC_ALL, 0), .uac_plus = USER_BITS },
    { "beginatom, user: adds to what is set", ROW(USER, op_beginatom, 1, 0),
      .uac = FUGU_UAC_TIMER_FORCE | KERNEL_BITS,
      .uac_plus = FUGU_UAC_INTERRUPT_DISABLE },
    { "beginatom, user: 0", ROW(USER, op_beginatom, 0, 0),
      .uac = FUGU_UAC_TIMER_FORCE },
    { "beginatom, kernel: all four", ROW(KERNEL, op_beginatom, FUGU_UAC_ALL,
                                         0), .uac_plus = FUGU_UAC_ALL },

    /* endatom MASK, user */
    { "endatom, user: dispose-pending",
      ROW(USER, op_endatom, 1, FUGU_TT_DISPOSE_FAILURE),
      .uac = USER_BITS | FUGU_UAC_DISPOSE_PENDING },
    { "endatom, user: both kernel bits",
      ROW(USER, op_endatom, 1, FUGU_TT_DISPOSE_FAILURE),
      .uac = FUGU_UAC_ALL },
    { "endatom, user: atomicity-extend",
      ROW(USER, op_endatom, 1, FUGU_TT_ATOMICITY_EXTEND),
      .uac = USER_BITS | FUGU_UAC_ATOMICITY_EXTEND },
    { "endatom, user: traps with MASK 0 too",
      ROW(USER, op_endatom, 0, FUGU_TT_ATOMICITY_EXTEND),
      .uac = FUGU_UAC_ATOMICITY_EXTEND },
    { "endatom, user: interrupt-disable", ROW(USER, op_endatom, 1, 0),
      .uac = USER_BITS, .uac_minus = FUGU_UAC_INTERRUPT_DISABLE },
    { "endatom, user: timer-force", ROW(USER, op_endatom, 2, 0),
      .uac = USER_BITS, .uac_minus = FUGU_UAC_TIMER_FORCE },
    { "endatom, user: both", ROW(USER, op_endatom, FUGU_UAC_ALL, 0),
      .uac = USER_BITS, .uac_minus = USER_BITS },
    { "endatom, user: 0", ROW(USER, op_endatom, 0, 0), .uac = USER_BITS },

    /* endatom MASK, kernel: never traps, can clear all four bits */
    { "endatom, kernel: kernel bits set", ROW(KERNEL, op_endatom, 1, 0),
      .uac = FUGU_UAC_ALL, .uac_minus = FUGU_UAC_INTERRUPT_DISABLE },
    { "endatom, kernel: all four", ROW(KERNEL, op_endatom, FUGU_UAC_ALL, 0),
      .uac = FUGU_UAC_ALL, .uac_minus = FUGU_UAC_ALL },
};

/* ---- Before the operation ------------------------------------------------ */

static uint32_t node;

static uint32_t out_base(enum mode mode)
{
    return mode == USER ? FUGU_NI_USER_BASE + FUGU_U_OUT
                        : FUGU_NI_KERNEL_BASE + FUGU_K_OUT;
}

static uint32_t described(enum mode mode)
{
    return mode == USER ? ni_descriptor_length() : NI_K(FUGU_K_DESC_LEN);
}

static void set_head(enum head head)
{
    static const uint32_t header[] = {
        [OWN] = HEADER_GID(0, GID_OWN),
        [OTHER] = HEADER_GID(0, GID_OTHER),
        [KERNELS] = HEADER_KERNEL(0),
    };

    if (head != NONE) {
        message_send(header[head] | node, 1, 3);
        settle();
    }
}

static void set_up(const struct situation *s)
{
    ni_fresh();
    set_head(s->head);
    for (uint32_t k = 0; k < s->words; k++) {
        REG(out_base(s->mode) + 4 * k) = k ? message_word(2, k)
                                           : s->header | node;
    }
    NI_K(FUGU_K_DIVERT) = s->divert;
    NI_K(FUGU_K_UAC) = s->uac;
}

/* ---- After the operation ------------------------------------------------- */

/* Checks that nothing has changed that an operation can change. */
static void check_unchanged(const struct situation *s)
{
    check_quietly(s->name, described(s->mode), s->words);
    check_quietly(s->name, NI_K(FUGU_K_UAC), s->uac);
    check_quietly(s->name, ni_uac(), s->uac);
    settle();
    check_quietly(s->name, drain(), s->head != NONE);
}

static void check_effect(const struct situation *s)
{
    bool present = s->head != NONE && !s->drops;

    check_quietly(s->name, NI_K(FUGU_K_UAC),
                  (s->uac | s->uac_plus) & ~s->uac_minus);
    check_quietly(s->name, described(s->mode), s->sent ? 0 : s->words);
    settle();
    if (s->sent && !present) {
        check_quietly(s->name, NI_K(FUGU_K_HEAD + FUGU_HEAD_LENGTH), s->sent);
        for (uint32_t k = 1; k < s->sent; k++) {
            check_quietly(s->name, ni_head(k), message_word(2, k));
        }
    }
    check_quietly(s->name, drain(), present + (s->sent > 0));
}

/* ---- Three attempts at a trap -------------------------------------------- */

static const struct situation *at_hand;
static unsigned traps_taken;

static void go_on_behind(struct trap *t)
{
    traps_taken++;
    trap_skip(t);
}

/* Removes every possible cause of the trap, then repeats the instruction. */
static void go_on_again(struct trap *t)
{
    traps_taken++;
    NI_K(FUGU_K_DIVERT) = 0;
    NI_K(FUGU_K_UAC) = 0;
    if (at_hand->op == op_dispose) {
        drain();
        set_head(OWN);
    }
    if (at_hand->op == op_launch) {
        t->o[0] = at_hand->words;
        if (at_hand->mode == USER) {
            NI_K(FUGU_K_USER_OUT) = node;
        } else {
            ni_kernel_out(0, node);
        }
    }
}

static void meet_and_stop(const struct situation *s)
{
    set_up(s);
    check_quietly(s->name, RUN(s->mode, s->op, s->operand, PIL_ALL), s->trap);
    check_quietly(s->name, caught.pc, PC(s->op));
    check_quietly(s->name, caught.npc, PC(s->op) + 4);
    check_quietly(s->name, trap_from_user(&caught), s->mode == USER);
    check_unchanged(s);
}

static void meet_and_resume(const struct situation *s, trap_handler *handler)
{
    set_up(s);
    at_hand = s;
    traps_taken = 0;
    trap_set(s->trap, handler);
    check_quietly(s->name, RUN(s->mode, s->op, s->operand, PIL_ALL), 0);
    trap_set(s->trap, NULL);
    check_quietly(s->name, traps_taken, 1);
}

/* Checks the effect of an operation that was repeated without the trap's
 * cause. */
static void check_repeated(const struct situation *s)
{
    if (s->op == op_dispose) {
        check_quietly(s->name, ni_head_present(), false);
    } else if (s->op == op_launch) {
        check_quietly(s->name, described(s->mode), 0);
        check_quietly(s->name, drain(), 1);
    } else {
        check_quietly(s->name, ni_uac(), 0);
    }
}

static void meet(const struct situation *s)
{
    if (s->trap) {
        meet_and_stop(s);
        meet_and_resume(s, go_on_behind);
        check_unchanged(s);
        meet_and_resume(s, go_on_again);
        check_repeated(s);
    } else {
        set_up(s);
        check_quietly(s->name, RUN(s->mode, s->op, s->operand, PIL_ALL), 0);
        check_effect(s);
    }
    check_sum(s->name);
}

int main(void)
{
    node = ni_node();
    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        meet(&table[i]);
    }
    return check_result();
}
