/*
 * Divert-mode: every message goes to the kernel. The user's dispose traps, so
 * that the kernel can emulate it, and so does storeback, which reads the
 * message too.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "message.h"
#include "ops.h"
#include "trap.h"

static uint32_t node;

static void store(uint32_t offset)
{
    NI_U(offset) = 0;
}

static unsigned mismatches;

static void note_mismatch(struct trap *t)
{
    (void)t;
    mismatches++;
    ni_dispose();
}

static void check_mode(void)
{
    ni_fresh();
    message_send(node, 1, 2);
    settle();
    check("without it, a message is the user's", ni_available(), true);
    NI_K(FUGU_K_DIVERT) = 1;
    check("divert-mode can be read back", NI_K(FUGU_K_DIVERT), 1);
    check("with it, the same message is not", ni_available(), false);
    check("its length reads 0", ni_length(), 0);
    check("its words read 0", ni_in(1), 0);
    check("it asks for mismatch-available", NI_K(FUGU_K_PENDING),
          FUGU_PEND_MISMATCH);
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE;
    check("whatever the user asked for", NI_K(FUGU_K_PENDING),
          FUGU_PEND_MISMATCH);
    check("the kernel sees it", ni_head(1), message_word(1, 1));
    NI_K(FUGU_K_DIVERT) = 0;
    check("without it, it is the user's again", ni_available(), true);
    check("and interrupt-disable masks it", NI_K(FUGU_K_PENDING), 0);
}

static void check_traps(void)
{
    ni_fresh();
    message_send(node, 1, 2);
    settle();
    NI_K(FUGU_K_DIVERT) = 1;
    check("the user's dispose traps", RUN(USER, op_dispose, 0, PIL_ALL),
          FUGU_TT_DISPOSE_EXTEND);
    check("the user's storeback traps in its own way",
          RUN(USER, store, FUGU_U_SB_COUNT, PIL_ALL),
          FUGU_TT_STOREBACK_EXTEND);
    check("the message stays", NI_K(FUGU_K_HEAD + FUGU_HEAD_PRESENT), true);
    check("the user's launch does not trap",
          (ni_out(0, node), RUN(USER, op_launch, 1, PIL_ALL)), 0);
    check("nor does beginatom", RUN(USER, op_beginatom, 1, PIL_ALL), 0);
    check("nor does endatom", RUN(USER, op_endatom, 1, PIL_ALL), 0);
    check("the kernel's dispose drops the message",
          (ni_dispose(), ni_head(1)), 0);
}

/* A kernel that buffers messages: the user's loop sees no message. */
static void check_interrupts(void)
{
    ni_fresh();
    NI_K(FUGU_K_DIVERT) = 1;
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE;
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MISMATCH), note_mismatch);
    for (unsigned i = 0; i < 5; i++) {
        message_send(i & 1 ? node : HEADER_GID(node, GID_OTHER), i, 3);
    }
    pil_set(PIL_NONE);
    settle();
    pil_set(PIL_ALL);
    check("all messages interrupt the kernel", mismatches, 5);
    check("none is left", ni_head_present(), false);
}

int main(void)
{
    node = ni_node();
    check_mode();
    check_traps();
    check_interrupts();
    return check_result();
}
