/*
 * Eight calls to eight nodes, by messages of the M-Machine's interface. See
 * README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "mm-times.h"
#include "mm.h"
#include "udm-collective.h"

enum { CALLS = 8 };

/* spread.S */
uint32_t distribute_send(uint32_t dest, uint32_t step, uint32_t handler);
extern const uint32_t distribute_arguments[4];

/* Where a call's arguments go. The handler writes it. */
struct record {
    uint32_t argument[8], ready, came, pad[6];
};

static volatile struct {
    struct record record[CALLS];
    uint32_t came[CALLS];       /* of node 0: when each call has come */
} memory __attribute__((aligned(GLAZE_PAGE)));
static struct mm_shared shared;

/* Call k goes to node k + 1, and its record 0; or all go to the last node. */
static bool to_all(void)
{
    return udm_nodes() > CALLS;
}

static uint32_t dest_of(uint32_t k)
{
    uint32_t node = to_all() ? k + 1 : udm_nodes() - 1;

    return mm_at(&shared, node, &memory.record[to_all() ? 0 : k].argument[0]);
}

static void distribute(uint32_t tries)
{
    struct times times = { 0 };

    for (uint32_t k = 0; k < tries; k++) {
        uint32_t took = 0, began;

        for (uint32_t i = 0; i < CALLS; i++) {
            memory.came[i] = 0;
        }
        times_vary(k);
        began = distribute_send(dest_of(0), dest_of(1) - dest_of(0),
                                MM_HANDLER_IP(distribute_start));
        for (uint32_t i = 0; i < CALLS; i++) {
            uint32_t after = times_look(&memory.came[i], 0) - began;

            took = after > took ? after : took;
        }
        times_add(&times, took);
    }
    times_print("eight calls", &times);
}

/* Waits for call k. Returns whether its arguments are wrong. */
static bool take(uint32_t k)
{
    volatile struct record *r = &memory.record[to_all() ? 0 : k];
    uint32_t sum = 4 * dest_of(k), came;

    times_look(&r->ready, 0);
    for (unsigned i = 0; i < 4; i++) {
        sum += 2 * distribute_arguments[i];
    }
    for (unsigned i = 0; i < 8; i++) {
        sum -= r->argument[i];
    }
    came = times_look(&r->came, 0);
    r->ready = 0;
    r->came = 0;
    mm_send1(mm_at(&shared, 0, &memory.came[k]), MM_HANDLER_IP(mm_store), came);
    return sum != 0;
}

static uint32_t take_all(uint32_t tries)
{
    uint32_t node = udm_node(), wrong = 0;

    for (uint32_t t = 0; t < tries; t++) {
        for (uint32_t k = 0; k < CALLS; k++) {
            if (to_all() ? node == k + 1 : node == udm_nodes() - 1) {
                wrong += take(k);
            }
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    uint32_t tries = times_argument("distribute", argc, argv, TIMES_MOST, 2);
    uint32_t wrong = 0;

    times_share("distribute", &shared, &memory, GLAZE_PAGE);
    udm_barrier();              /* all receivers run */
    if (udm_node() == 0) {
        distribute(tries);
    } else {
        wrong = take_all(tries);
    }
    if (wrong) {
        printf("distribute: %lu calls came wrong\n", (unsigned long)wrong);
    }
    return wrong != 0;
}
