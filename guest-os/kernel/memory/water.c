/*
 * The water marks of overflow control.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/chores.h"
#include "memory/water.h"
#include "memory/frames.h"

/* The reserve: this part of a node's frames, and at most so many. */
#define RESERVE_PART    32
#define RESERVE_MOST    16

/* The least pages of a buffer that overflows. */
#define BUFFER_LEAST    4

uint32_t water_low = 12;
uint32_t water_high = 25;

uint32_t water_low_frames;
uint32_t water_reserve;
static uint32_t high;           /* the high-water mark in frames */

static uint32_t frames_of(uint32_t percent)
{
    return (frames_total() * percent + 99) / 100;
}

void water_init(void)
{
    water_low_frames = frames_of(water_low);
    high = frames_of(water_high);
    water_reserve = frames_total() / RESERVE_PART;
    if (water_reserve > RESERVE_MOST) {
        water_reserve = RESERVE_MOST;
    }
}

bool water_is_high(void)
{
    return frames_free() >= high;
}

/*
 * Returns whether p has more than half of the frames in use, or more than its share
 * of the node's while messages use up the reserve. If others hold the frames, their
 * pages go out, and p's buffer need not.
 */
static bool holds_too_much(const struct process *p, uint32_t free)
{
    return p->pages * 2 > frames_total() - free ||
           (free * 2 < water_reserve &&
            (p->pages + p->kernel_frames) * processes_alive > frames_total());
}

void water_check(struct process *p)
{
    uint32_t free = frames_free();

    if (free < water_reserve) {
        chores_wait |= CHORE_PAGER;     /* to fill the reserve */
    }
    if (!p->overflows && free < water_low_frames &&
        p->buffer_pages > BUFFER_LEAST && holds_too_much(p, free)) {
        p->overflows = true;
        chores_wait |= CHORE_OVERFLOW;
    }
}
