/*
 * Null messages of the M-Machine's interface, there and back. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-times.h"
#include "mm.h"
#include "udm-collective.h"

/* ping.S */
uint32_t ping_send(uint32_t dest, uint32_t handler, uint32_t word,
                   volatile uint32_t *until);

/* Where the reply's handler notes the time; where node 0 says that all is over. */
static volatile uint32_t memory[GLAZE_PAGE / 4]
    __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t *const came = &memory[0], *const over = &memory[1];
static struct mm_shared shared;

/* Returns the cycles from a SEND to the first of the reply's handler. */
static uint32_t round_trip(uint32_t node)
{
    uint32_t sent;

    *came = 0;
    sent = ping_send(mm_at(&shared, node, came), MM_HANDLER_IP(ping_request),
                     mm_at(&shared, 0, came), came);
    return *came - sent;
}

static void ping(uint32_t node, uint32_t tries)
{
    struct times times = { 0 };

    for (uint32_t k = 0; k < tries; k++) {
        times_add(&times, round_trip(node));
    }
    times_print("null round trip", &times);
}

int main(int argc, char **argv)
{
    uint32_t last = udm_nodes() - 1;
    uint32_t tries = times_argument("mmping", argc, argv, TIMES_MOST, 1);

    times_share("mmping", &shared, memory, sizeof(memory));
    udm_barrier();          /* a handler that sends: its node has shared */
    if (udm_node() == 0) {
        ping(last, tries);
        mm_send1(mm_at(&shared, last, over), MM_HANDLER_IP(mm_store), 1);
    }
    if (udm_node() == last) {
        times_look(over, 0);
    }
    return 0;
}
