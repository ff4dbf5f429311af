/*
 * Insertions that take longer than they need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/latency.h"

uint32_t buffer_latency;
uint32_t latency_turns;

void latency_init(void)
{
    if (buffer_latency > LATENCY_LEAST) {
        latency_turns = (buffer_latency - LATENCY_LEAST) / LATENCY_TURN;
    }
}

void latency_wait(void)
{
    /* A turn takes LATENCY_TURN, as in insert_late. */
    for (int32_t turns = buffer_latency / LATENCY_TURN; turns > 0; ) {
        asm volatile ("1: subcc %0, 1, %0\n\tbg 1b\n\tnop"
                      : "+r" (turns) : : "cc");
    }
}
