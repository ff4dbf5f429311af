/*
 * Multicasting patterns: a table in a frame, without gaps, the last entry in
 * use at t->patterns_count - 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "services/mbcf/patterns.h"
#include "machine/ni.h"
#include "memory/frames.h"
#include "memory/space.h"

_Static_assert(MBCF_PATTERNS * sizeof(struct mbcf_pattern) <= GLAZE_PAGE,
               "one frame");

static struct mbcf_pattern *find(const struct mbcf_task *t, uint32_t page)
{
    struct mbcf_pattern *pattern = (struct mbcf_pattern *)t->patterns;

    for (uint32_t k = 0; k < t->patterns_count; k++) {
        if (pattern[k].page == page) {
            return &pattern[k];
        }
    }
    return NULL;
}

const struct mbcf_pattern *patterns_of(const struct mbcf_task *t,
                                       uint32_t page)
{
    return find(t, page);
}

static bool is_pattern(const struct mbcf_pattern *pattern)
{
    uint32_t addresses = pattern->page;

    if (pattern->copies > MBCF_COPIES) {
        return false;
    }
    for (uint32_t k = 0; k < pattern->copies; k++) {
        addresses |= pattern->copy[k].page;
        if (pattern->copy[k].task >= ni_nodes() + MBCF_ENTRIES) {
            return false;
        }
    }
    return !(addresses & (GLAZE_PAGE - 1));
}

/* Takes the frames that a task needs for multicasts. */
static bool frames_are_there(struct process *p)
{
    struct mbcf_task *t = p->mbcf;

    if (!t->patterns) {
        t->patterns = space_frame(p, FRAME_COLOUR_ANY);
    }
    if (t->patterns && !t->casts) {
        t->casts = space_frame(p, FRAME_COLOUR_ANY);
    }
    return t->casts;
}

int32_t patterns_set(struct process *p, const struct mbcf_pattern *pattern)
{
    struct mbcf_task *t = p->mbcf;
    struct mbcf_pattern *table, *old;

    if (!is_pattern(pattern)) {
        return -EINVAL;
    }
    old = find(t, pattern->page);
    if (old && pattern->copies) {
        *old = *pattern;
        return 0;
    }
    table = (struct mbcf_pattern *)t->patterns;
    if (old) {
        *old = table[--t->patterns_count];
    }
    if (!pattern->copies) {
        return 0;
    }
    if (t->patterns_count == MBCF_PATTERNS) {
        return -ENOSPC;
    }
    if (!frames_are_there(p)) {
        return -ENOMEM;
    }
    table = (struct mbcf_pattern *)t->patterns;
    table[t->patterns_count++] = *pattern;
    return 0;
}
