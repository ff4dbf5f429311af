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

/*
 * With elapsed time, each request has a time at which it is due, and a request
 * that is late does not delay the ones after it.
 */
static void run_groups(uint32_t groups)
{
    struct range others = range_of(udm_nodes() - 1);
    struct range intervals = range_of(2 * options.between + 1);
    uint32_t me = udm_node(), sent = 0;

    for (uint32_t group = 0; group < groups; group++) {
        uint32_t due = udm_cycles32();

        for (uint32_t i = 0; i < options.group; i++) {
            uint32_t node = random_in(&others), cycles = random_in(&intervals);

            if (options.compute) {
                request_compute(cycles);
            } else {
                due += cycles;
                wait_until(due);
            }
            request_send(node + (node >= me));
            sent++;
        }
        request_wait(sent, options.yield);
    }
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
    for (uint32_t i = 0; i < options.trials; i++) {
        right &= trial(options.seed + i);
    }
    return !right;
}
