/*
 * Skew.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/ni.h"
#include "machine/process.h"
#include "policy/skew.h"

uint32_t skew_percent;

/* Mixes all bits of a number (the finalizer of MurmurHash3). */
__attribute__((noinline))
static uint32_t mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x85ebca6b;
    x = (x ^ (x >> 13)) * 0xc2b2ae35;
    return x ^ (x >> 16);
}

/* Returns the number by which the nodes are sorted. */
static uint32_t key(uint32_t order, uint32_t node)
{
    return mix(order + mix(node));
}

/* Returns this node's position, from 0, in the order that the seed decides. */
static uint32_t position(void)
{
    uint32_t order = mix(seed), own = key(order, ni_node()), before = 0;

    /* mix() is one-to-one, so no two keys are equal. */
    for (uint32_t node = 0; node < ni_nodes(); node++) {
        before += key(order, node) < own;
    }
    return before;
}

void skew_init(void)
{
    uint32_t gaps = ni_nodes() - 1;
    uint64_t most = (uint64_t)timeslice * skew_percent / 100;

    if (most && gaps) {
        ni_set_offset(most * position() / gaps);
    }
}
