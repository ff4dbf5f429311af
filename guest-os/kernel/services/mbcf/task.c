/*
 * Tasks of MBCF: their page, keys and logical tasks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "services/mbcf/keys.h"
#include "services/mbcf/task.h"
#include "machine/ni.h"
#include "memory/frames.h"
#include "memory/space.h"

unsigned tasks_open;
uint32_t task_scratch;

static uint32_t other;          /* a second one, of another colour; or the same */
static uint32_t lent;           /* that one, while a READ keeps it; 0 */

static unsigned colour_of(uint32_t frame)
{
    return frame / GLAZE_PAGE % FRAME_COLOURS;
}

unsigned task_colour_beside(uint32_t address)
{
    return (frame_colour(address) + FRAME_COLOURS / 2) % FRAME_COLOURS;
}

bool task_scratch_is_there(void)
{
    if (!task_scratch) {
        task_scratch = other = frame_alloc(FRAME_COLOUR_ANY);
    }
    return task_scratch;
}

/* Takes a frame for the node, in a call of p. Returns 0 if p has to wait for it. */
static uint32_t frame_of_node(struct process *p, unsigned colour)
{
    uint32_t frame = space_frame(p, colour);

    p->kernel_frames -= frame != 0;     /* not p's */
    return frame;
}

/*
 * Takes the frames of both pages, if the node has none yet. Returns false if p has to
 * wait for one. Without the second one, a READ might have to be loaded at once.
 */
static bool take_scratch(struct process *p)
{
    if (!task_scratch) {
        task_scratch = other = frame_of_node(p, FRAME_COLOUR_ANY);
    }
    if (task_scratch && other == task_scratch && !lent) {
        uint32_t second = frame_of_node(p, (colour_of(task_scratch) +
                                            FRAME_COLOURS / 2) % FRAME_COLOURS);

        other = second ? second : other;
    }
    return other != task_scratch || lent;
}

/* Returns the colour of the frame of p's page, or of one that it would have. */
static unsigned colour_at(struct process *p, uint32_t address)
{
    const uint32_t *entry = space_entry(p, address);

    return entry && pte_is_page(*entry) ? colour_of(pte_physical(*entry))
                                        : frame_colour(address);
}

uint32_t task_scratch_beside(struct process *p, uint32_t address)
{
    unsigned colour = colour_of(task_scratch);

    return colour == colour_at(p, address) ||
           colour == colour_at(p, address + GLAZE_PAGE) ? other : task_scratch;
}

uint32_t task_scratch_second(void)
{
    return lent ? 0 : other;
}

uint32_t task_scratch_lend(void)
{
    if (lent) {
        return 0;
    }
    lent = other;
    other = task_scratch;
    return lent;
}

void task_body_free(uint32_t body)
{
    uint32_t frame = body & ~(GLAZE_PAGE - 1);

    if (frame && frame == lent) {
        other = lent;
        lent = 0;
    } else if (frame) {
        frame_free(frame);
    }
}

/*
 * What has been made stays if no frame is left for the rest. The table comes
 * first, so that mapping the page cannot fail.
 */
bool task_open(struct process *p)
{
    struct mbcf_task *t;

    if (p->mbcf) {
        return true;
    }
    t = (struct mbcf_task *)(take_scratch(p) &&
                             space_make_entry(p, GLAZE_MBCF_PAGE)
                             ? space_frame(p, FRAME_COLOUR_TASK) : 0);
    if (!t) {
        return false;
    }
    space_map(p, GLAZE_MBCF_PAGE, (uint32_t)t, ACCESS_R_RW);
    t->page.key = keys_of_task(ni_node(), p->number);
    t->page.task = p->gid;
    t->page.free = MBCF_SLOTS;
    p->mbcf = t;
    tasks_open++;
    return true;
}

void task_close(struct process *p)
{
    struct mbcf_task *t = p->mbcf;

    if (!t) {
        return;
    }
    for (unsigned k = 0; k < MBCF_SLOTS; k++) {
        if (t->slot[k].body) {
            frame_free(t->slot[k].body);
        }
    }
    for (; t->aside_count; t->aside_count--, t->aside_first++) {
        task_body_free(t->aside[t->aside_first % TASK_ASIDE].body);
    }
    if (t->queue) {
        frame_free(t->queue);
    }
    if (t->patterns) {
        frame_free(t->patterns);
    }
    *space_entry(p, GLAZE_MBCF_PAGE) = 0;
    p->mbcf = NULL;
    p->remote = 0;
    frame_free((uint32_t)t);
    tasks_open--;
}

struct process *task_of(uint32_t gid)
{
    struct process *p = gid <= GID_MAX ? processes[gid] : NULL;

    return p && !process_has_ended(p) && p->mbcf ? p : NULL;
}

uint32_t task_check(const struct process *p, uint32_t agent, uint64_t key)
{
    const struct mbcf_task *t = p ? p->mbcf : NULL;

    if (!t || agent > MBCF_AGENTS) {
        return MBCF_NO_TASK;
    }
    if (!agent) {
        return key == t->page.key ? MBCF_DONE : MBCF_BAD_KEY;
    }
    if (!t->agent[agent - 1].key) {
        return MBCF_NO_TASK;
    }
    return key == t->agent[agent - 1].key ? MBCF_DONE : MBCF_BAD_KEY;
}

bool task_find(const struct process *p, uint32_t logical,
               struct mbcf_entry *entry)
{
    const struct mbcf_task *t = p->mbcf;

    if (logical < ni_nodes()) {
        entry->node = logical;
        entry->task = t->page.task;
        entry->key = keys_of_task(logical, p->number);
        return true;
    }
    logical -= ni_nodes();
    if (logical >= MBCF_ENTRIES || !t->entry[logical].task) {
        return false;
    }
    *entry = t->entry[logical];
    return true;
}
