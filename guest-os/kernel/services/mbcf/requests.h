/*
 * What a task requests.
 *
 * Each command takes a slot of its task until the kernel knows that it is done
 * or refused. A command is *silent* if the target's kernel replies only on
 * failure. A reply to a later command of the same task to the same target frees
 * the slots of silent ones before it: commands of one task to another are done
 * in order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_REQUESTS_H
#define GLAZE_REQUESTS_H

#include "services/mbcf/task.h"

/*
 * Each request steps this number on; with the index of its slot it is the
 * request's ticket. The bit MBCF_SLOTS is always set, so that no ticket is 0,
 * also after the number has wrapped.
 */
#define REQUESTS_STEP   (2 * MBCF_SLOTS)

extern uint32_t requests_number;

/* Returns the colour that options name. */

static inline uint32_t requests_colour(uint32_t options)
{
    return options >> MBCF_COLOUR_SHIFT & (MBCF_COLOURS - 1);
}

/*
 * Bytes of a command above which it is *long*. To copy 4,096 takes up to 13,500 cycles
 * if they have to be shifted, and the wire a cycle each. With so many under way, the
 * next one is still at its target when one has been done. And few go on after the
 * task's job has been suspended for what they take.
 */
#define REQUESTS_LONG           1024
#define REQUESTS_LONGS          4

/* A long command needs a reply if so many silent commands are under way. */
#define REQUESTS_SILENT_LONG    2

/*
 * Returns whether a command of so many bytes may have to wait for long ones: only the
 * slow path counts these.
 */
static inline bool requests_may_hold(const struct mbcf_task *t, uint32_t bytes)
{
    return bytes > REQUESTS_LONG && t->page.free <= MBCF_SLOTS - REQUESTS_LONGS;
}

/*
 * Returns whether a command can have this status though commands before it still wait
 * for a page at the target. MBCF_NO_TASK can: its agent has gone, or the target has
 * ended and has not refused yet what waits.
 */
static inline bool requests_overtakes(uint32_t status)
{
    return status == MBCF_BUSY || status == MBCF_BAD_KEY ||
           status == MBCF_NO_MEMORY || status == MBCF_NO_TASK;
}

/*
 * Frees the slot of a command that is done or refused, with this status. If the command
 * was not silent, its reply also says that the silent commands before it to the same
 * target are done: frees their slots. But the status of one that still waits would be
 * lost.
 */
static inline void requests_free(struct mbcf_task *t, struct slot *done,
                                 uint32_t status)
{
    uint32_t ticket = done->ticket;

    done->ticket = 0;
    t->page.free++;
    if (done->silent) {
        t->silent--;
        return;
    }
    if (t->silent && requests_overtakes(status)) {
        return;
    }
    for (struct slot *slot = t->slot; t->silent && slot < t->slot + MBCF_SLOTS;
         slot++) {
        if (slot->ticket && slot->silent && !slot->arrived &&
            slot->node == done->node && slot->target == done->target &&
            (int32_t)(slot->ticket - ticket) < 0) {
            slot->ticket = 0;
            t->page.free++;
            t->silent--;
        }
    }
}

/*
 * MBCF_REQUEST of the current process. Returns 0 or an error (mbcf.h), or
 * IO_AGAIN.
 */
int32_t requests_make(uint32_t list, uint32_t count);

#endif /* GLAZE_REQUESTS_H */
