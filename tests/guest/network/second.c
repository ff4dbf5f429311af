/*
 * The second network, which lets kernels communicate when the first is stuck.
 *
 * There are two nodes. Node 0 sends. Node 1 measures latencies, then stops
 * receiving from the first network, whose queue fills, and still receives from
 * the second.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "am.h"
#include "check.h"
#include "contract.h"
#include "cycles.h"
#include "message.h"
#include "ops.h"
#include "stamp.h"
#include "trap.h"

#define OTHER(node)     ((node) ^ 1)
#define LONGEST         FUGU_MSG_WORDS
/* The upper half of a header on the second network belongs to software. */
#define MARK            0xabcd0000

static uint32_t node, nodes;

static uint32_t second_head(uint32_t offset)
{
    return NI_K(FUGU_K_SECOND_HEAD + offset);
}

static void second_dispose(void)
{
    NI_K(FUGU_K_SECOND_DISPOSE) = 0;
}

static void second_send(uint32_t header, uint32_t tag, unsigned words)
{
    NI_K(FUGU_K_SECOND_OUT) = header;
    for (unsigned k = 1; k < words; k++) {
        NI_K(FUGU_K_SECOND_OUT + 4 * k) = message_word(tag, k);
    }
    NI_K(FUGU_K_SECOND_LAUNCH) = words;
}

static void second_await(void)
{
    while (!second_head(FUGU_HEAD_PRESENT)) {
    }
}

/* Checks that the message at the second network's head has this tag and
 * length. */
static void second_check(const char *name, uint32_t tag, uint32_t words)
{
    check_quietly(name, second_head(FUGU_HEAD_LENGTH), words);
    check_quietly(name, second_head(0) & FUGU_HDR_NODE_MASK, OTHER(node));
    for (unsigned k = 1; k < LONGEST; k++) {
        check_quietly(name, second_head(4 * k),
                      k < words ? message_word(tag, k) : 0);
    }
}

/* ---- The second network alone -------------------------------------------- */

static void unused(struct trap *t)
{
    (void)t;
    panic("an interrupt of the second network was not masked");
}

static void check_latency(void)
{
    for (uint32_t words = 3; words <= LONGEST; words++) {
        barrier();
        if (node == 0) {
            settle();                           /* the other node is waiting */
            stamp_second_send(OTHER(node) | MARK, 0, words, 0);
            settle();   /* no message of a barrier may wake it */
        } else {
            uint32_t now = stamp_wait();

            check_quietly("pending", NI_K(FUGU_K_PENDING), FUGU_PEND_SECOND);
            check_quietly("latency", now - second_head(8),
                          second_latency(nodes, 0, 1, words));
            check_quietly("the header is the software's",
                          second_head(0), MARK | OTHER(node));
            second_dispose();
            check_quietly("it is gone", second_head(FUGU_HEAD_PRESENT), 0);
        }
    }
    barrier();
    if (node == 1) {
        check_sum("it has a latency of its own, 256 + 2 a hop + 32 a word");
    }
}

static void check_refusals(void)
{
    struct op_store launch = { FUGU_NI_KERNEL_BASE + FUGU_K_SECOND_LAUNCH, 0 };
    uint32_t trap = FUGU_TT_PROTECTION_VIOLATION;

    NI_K(FUGU_K_SECOND_OUT) = OTHER(node);
    check("a message of no word is refused",
          RUN(KERNEL, op_store_value, &launch, PIL_ALL), trap);
    check("at the store", caught.pc, PC(op_store_value_pc));
    launch.value = LONGEST + 1;
    check("one of 17 words as well",
          RUN(KERNEL, op_store_value, &launch, PIL_ALL), trap);
    NI_K(FUGU_K_SECOND_OUT) = nodes;
    launch.value = 2;
    check("one to a node that is not there",
          RUN(KERNEL, op_store_value, &launch, PIL_ALL), trap);
    check("a dispose without a message",
          RUN(KERNEL, op_store, FUGU_NI_KERNEL_BASE + FUGU_K_SECOND_DISPOSE,
              PIL_ALL), FUGU_TT_BAD_DISPOSE);
}

/* ---- Beside a stuck first network ---------------------------------------- */

/* Sends until the first network accepts no more words. */
static void fill_first(void)
{
    for (uint32_t words = 0; words < INPUT_QUEUE + SOURCE_SPACE;
         words += LONGEST) {
        message_send(OTHER(node), 1, LONGEST);
    }
    settle();
}

static void check_first_stuck(void)
{
    check("the first network takes nothing more", ni_kernel_space(), 0);
    check("the second has all its space", NI_K(FUGU_K_SECOND_SPACE),
          SECOND_SPACE < LONGEST ? SECOND_SPACE : LONGEST);
}

/* The second network has its own flow control: it accepts as much as its
 * queue and source space hold. */
static void fill_second(void)
{
    const uint32_t all = (SECOND_QUEUE + SECOND_SPACE) / LONGEST;
    struct op_store launch = { FUGU_NI_KERNEL_BASE + FUGU_K_SECOND_LAUNCH,
                               LONGEST };

    for (uint32_t tag = 1; tag <= all; tag++) {
        second_send(OTHER(node), tag, LONGEST);
        settle();
    }
    check("queue and space full, the second takes nothing more either",
          NI_K(FUGU_K_SECOND_SPACE), 0);
    NI_K(FUGU_K_SECOND_OUT + 4) = message_word(all + 1, 1);
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + 3000;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    check("the store that launches waits, and can be interrupted",
          RUN(KERNEL, op_store_value, &launch, PIL_NONE),
          FUGU_TT_IRQ(FUGU_IRQ_TIMER));
    check("at the store", caught.pc, PC(op_store_value_pc));
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
}

static void empty_second(void)
{
    const uint32_t all = (SECOND_QUEUE + SECOND_SPACE) / LONGEST;

    for (uint32_t tag = 1; tag <= all; tag++) {
        second_await();
        second_check("order", tag, LONGEST);
        second_dispose();
    }
    check_sum("all words arrive, in order");
}

/* ---- Rank of the interrupts ---------------------------------------------- */

static uint32_t taken[8];
static unsigned taken_count, taken_limit;

static void note(struct trap *t)
{
    taken[taken_count++] = t->type;
    if (taken_count == taken_limit) {
        t->psr |= PSR_PIL;                      /* no more for now */
    }
    if (t->type == FUGU_TT_IRQ(FUGU_IRQ_SECOND)) {
        second_dispose();
    } else {
        ni_dispose();
    }
}

/* One message of another job is at the head of the first network's queue,
 * and one message at the head of the second's. */
static void check_rank(void)
{
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_SECOND), note);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MISMATCH), note);
    NI_K(FUGU_K_UAC) = FUGU_UAC_ALL;
    check("both are pending", NI_K(FUGU_K_PENDING),
          FUGU_PEND_MISMATCH | FUGU_PEND_SECOND);
    pil_set(FUGU_IRQ_SECOND);
    check("its level masks it", taken_count, 0);
    taken_limit = 1;
    pil_set(FUGU_IRQ_SECOND - 1);
    check("it comes where nothing of the first network does", taken_count, 1);
    check("being of the second", taken[0], FUGU_TT_IRQ(FUGU_IRQ_SECOND));

    second_await();                             /* the second of two messages */
    taken_limit = 3;
    pil_set(PIL_NONE);
    check("with both unmasked, two come", taken_count, 3);
    check("the second network's first", taken[1],
          FUGU_TT_IRQ(FUGU_IRQ_SECOND));
    check("the first network's second", taken[2],
          FUGU_TT_IRQ(FUGU_IRQ_MISMATCH));
    NI_K(FUGU_K_UAC) = 0;
}

/* ---- Main ---------------------------------------------------------------- */

/* Cycles for which node 1 does not receive from the first network. */
#define STUCK_CYCLES    100000

static void sender(uint32_t start)
{
    fill_first();
    check_first_stuck();
    fill_second();
    until(start + STUCK_CYCLES);
    barrier();

    message_send(HEADER_GID(OTHER(node), GID_OTHER), 1, 2);
    second_send(OTHER(node), 8, 2);
    second_send(OTHER(node), 9, 2);
    settle();
}

static void receiver(uint32_t start)
{
    until(start + STUCK_CYCLES / 2);
    empty_second();
    check("the first network is as stuck as before",
          NI_K(FUGU_K_PENDING) & FUGU_PEND_MESSAGE, FUGU_PEND_MESSAGE);
    for (uint32_t words = 0; words < INPUT_QUEUE + SOURCE_SPACE;
         words += LONGEST) {
        while (!ni_available()) {
        }
        ni_dispose();
    }
    barrier();
    second_await();
    settle();
    settle();
    check_rank();
}

int main(void)
{
    node = ni_node();
    nodes = ni_nodes();
    if (nodes != 2) {
        panic("second wants two nodes");
    }
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_SECOND), unused);
    check_latency();
    if (node == 0) {
        check_refusals();
    }
    barrier();
    if (node == 0) {
        sender(cycles32());
    } else {
        receiver(cycles32());
    }
    return check_result();
}
