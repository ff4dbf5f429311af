/*
 * Long READs from odd addresses and to odd addresses, many at the same time: command and
 * reply are both done in parts at the head of the network, and other commands wait
 * meanwhile. Each node reads from the next one.
 *
 *      mbcf-reads
 *
 * In each round, a node sends four READs to the same two pages, which it has not
 * touched, and awaits them. The first reply waits for these pages, while a later one is
 * done in parts. No other command lets a chore of the kernel begin meanwhile.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "mbcf.h"
#include "udm-collective.h"
#include "udm.h"

#define BYTES   (GLAZE_PAGE - 6)
#define LANES   4
#define ROUNDS  10

static uint8_t from[2 * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static uint8_t to[ROUNDS][2 * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t status[LANES];

/* A byte of a node's memory. */
static uint8_t byte(uint32_t node, uint32_t k)
{
    return 31 * node + k % 251;
}

static void send(uint32_t round, uint32_t lane, uint32_t node)
{
    status[lane] = MBCF_PENDING;
    mbcf_read(node, to[round] + 3, (uintptr_t)from + 1, BYTES, MBCF_STATUS,
              &status[lane]);
}

static void check(uint32_t round, uint32_t node)
{
    for (uint32_t k = 0; k < BYTES; k++) {
        if (to[round][3 + k] != byte(node, 1 + k)) {
            printf("reads: byte %lu is wrong\n", (unsigned long)k);
            exit(1);
        }
    }
}

/* Awaits a READ. Returns whether it is done: it may be refused, as too many wait. */
static bool done(uint32_t round, uint32_t lane, uint32_t node)
{
    uint32_t s = mbcf_await(&status[lane]);

    if (s == MBCF_DONE) {
        check(round, node);
    } else if (s != MBCF_BUSY) {
        printf("reads: %s\n", mbcf_status_name(s));
        exit(1);
    }
    return s == MBCF_DONE;
}

int main(void)
{
    uint32_t node = (udm_node() + 1) % udm_nodes(), count = 0;

    mbcf_open();
    for (uint32_t k = 0; k < sizeof(from); k++) {
        from[k] = byte(udm_node(), k);
    }
    udm_barrier();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            send(round, lane, node);
        }
        for (uint32_t lane = 0; lane < LANES; lane++) {
            count += done(round, lane, node);
        }
    }
    udm_barrier();
    printf("reads: %lu\n", (unsigned long)count);
    return 0;
}
