/*
 * Null messages of the M-Machine's interface, there and back. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "mm.h"
#include "udm.h"

enum { WARM_UP = 2 };           /* that do not count */

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

static void ping(uint32_t node, uint32_t times)
{
    uint32_t least = ~0u, most = 0, as_least = 0;

    for (uint32_t k = 0; k < times + WARM_UP; k++) {
        uint32_t took = round_trip(node);

        if (k < WARM_UP) {
            continue;
        }
        as_least = took < least ? 1 : as_least + (took == least);
        least = took < least ? took : least;
        most = took > most ? took : most;
    }
    printf("null round trip: %lu cycles in %lu of %lu, at most %lu\n",
           (unsigned long)least, (unsigned long)as_least, (unsigned long)times,
           (unsigned long)most);
}

int main(int argc, char **argv)
{
    uint32_t last = udm_nodes() - 1;
    unsigned long times = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;

    if (argc > 2 || times == 0 || times > 1000000) {
        if (udm_node() == 0) {
            fprintf(stderr, "mmping: its argument is TIMES, 1 to 1000000\n");
        }
        return 2;
    }
    if (mm_share(&shared, 0, memory, sizeof(memory)) < 0) {
        return 1;
    }
    if (udm_node() == 0) {
        ping(last, times);
        mm_send1(mm_at(&shared, last, over), MM_HANDLER_IP(mm_store), 1);
    }
    if (udm_node() == last) {
        mm_wait(over, 0);
    }
    return 0;
}
