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

uint32_t water_low_frames;
static uint32_t high;           /* the high-water mark in frames */

static uint32_t frames_of(uint32_t percent)
{
    return (frames_total() * percent + 99) / 100;
}

void water_init(void)
{
    water_low_frames = frames_of(water_low);
    high = frames_of(water_high);
}

bool water_is_high(void)
{
    return frames_free() >= high;
}

void water_check(struct process *p)
{
    uint32_t free = frames_free();

    if (!p->overflows && free < water_low_frames &&
        p->buffer_pages * 2 > frames_total() - free) {
        p->overflows = true;
        chores_wait |= CHORE_OVERFLOW;
    }
}
