/*
 * synth-N: the paper's synthetic workload (section 5.2). See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "request.h"
#include "udm-collective.h"
#include "udm-measure.h"

static struct options options;
static int32_t sending;         /* cycles of an interval that are not computed */

/* ---- Random numbers ----------------------------------------------------- */

static uint32_t random_state;

/* Returns the next word of a xorshift generator (Marsaglia 2003). */
static uint32_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/*
 * A range of random numbers, from 0 to limit - 1. `mask` is the least 2^k - 1
 * that is not below limit - 1. Numbers beyond the range are drawn again: this
 * CPU has neither multiplication nor division, which would take longer than the
 * rest of a send.
 */
struct range {
    uint32_t limit, mask;
};

static struct range range_of(uint32_t limit)
{
    struct range range = { .limit = limit };

    while (range.mask < limit - 1) {
        range.mask = range.mask << 1 | 1;
    }
    return range;
}

static uint32_t random_in(const struct range *range)
{
    uint32_t value;

    do {
        value = random_word() & range->mask;
    } while (value >= range->limit);
    return value;
}

/* ---- The workload ------------------------------------------------------- */

/* Waits until the clock's low word has reached `due`. */
static void wait_until(uint32_t due)
{
    while ((int32_t)(udm_cycles32() - due) < 0) {
    }
}

/* What decides when the next request goes out. */
struct pace {
    uint32_t due;               /* by the clock */
    int32_t ahead;              /* of computing: cycles, less what sending and
                                   the replies take anyway */
};

/* Waits for an interval of `cycles`, of the kind that the options say. */
static void wait_interval(struct pace *pace, uint32_t cycles)
{
    switch (options.interval) {
    case COMPUTE:
        pace->ahead += cycles - sending;
        if (pace->ahead > 0) {
            request_compute(pace->ahead);
            pace->ahead = 0;
        }
        break;
    case SINCE:
        pace->due = udm_cycles32() + cycles;
        wait_until(pace->due);
        break;
    case ELAPSED:
        pace->due += cycles;
        wait_until(pace->due);
        break;
    }
}

/* Sends a request to a random node, after a random interval. */
static void send_next(const struct range *others, const struct range *intervals,
                      struct pace *pace)
{
    uint32_t node = random_in(others), me = udm_node();

    wait_interval(pace, random_in(intervals));
    request_send(node + (node >= me));
}

static void run_groups(uint32_t groups)
{
    struct range others = range_of(udm_nodes() - 1);
    struct range intervals = range_of(2 * options.between + 1);
    uint32_t sent = 0;

    for (uint32_t group = 0; group < groups; group++) {
        struct pace pace = { .due = udm_cycles32() };

        for (uint32_t i = 0; i < options.group; i++) {
            send_next(&others, &intervals, &pace);
            sent++;
        }
        request_wait(sent, options.yield);
    }
}

/*
 * Finds out how many cycles of an interval between two requests are not for
 * computing: those of sending, with its random numbers, and of the reply that
 * comes for each request. Node 0 sends requests without an interval, one at a
 * time. All nodes call it together.
 */
static void calibrate_sending(void)
{
    enum { SENDS = 500 };
    struct range others = range_of(udm_nodes() - 1);
    struct range intervals = range_of(2 * options.between + 1);
    uint32_t took[SENDS], least = UINT32_MAX, sum = 0, usual = 0;
    uint32_t reply = UINT32_MAX, clock = request_clock();

    random_state = options.seed;
    request_reset();
    udm_barrier();
    for (uint32_t i = 0; udm_node() == 0 && i < SENDS; i++) {
        struct pace pace = { .ahead = INT32_MIN / 2 };
        uint32_t start = udm_cycles32(), cost;

        send_next(&others, &intervals, &pace);
        took[i] = udm_cycles32() - start - clock;
        cost = request_watch(&request_replies, i + 1);
        reply = cost < reply ? cost : reply;
        least = took[i] < least ? took[i] : least;
    }
    /* The others were interrupted, or missed the cache. */
    for (uint32_t i = 0; udm_node() == 0 && i < SENDS; i++) {
        if (took[i] < 2 * least) {
            sum += took[i];
            usual++;
        }
    }
    sending = udm_node() == 0 ? sum / usual + reply : 0;
    udm_broadcast(0, &sending, sizeof(sending));
}

/*
 * Runs the workload once, and prints what came out. Returns false if requests
 * or replies are missing.
 */
static bool trial(uint32_t seed)
{
    uint32_t groups = (options.messages + options.group - 1) / options.group;
    uint32_t sent = groups * options.group;
    struct udm_measured measured;
    uint64_t all_handled;

    /* The first word of xorshift must not be 0. */
    random_state = (seed << 10 | udm_node()) + 1;
    for (unsigned i = 0; i < 16; i++) {
        random_word();          /* seeds that are close give unlike numbers */
    }
    request_reset();
    udm_measure_begin();
    run_groups(groups);
    udm_barrier();              /* this node still answers others' requests */
    measured = udm_measure_end();

    all_handled = udm_reduce_all_int(UDM_SUM, request_handled);
    if (udm_node() == 0) {
        printf("synth: %lu requests of each of %lu nodes, groups of %lu, "
               "%.1f cycles each\n", (unsigned long)sent,
               (unsigned long)udm_nodes(), (unsigned long)options.group,
               (double)measured.cycles / sent);
        printf("synth: handled: %s\n",
               all_handled == (uint64_t)sent * udm_nodes() ? "all" : "NOT ALL");
    }
    udm_measure_print("synth", &measured);
    return all_handled == (uint64_t)sent * udm_nodes();
}

int main(int argc, char **argv)
{
    uint32_t shortest;
    bool right = true;

    options_read(&options, argc, argv);
    udm_collective_wait(options.yield ? UDM_WAIT_BLOCK : UDM_WAIT_SPIN);
    shortest = request_calibrate(options.hand);
    if (shortest > options.hand) {
        if (udm_node() == 0) {
            fprintf(stderr, "synth: a request takes %lu cycles at least; "
                    "--hand %lu is too little\n", (unsigned long)shortest,
                    (unsigned long)options.hand);
        }
        return 2;
    }
    if (options.interval == COMPUTE) {
        calibrate_sending();
    }
    for (uint32_t i = 0; i < options.trials; i++) {
        right &= trial(options.seed + i);
    }
    return !right;
}
