/*
 * mbcf-load quiet|flood: node 0 counts how far it comes in a time, while the
 * others do nothing, or request words of node 0 as fast as they can.
 *
 * mbcf-load blocked: node 1 requests bytes of node 0, and then takes nothing off
 * the network until node 0 has counted: the replies wait in node 0's kernel.
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

static volatile uint32_t begun;

static void handler(void)
{
    udm_dispose();
}

/* On node 0: sends the message behind which the replies for node 1 stay. */
static void begin(void)
{
    udm_dispose();
    udm_inject(1, handler);
    begun = 1;
}

static uint32_t beside_replies(void)
{
    while (!begun) {
    }
    return count();
}

static void block(void)
{
    static uint8_t bytes[MBCF_SLOTS][GLAZE_PAGE]
        __attribute__((aligned(GLAZE_PAGE)));
    uint64_t start;

    for (uint32_t k = 0; k < MBCF_SLOTS; k++) {
        bytes[k][0] = 0;                    /* it is in memory */
    }
    udm_beginatom();
    udm_inject(0, begin);
    while (!udm_available()) {
    }
    for (uint32_t k = 0; k < MBCF_SLOTS; k++) {
        struct mbcf_request r = {
            .command = MBCF_READ,
            .task = 0,
            .address = (uintptr_t)bytes[k],
            .bytes = GLAZE_PAGE,
            .local = (uintptr_t)bytes[k],
        };

        while (mbcf_try(&r, 1)) {
        }
    }
    start = udm_cycles();
    while (udm_cycles() - start < TIME + TIME / 8) {
    }
    udm_endatom();
}

int main(int argc, char **argv)
{
    const uint32_t one = 1;
    uint32_t turns = 0, sent = 0;

    mbcf_open();
    udm_barrier();
    if (argc == 2 && strcmp(argv[1], "blocked") == 0) {
        if (udm_node() == 0) {
            turns = beside_replies();
        } else if (udm_node() == 1) {
            block();
        }
    } else if (udm_node() == 0) {
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
