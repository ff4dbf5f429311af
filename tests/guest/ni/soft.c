/*
 * Soft atomicity: what the network interface does not do when the machine
 * leaves atomicity to software. soft_emulation.c shows what software can do
 * instead.
 *
 * On a machine with hard atomicity each part has checks that fail.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "message.h"
#include "ops.h"
#include "soft.h"
#include "trap.h"

/* Defined in soft_code.S. */
uint32_t t_beginatom_soft(void), t_endatom_soft(void), t_unknown(void);
void op_unknown(void *unused);
void soft_spin(void *turns);

#define TRAP_CYCLES     (4 + 4) /* a trap, then the handler's jmp and rett */

static uint32_t node;

static void check_parameter(void)
{
    check("the boot parameters say so",
          REG(FUGU_PARAM_BASE + FUGU_PARAM_ATOMICITY), FUGU_ATOMICITY_SOFT);
}

/* ---- beginatom and endatom ----------------------------------------------- */

static void check_operation(const char *name, void (*op)(void *),
                            enum mode mode)
{
    ni_fresh();
    for (uint32_t mask = 0; mask <= FUGU_UAC_ALL; mask++) {
        check_quietly(name, RUN(mode, op, mask, PIL_ALL), TT_CP_DISABLED);
        check_quietly(name, caught.pc, PC(op));
        check_quietly(name, caught.npc, PC(op) + 4);
        check_quietly(name, ni_uac(), 0);
    }
    check_sum(name);
}

/* Returns the cycles of one operation when the code is in the cache. */
static uint32_t trap_cycles(uint32_t (*piece)(void))
{
    piece();
    return (piece() - CYCLES_READ) / SOFT_COUNT;
}

static void check_operations(void)
{
    check_group("cp_disabled");
    check_operation("beginatom, user", op_beginatom, USER);
    check_operation("beginatom, kernel", op_beginatom, KERNEL);
    check_operation("endatom, user", op_endatom, USER);
    check_operation("endatom, kernel", op_endatom, KERNEL);
    check_operation("an unknown operation", op_unknown, USER);
    check_group(NULL);
    check("an unknown operation takes a trap's time", trap_cycles(t_unknown),
          TRAP_CYCLES);
    check("so does beginatom", trap_cycles(t_beginatom_soft), TRAP_CYCLES);
    check("so does endatom", trap_cycles(t_endatom_soft), TRAP_CYCLES);
}

/* ---- Registers ----------------------------------------------------------- */

static void check_missing(const char *name)
{
    static const uint32_t missing[] = { FUGU_K_TIMEOUT, FUGU_K_TIMER };

    ni_fresh();
    for (unsigned i = 0; i < 2; i++) {
        struct op_store all = { FUGU_NI_KERNEL_BASE + missing[i], ~0u };

        check_quietly(name, RUN(KERNEL, op_store_value, &all, PIL_ALL), 0);
        check_quietly(name, NI_K(FUGU_K_TIMEOUT), 0);
        check_quietly(name, NI_K(FUGU_K_TIMER), 0);
        check_quietly("they are the kernel's all the same",
                      RUN(USER, op_store, all.address, PIL_ALL),
                      FUGU_TT_PROTECTION_VIOLATION);
    }
    check_sum(name);
}

/* The kernel stores UAC, the user reads it, and dispose clears one bit. */
static void check_uac(const char *name)
{
    for (uint32_t uac = 0; uac <= FUGU_UAC_ALL; uac++) {
        ni_fresh();
        message_send(node, 1, 2);
        settle();
        NI_K(FUGU_K_UAC) = ~FUGU_UAC_ALL | uac;
        check_quietly(name, ni_uac(), uac);
        check_quietly(name, NI_K(FUGU_K_PENDING), FUGU_PEND_MESSAGE);
        RUN(USER, op_load, FUGU_NI_USER_BASE + FUGU_U_UAC, PIL_ALL);
        check_quietly(name, caught.o[0], uac);
        check_quietly(name, RUN(USER, op_dispose, 0, PIL_ALL), 0);
        check_quietly(name, ni_uac(), uac & ~FUGU_UAC_DISPOSE_PENDING);
        check_quietly("it is the kernel's to store",
                      RUN(USER, op_store, FUGU_NI_KERNEL_BASE + FUGU_K_UAC,
                          PIL_ALL), FUGU_TT_PROTECTION_VIOLATION);
    }
    NI_K(FUGU_K_UAC) = 0;
    check_sum(name);
}

static void check_registers(void)
{
    check_missing("timeout and timer read 0, whatever is written");
    check_uac("UAC is what the kernel has stored, less dispose-pending");
}

/* Sets all that would make an atomicity timer run out at once. */
static void check_no_timer(void)
{
    ni_fresh();
    message_send(node, 1, 2);
    settle();
    NI_K(FUGU_K_TIMEOUT) = 30;
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_TIMER_FORCE;
    check("no atomicity timer ends the user's code",
          RUN(USER, soft_spin, 1000, PIL_MESSAGE), 0);
    check("nor asks for it", NI_K(FUGU_K_PENDING), FUGU_PEND_MESSAGE);
}

/* ---- Who may see a message ----------------------------------------------- */

static void check_users(const char *name, uint32_t tag)
{
    check_quietly(name, NI_K(FUGU_K_PENDING), FUGU_PEND_MESSAGE);
    check_quietly(name, ni_available(), true);
    check_quietly(name, ni_length(), 3);
    check_quietly(name, ni_in(2), message_word(tag, 2));
    RUN(USER, op_load, FUGU_NI_USER_BASE + FUGU_U_RECORD + FUGU_REC_HANDLER,
        PIL_ALL);
    check_quietly(name, caught.o[0], message_word(tag, 1));
    check_sum(name);
}

static void check_hidden(const char *name, uint32_t pending)
{
    check_quietly(name, NI_K(FUGU_K_PENDING), pending);
    for (uint32_t at = 0; at < FUGU_REC_SIZE; at += 4) {
        check_quietly(name, NI_U(FUGU_U_RECORD + at), 0);
    }
    check_quietly(name, ni_head_present(), true);
    check_sum(name);
}

/* The user's message, one of another job and a kernel message, in order. */
static void send_three(void)
{
    message_send(node, 1, 3);
    message_send(HEADER_GID(node, GID_OTHER), 2, 3);
    message_send(HEADER_KERNEL(node), 3, 3);
    settle();
}

static void check_whose(void)
{
    ni_fresh();
    send_three();
    check_users("the user's own is shown, and message-available", 1);
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE;
    check_users("no interrupt-disable hides it from the kernel", 1);
    NI_K(FUGU_K_GID) = GID_OTHER;
    check_hidden("another's is hidden, and message-available all the same",
                 FUGU_PEND_MESSAGE);
    ni_dispose();
    check_users("whose is said by the gid", 2);
    ni_dispose();
    check_hidden("a kernel message is hidden, and mismatch-available",
                 FUGU_PEND_MISMATCH);
    check("the kernel sees what it is", NI_K(FUGU_K_HEAD + FUGU_HEAD_KERNEL),
          true);
    ni_dispose();
    check("with no message no line is up", NI_K(FUGU_K_PENDING), 0);
}

static void check_stamp(void)
{
    ni_fresh();
    ni_out(0, node | GID_OTHER << FUGU_HDR_GID_SHIFT);
    ni_out(1, 0);
    RUN(USER, op_launch, 2, PIL_ALL);
    settle();
    check("launch stamps the gid all the same",
          NI_K(FUGU_K_HEAD + FUGU_HEAD_GID), GID_OWN);
}

/* ---- Interrupts ---------------------------------------------------------- */

static unsigned messages, mismatches;
static uint32_t taken_pc;
static bool taken_user;

static void message(struct trap *t)
{
    messages++;
    taken_pc = t->pc;
    taken_user = trap_from_user(t);
    ni_dispose();
}

static void mismatch(struct trap *t)
{
    (void)t;
    mismatches++;
    ni_dispose();
}

static void check_interrupts(void)
{
    ni_fresh();
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), message);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MISMATCH), mismatch);
    message_send(HEADER_GID(node, GID_OTHER), 1, 2);
    message_send(node, 2, 2);
    settle();
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE;
    RUN(USER, soft_spin, 10, PIL_MESSAGE);
    check("at its level the processor masks it", messages, 0);
    RUN(USER, op_nothing, 0, PIL_MESSAGE - 1);
    check("one below it comes, for each message", messages, 2);
    check("in user mode", taken_user, true);
    check("before the first instruction", taken_pc, PC(op_nothing));

    message_send(node, 3, 2);
    message_send(HEADER_KERNEL(node), 4, 2);
    settle();
    RUN(USER, op_load,
        FUGU_NI_USER_BASE + FUGU_U_RECORD + FUGU_REC_AVAILABLE, PIL_MESSAGE);
    check("masked, the user can poll", caught.o[0], true);
    check("and dispose", RUN(USER, op_dispose, 0, PIL_MESSAGE), 0);
    check("without an interrupt", messages, 2);
    check("a kernel message comes where the user's are masked", mismatches,
          1);
    check("nothing is left", ni_head_present(), false);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), NULL);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MISMATCH), NULL);
}

/* ---- dispose, storeback, divert-mode ------------------------------------- */

static void store(uint32_t offset)
{
    NI_U(offset) = 0;
}

/* The user starts a storeback of no bytes, then disposes. Checks which traps
 * they take, and whether the head is dropped. */
static void check_access(const char *name, unsigned storeback,
                         unsigned dispose, bool drops)
{
    check_quietly(name, RUN(USER, store, FUGU_U_SB_COUNT, PIL_ALL),
                  storeback);
    check_quietly(name, RUN(USER, op_dispose, 0, PIL_ALL), dispose);
    check_quietly(name, ni_head_present(), !drops);
    check_sum(name);
}

static void check_dispose(void)
{
    ni_fresh();
    message_send(node, 1, 2);
    settle();
    check_access("the user can dispose of its own head", 0, 0, true);
    message_send(HEADER_GID(node, GID_OTHER), 2, 2);
    settle();
    check_access("another's is not there: bad-dispose", FUGU_TT_BAD_DISPOSE,
                 FUGU_TT_BAD_DISPOSE, false);
    ni_dispose();
    check("with none it is bad-dispose", RUN(USER, op_dispose, 0, PIL_ALL),
          FUGU_TT_BAD_DISPOSE);
    message_send(HEADER_KERNEL(node), 1, 2);
    settle();
    check_access("so it is of a kernel message", FUGU_TT_BAD_DISPOSE,
                 FUGU_TT_BAD_DISPOSE, false);
}

static void check_divert(void)
{
    ni_fresh();
    NI_K(FUGU_K_DIVERT) = 1;
    send_three();
    check_hidden("divert-mode hides a head, and raises no mismatch-available",
                 FUGU_PEND_MESSAGE);
    check_access("it extends the user's storeback and dispose",
                 FUGU_TT_STOREBACK_EXTEND, FUGU_TT_DISPOSE_EXTEND, false);
    ni_dispose();
    check_hidden("it hides another's like the user's own", FUGU_PEND_MESSAGE);
    NI_K(FUGU_K_DIVERT) = 0;
    check_hidden("which stays hidden when it is cleared", FUGU_PEND_MESSAGE);
    NI_K(FUGU_K_GID) = GID_OTHER;
    check_users("until the gid is the head's", 2);
    NI_K(FUGU_K_DIVERT) = 1;
    ni_dispose();
    check_hidden("a kernel message is as ever", FUGU_PEND_MISMATCH);
    ni_dispose();
    check("without a head dispose is extended too",
          RUN(USER, op_dispose, 0, PIL_ALL), FUGU_TT_DISPOSE_EXTEND);
}

int main(void)
{
    node = ni_node();
    check_parameter();
    check_operations();
    check_registers();
    check_no_timer();
    check_whose();
    check_stamp();
    check_interrupts();
    check_dispose();
    check_divert();
    check_emulation(node);
    return check_result();
}
