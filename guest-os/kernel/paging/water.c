/*
 * The water marks of overflow control.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "jobs/chores.h"
#include "paging/water.h"
#include "space/frames.h"

uint32_t water_low = 12;
uint32_t water_high = 25;

static bool free_below(uint32_t percent)
{
    return frames_free() * 100 < frames_total() * percent;
}

bool water_is_high(void)
{
    return !free_below(water_high);
}

void water_check(struct process *p)
{
    uint32_t in_use = frames_total() - frames_free();

    if (!p->overflows && free_below(water_low) &&
        p->buffer_pages * 2 > in_use) {
        p->overflows = true;
        chores_wait |= CHORE_OVERFLOW;
    }
}
