/*
 * Group identifiers: the sender's hardware stamps the GID, the receiver's
 * hardware checks it, and the kernel sees the message if they do not match.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "message.h"
#include "ops.h"
#include "trap.h"

#define TYPE_BITS   FUGU_HDR_TYPE_MASK

static uint32_t node;

/* Sends from user mode, with this header as the user's first word. */
static void user_send(uint32_t header)
{
    ni_out(0, header);
    ni_out(1, message_word(1, 1));
    RUN(USER, op_launch, 2, PIL_ALL);
    settle();
}

static void check_stamp(void)
{
    ni_fresh();
    user_send(node | (GID_OTHER << FUGU_HDR_GID_SHIFT) | TYPE_BITS);
    check("the sender's gid replaces what the user wrote",
          header_gid(ni_in(0)), GID_OWN);
    check("the source replaces the destination", header_node(ni_in(0)), node);
    check("the type bits arrive unchanged", ni_in(0) & TYPE_BITS, TYPE_BITS);
    drain();

    user_send(node | FUGU_HDR_OWN_GID | GID_OTHER << FUGU_HDR_GID_SHIFT);
    check("a user cannot ask for a gid",
          NI_K(FUGU_K_HEAD + FUGU_HEAD_GID), GID_OWN);
    drain();

    NI_K(FUGU_K_GID) = FUGU_GID_MAX;
    check("gid can be read back", NI_K(FUGU_K_GID), FUGU_GID_MAX);
    user_send(node);
    check("the largest gid is stamped", header_gid(ni_in(0)), FUGU_GID_MAX);
    drain();
}

static void check_kernel_launch(void)
{
    ni_fresh();
    message_send(node, 1, 2);
    settle();
    check("a kernel's launch carries gid",
          NI_K(FUGU_K_HEAD + FUGU_HEAD_GID), GID_OWN);
    check_true("so the user can have it", ni_available());
    drain();

    message_send(HEADER_GID(node, GID_OTHER), 1, 2);
    settle();
    check("unless told otherwise", NI_K(FUGU_K_HEAD + FUGU_HEAD_GID),
          GID_OTHER);
    check("being told is not transmitted", ni_head(0),
          node | GID_OTHER << FUGU_HDR_GID_SHIFT);
    drain();
}

/* The user's record reads 0 everywhere while the head is another job's
 * message. */
static void check_hidden(const char *name)
{
    for (uint32_t at = 0; at < FUGU_REC_SIZE; at += 4) {
        check_quietly(name, NI_U(FUGU_U_RECORD + at), 0);
    }
    check_sum(name);
}

static void check_head(const char *name, uint32_t gid, bool kernel)
{
    check_quietly(name, NI_K(FUGU_K_HEAD + FUGU_HEAD_PRESENT), true);
    check_quietly(name, NI_K(FUGU_K_HEAD + FUGU_HEAD_LENGTH), 4);
    check_quietly(name, NI_K(FUGU_K_HEAD + FUGU_HEAD_BODY), 0);
    check_quietly(name, NI_K(FUGU_K_HEAD + FUGU_HEAD_GID), gid);
    check_quietly(name, NI_K(FUGU_K_HEAD + FUGU_HEAD_KERNEL), kernel);
    check_quietly(name, NI_K(FUGU_K_HEAD + FUGU_HEAD_SOURCE), node);
    for (unsigned k = 1; k < 4; k++) {
        check_quietly(name, ni_head(k), message_word(1, k));
    }
    for (unsigned k = 4; k < FUGU_MSG_WORDS; k++) {
        check_quietly(name, ni_head(k), 0);
    }
    check_sum(name);
}

static void check_mismatch(void)
{
    ni_fresh();
    check("nothing is pending without a message", NI_K(FUGU_K_PENDING), 0);
    message_send(HEADER_GID(node, GID_OTHER), 1, 4);
    settle();
    check_hidden("another's message is hidden from the user");
    check_head("the kernel sees all of it", GID_OTHER, false);
    check("it asks for mismatch-available alone", NI_K(FUGU_K_PENDING),
          FUGU_PEND_MISMATCH);
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE;
    check("the user's interrupt-disable does not mask it",
          NI_K(FUGU_K_PENDING), FUGU_PEND_MISMATCH);
    NI_K(FUGU_K_UAC) = 0;

    NI_K(FUGU_K_GID) = GID_OTHER;
    check("with gid set to its own it becomes the user's", ni_available(),
          true);
    check("and asks for message-available alone", NI_K(FUGU_K_PENDING),
          FUGU_PEND_MESSAGE);
    check("with its length", ni_length(), 4);
    NI_K(FUGU_K_GID) = GID_OWN;
    check("and back", NI_K(FUGU_K_PENDING), FUGU_PEND_MISMATCH);

    message_send(node, 2, 2);
    settle();
    check("it blocks the user's messages behind it", ni_available(), false);
    ni_dispose();
    check("until the kernel disposes of it", ni_available(), true);
    check("they come in order", ni_in(1), message_word(2, 1));
    drain();
}

static void check_kernel_message(void)
{
    ni_fresh();
    message_send(HEADER_KERNEL(node), 1, 4);
    settle();
    check_hidden("a kernel message is hidden from the user");
    check_head("the kernel sees a kernel message", GID_OWN, true);
    check("it asks for mismatch-available, though its gid matches",
          NI_K(FUGU_K_PENDING), FUGU_PEND_MISMATCH);
    check("its header keeps the flag", ni_head(0) & FUGU_HDR_KERNEL,
          FUGU_HDR_KERNEL);
    drain();
}

/* ---- As interrupts ------------------------------------------------------- */

static struct { unsigned type; uint32_t pc; bool user; } taken[4];
static unsigned taken_count;

static void note(struct trap *t)
{
    if (taken_count < 4) {
        taken[taken_count].type = t->type;
        taken[taken_count].pc = t->pc;
        taken[taken_count].user = trap_from_user(t);
    }
    taken_count++;
    ni_dispose();
}

static void check_interrupts(void)
{
    ni_fresh();
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MISMATCH), note);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), note);
    message_send(HEADER_GID(node, GID_OTHER), 1, 2);
    message_send(node, 2, 2);
    message_send(HEADER_KERNEL(node), 3, 2);
    settle();
    check("masked, no interrupt is taken", taken_count, 0);
    RUN(USER, op_nothing, 0, PIL_NONE);
    check("three messages, three interrupts", taken_count, 3);
    check("another's: mismatch-available", taken[0].type,
          FUGU_TT_IRQ(FUGU_IRQ_MISMATCH));
    check("the user's: message-available", taken[1].type,
          FUGU_TT_IRQ(FUGU_IRQ_MESSAGE));
    check("a kernel message: mismatch-available", taken[2].type,
          FUGU_TT_IRQ(FUGU_IRQ_MISMATCH));
    check("taken before the first user instruction", taken[0].pc,
          PC(op_nothing));
    check("in user mode", taken[0].user, true);

    message_send(HEADER_GID(node, GID_OTHER), 1, 2);
    settle();
    pil_set(FUGU_IRQ_MISMATCH);
    check("its level masks it", taken_count, 3);
    pil_set(FUGU_IRQ_MISMATCH - 1);
    check("the one below does not, in kernel mode either", taken_count, 4);
    check("then it comes from kernel mode", taken[3].user, false);
    pil_set(PIL_ALL);
}

int main(void)
{
    node = ni_node();
    check_stamp();
    check_kernel_launch();
    check_mismatch();
    check_kernel_message();
    check_interrupts();
    return check_result();
}
