/*
 * The time that commands take from this node's programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hardware.h"
#include "mbcf/wire/load.h"
#include "process/process.h"

/*
 * Cycles that the way into the kernel and back takes for each packet, beside
 * the work that load_add() sees.
 */
#define TRAP            2100

/* Cycles that programs may be owed before requesters begin to wait. */
#define BURST           10000

/* Packets may take so many times the cycles that a program alone gets. */
#define ALONE           2

/* When programs will have got their part of the time. */
static uint64_t even_at;

bool load_high;

void load_add(uint64_t from, uint64_t to)
{
    uint32_t spent = to - from;
    uint32_t owed = spent + TRAP;

    owed = processes_alive > 1 ? owed : owed / ALONE;
    even_at = (even_at > from ? even_at + spent : to) + owed;
    load_high = even_at > to + BURST;
}

uint32_t load_wait(void)
{
    uint64_t time = now();

    return even_at > time + BURST ? even_at - time : 0;
}
