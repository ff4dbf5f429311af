/*
 * Page frames.
 *
 * There are two lists of free frames: clean ones, which are all zeros, and
 * dirty ones. RAM starts as zeros, so the first use of a frame needs no
 * clearing. Later the idle loop clears frames that have come back. A node that
 * never idles still has clean frames for insertions: a page of the message
 * buffer comes back clean, and a first touch takes a dirty frame when few
 * clean ones are left. The lists are linked through an array with a word for
 * each frame. While a frame is in use, its word belongs to its owner.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "glaze.h"
#include "hardware.h"
#include "print.h"
#include "space/frames.h"

extern char __kernel_end[];

struct list {
    uint32_t first;             /* frame, or 0 */
    uint32_t count;
};

/* Clean frames that are kept for insertions and tables while dirty ones are
 * free. */
#define RESERVE         16

static struct list clean, dirty;
static uint32_t total;
static uint32_t *notes;         /* by frame number */

uint32_t *frame_note(uint32_t frame)
{
    return &notes[(frame - FUGU_RAM_BASE) / GLAZE_PAGE];
}

static void push(struct list *list, uint32_t frame)
{
    *frame_note(frame) = list->first;
    list->first = frame;
    list->count++;
}

static uint32_t pop(struct list *list)
{
    uint32_t frame = list->first;

    if (frame) {
        list->first = *frame_note(frame);
        list->count--;
        *frame_note(frame) = 0;
    }
    return frame;
}

/* Clears the first bytes of a frame, a multiple of 8. */
static void clear(uint32_t frame, uint32_t bytes)
{
    uint64_t *word = (uint64_t *)frame;
    const uint64_t *end = word + bytes / sizeof(*word);

    /* Eight in each turn, for speed: a message may wait for this frame. */
    for (; end - word >= 8; word += 8) {
        word[0] = word[1] = word[2] = word[3] = 0;
        word[4] = word[5] = word[6] = word[7] = 0;
    }
    while (word < end) {
        *word++ = 0;
    }
}

static uint32_t alloc_dirty(void)
{
    uint32_t frame = pop(&dirty);

    if (frame) {
        clear(frame, GLAZE_PAGE);
    }
    return frame;
}

uint32_t frame_alloc(void)
{
    uint32_t frame = pop(&clean);

    return frame ? frame : alloc_dirty();
}

uint32_t frame_alloc_patient(void)
{
    uint32_t frame = clean.count > RESERVE ? 0 : alloc_dirty();

    return frame ? frame : frame_alloc();
}

/* At the start the clean list is all of the RAM, lowest frame first. */
uint32_t frames_alloc_together(unsigned count)
{
    uint32_t first = clean.first;

    if (clean.count < count) {
        return 0;
    }
    for (unsigned i = 0; i < count; i++) {
        if (pop(&clean) != first + i * GLAZE_PAGE) {
            panic("frames are not in order at the start");
        }
    }
    return first;
}

void frame_free(uint32_t frame)
{
    push(&dirty, frame);
}

void frame_free_clean(uint32_t frame, uint32_t used)
{
    clear(frame, used);
    push(&clean, frame);
}

int frame_clean_one(void)
{
    uint32_t frame = alloc_dirty();

    if (frame) {
        push(&clean, frame);
    }
    return frame != 0;
}

bool frames_init(void)
{
    uint32_t size = read32(FUGU_PARAM_BASE + FUGU_PARAM_RAM_SIZE);
    uint32_t end = FUGU_RAM_BASE + (size & ~(GLAZE_PAGE - 1));
    uint32_t count = size / GLAZE_PAGE;
    uint32_t first;

    notes = (uint32_t *)__kernel_end;
    first = (uint32_t)(notes + count);
    first = (first + GLAZE_PAGE - 1) & ~(GLAZE_PAGE - 1);
    for (uint32_t frame = end; frame > first; ) {
        frame -= GLAZE_PAGE;
        push(&clean, frame);
        total++;
    }
    return total > 0;
}

uint32_t frames_total(void)
{
    return total;
}

uint32_t frames_free(void)
{
    return clean.count + dirty.count;
}

uint32_t frames_clean(void)
{
    return clean.count;
}
