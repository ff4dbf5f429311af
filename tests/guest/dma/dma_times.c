/*
 * Part of `dma`: what a body costs. The DMA engine takes time before the
 * message leaves, the words take time in the network, and a body waits for the
 * one before it.
 */
#include "check.h"
#include "contract.h"
#include "cycles.h"
#include "dma.h"
#include "message.h"
#include "stamp.h"

#define BYTES   256
#define WORDS   (BYTES / 4)

/* Returns the latency of a message to this node, with two words and a body. */
static uint32_t latency(uint32_t body_words)
{
    uint32_t node = ni_node(), nodes = ni_nodes();

    return DMA_WORD * body_words + mesh_latency(nodes, node, node,
                                                2 + body_words);
}

static uint32_t describe(uint32_t bytes)
{
    const struct dma_piece piece = { (uint32_t)from, bytes };

    return dma_describe_kernel(1, &piece);
}

static void check_latency(uint32_t bytes)
{
    uint32_t launched, arrived;

    for (int i = 0; i < 2; i++) {               /* twice: loads the cache */
        ni_fresh();
        launched = stamp_launch_body(describe(bytes));
        arrived = stamp_wait();
        drain();
    }
    check_quietly("latency", arrived - launched, latency(bytes / 4));
}

/*
 * The second body waits until the first has left the network, that is until
 * the credit for its words has come back.
 */
static void check_one_at_a_time(void)
{
    const uint32_t credit = mesh_credit_latency(ni_nodes(), ni_node(),
                                                ni_node());
    uint32_t first, second;

    for (int i = 0; i < 2; i++) {               /* twice: loads the cache */
        ni_fresh();
        first = stamp_launch_body(describe(BYTES));
        second = stamp_launch_body_waits(describe(BYTES));
        until(cycles() + 4096);
        check_quietly("both arrive", drain(), 2);
    }
    check("the second body waits for the credit of the first",
          second - LAUNCH_CYCLES - first, latency(WORDS) + credit);
    check_sum("both arrive");
}

/* A message that is launched after a body also leaves after the body,
 * although its launch does not wait. */
static void check_order(void)
{
    uint32_t start, described;

    ni_fresh();
    start = stamp_launch_body(describe(BYTES));
    message_send(ni_node(), 9, 2);
    described = cycles32();
    check_true("a message without a body does not wait",
               described - start < latency(WORDS));
    stamp_wait();
    check("but it is not faster than the body before it", ni_body(), BYTES);
    ni_dispose();
    stamp_wait();
    check("and comes next", ni_in(1), message_word(9, 1));
    drain();
}

/*
 * The message also stays behind the body if it is launched in the very cycles
 * in which the body leaves, at any point of a round.
 */
static void check_not_overtaken(void)
{
    for (uint32_t words = 1; words <= 2 * WORDS; words++) {
        for (uint32_t phase = 0; phase < 64; phase += 5) {
            ni_fresh();
            until((cycles() & -64ull) + 128 + phase);
            stamp_launch_body(describe(4 * words));
            message_send(ni_node(), 9, 2);
            settle();
            check_quietly("body", ni_body(), 4 * words);
        }
    }
    check_sum("at whatever time it is launched");
}

/* A storeback keeps the engine busy, and the next storeback waits for it. */
static void check_storeback_busy(void)
{
    const uint32_t count = FUGU_NI_USER_BASE + FUGU_U_SB_COUNT;
    uint32_t first, second;

    for (int i = 0; i < 2; i++) {               /* twice: loads the cache */
        ni_fresh();
        dma_send(BYTES);
        until(cycles() + 4096);
        NI_U(FUGU_U_SB_ADDR) = (uint32_t)into;
        NI_U(FUGU_U_SB_OFFSET) = 0;
        first = stamp_store(count, BYTES);
        second = stamp_store(count, 4);
    }
    check("a storeback takes the processor a store, and the engine its words",
          second - STORE_CYCLES - first, DMA_WORD * WORDS);
}

void check_times(void)
{
    dma_fill(1);
    for (uint32_t bytes = 4; bytes <= 1024; bytes *= 4) {
        check_latency(bytes);
    }
    check_sum("a body takes DMA, then 4 cycles a word like all words");
    check_one_at_a_time();
    check_order();
    check_not_overtaken();
    check_storeback_busy();
}
