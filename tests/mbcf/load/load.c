/*
 * mbcf-load quiet|flood: node 0 counts how far it comes in a time, while the
 * others do nothing, or request words of node 0 as fast as they can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "mbcf.h"
#include "udm-collective.h"

#define TIME    4000000         /* cycles */

static volatile uint32_t word, over;

static uint32_t count(void)
{
    uint64_t start = udm_cycles();
    volatile uint32_t turns = 0;

    while (udm_cycles() - start < TIME) {
        turns++;
    }
    return turns;
}

/* Keeps as many commands under way as there are slots. */
static uint32_t flood(void)
{
    static uint32_t values[8];
    uint32_t sent = 0;

    while (!over) {
        struct mbcf_request r = {
            .command = sent % 2 ? MBCF_READ : MBCF_FETCH_ADD,
            .task = 0,
            .address = (uintptr_t)&word,
            .bytes = sizeof(word),
            .local = (uintptr_t)&values[sent % 8],
        };

        sent += mbcf_try(&r, 1) == 0;
    }
    return sent;
}

int main(int argc, char **argv)
{
    const uint32_t one = 1;
    uint32_t turns = 0, sent = 0;

    mbcf_open();
    udm_barrier();
    if (udm_node() == 0) {
        turns = count();
        for (uint32_t node = 1; node < udm_nodes(); node++) {
            mbcf_write_now(node, (uintptr_t)&over, &one, sizeof(one));
        }
    } else if (argc == 2 && strcmp(argv[1], "flood") == 0) {
        sent = flood();
    }
    udm_barrier();
    sent = udm_reduce_int(0, UDM_SUM, sent);
    if (udm_node() == 0) {
        printf("load: %lu turns, %lu commands\n", (unsigned long)turns,
               (unsigned long)sent);
    }
    return 0;
}
