/*
 * The time that commands take from this node's programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "services/mbcf/load.h"
#include "machine/process.h"

/* Cycles that programs may be owed before requesters begin to wait. */
#define BURST           10000

/* A job that has the node alone gets the part of what it is owed that this says. */
#define ALONE           2

/* When programs will have got their part of the time. */
static uint64_t even_at;

uint32_t load_taken;

uint64_t load_left_at;
bool load_high;

void load_add(uint64_t from, uint64_t to, uint32_t way)
{
    uint32_t spent = to - from;
    uint32_t owed = spent + 2 * way;    /* programs lose the way, too */

    load_taken += owed + way;
    owed = processes_alive > 1 ? owed : owed / ALONE;
    even_at = (even_at > from ? even_at + spent : to) + owed;
    load_high = even_at > to + BURST;
}

void load_add_long(uint64_t left_at, uint64_t from, uint64_t to)
{
    if (left_at) {
        load_add(left_at, to, from - left_at);
    } else {
        load_add(from, to, LOAD_SLOW_PATH);
    }
}

uint32_t load_wait(void)
{
    uint64_t time = now();

    return even_at > time + BURST ? even_at - time : 0;
}
