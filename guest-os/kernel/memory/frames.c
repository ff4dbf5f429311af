/*
 * Page frames.
 *
 * There are two kinds of free frames: clean ones, which are all zeros, and
 * dirty ones, in a list for each colour. RAM starts as zeros, so the first use
 * of a frame needs no clearing. Later the idle loop clears frames that have
 * come back. A node that never idles still has clean frames for insertions: a
 * page of the message buffer comes back clean, and a first touch takes a dirty
 * frame when few clean ones are left. The lists are linked through an array
 * with a word for each frame. While a frame is in use, its word belongs to its
 * owner.
 *
 * Frames that have never been used are clean, and on no list yet. Those of a
 * colour are taken in the order of their addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "glaze.h"
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/print.h"
#include "memory/frames.h"

extern char __kernel_end[];

struct pool {
    uint32_t first[FRAME_COLOURS];      /* frame, or 0 */
    uint32_t count;
};

/* Clean frames that are kept for insertions and tables while dirty ones are
 * free. */
#define RESERVE         16

/* Moves the last pages of the first two stacks to colours 10 and 11, which a
 * small program and the kernel do not use much. */
#define STACKS_MOVE     12

static struct pool clean, dirty;
static uint32_t fresh[FRAME_COLOURS];   /* the next one of each colour */
static uint32_t fresh_count;            /* of all colours */
static uint32_t end;                    /* of RAM */
static uint32_t total;
static uint32_t *notes;         /* by frame number */

uint32_t *frame_note(uint32_t frame)
{
    return &notes[(frame - FUGU_RAM_BASE) / GLAZE_PAGE];
}

static unsigned colour_of(uint32_t frame)
{
    return frame / GLAZE_PAGE % FRAME_COLOURS;
}

/*
 * Stacks begin every 64 KiB. Each one has the colours of the one before, moved
 * by one, so that the stack of main() and those of handlers do not collide.
 */
unsigned frame_colour(uint32_t address)
{
    uint32_t page = address / GLAZE_PAGE;

    if (address < GLAZE_MAIN_STACK) {
        return (page + FRAME_COLOUR_PROGRAM) % FRAME_COLOURS;
    }
    return (page + page / FRAME_COLOURS + STACKS_MOVE) % FRAME_COLOURS;
}

static void push(struct pool *pool, uint32_t frame)
{
    uint32_t *first = &pool->first[colour_of(frame)];

    *frame_note(frame) = *first;
    *first = frame;
    pool->count++;
}

/* Returns a frame of a colour; 0 if the pool has none. */
static uint32_t pop_colour(struct pool *pool, unsigned colour)
{
    uint32_t frame = pool->first[colour];

    if (frame) {
        pool->first[colour] = *frame_note(frame);
        pool->count--;
        *frame_note(frame) = 0;
    }
    return frame;
}

/* Returns a frame; 0 if the pool is empty. */
static uint32_t pop_any(struct pool *pool)
{
    uint32_t frame = 0;

    for (unsigned i = 0; !frame && pool->count; i++) {
        frame = pop_colour(pool, i);
    }
    return frame;
}

static uint32_t take_fresh(unsigned colour)
{
    uint32_t frame = fresh[colour];

    if (frame >= end) {
        return 0;
    }
    fresh[colour] += FRAME_COLOURS * GLAZE_PAGE;
    fresh_count--;
    return frame;
}

/* Returns the colour of the lowest frame that has never been used. */
static unsigned lowest_fresh(void)
{
    unsigned lowest = 0;

    for (unsigned i = 1; i < FRAME_COLOURS; i++) {
        if (fresh[i] < fresh[lowest]) {
            lowest = i;
        }
    }
    return lowest;
}

uint32_t frame_alloc_clean(unsigned colour)
{
    uint32_t frame = pop_colour(&clean, colour);

    return frame ? frame : take_fresh(colour);
}

/* Returns a clean frame of a colour, or of any; 0 if there is none. */
static uint32_t clean_colour(unsigned colour)
{
    uint32_t frame;

    if (colour != FRAME_COLOUR_ANY) {
        return frame_alloc_clean(colour);
    }
    frame = pop_any(&clean);
    return frame ? frame : take_fresh(lowest_fresh());
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

/* Bytes that are cleared between two looks for a piece of a page. */
#define PART            1024

/* Returns a frame that has been dirty; 0 if there is none of the colour. */
static uint32_t dirty_colour(unsigned colour)
{
    uint32_t frame = colour == FRAME_COLOUR_ANY ? pop_any(&dirty)
                                                : pop_colour(&dirty, colour);

    for (uint32_t done = 0; frame && done < GLAZE_PAGE; done += PART) {
        clear(frame + done, PART);
        message_look(GLAZE_PAGE - done);
    }
    return frame;
}

/* A clean frame of another colour is better than one that must be cleared. */
uint32_t frame_alloc(unsigned colour)
{
    uint32_t frame = clean_colour(colour);

    if (!frame) {
        frame = clean_colour(FRAME_COLOUR_ANY);
    }
    if (!frame) {
        frame = dirty_colour(colour);
    }
    return frame ? frame : dirty_colour(FRAME_COLOUR_ANY);
}

uint32_t frame_alloc_patient(unsigned colour)
{
    bool plenty = frames_clean() > RESERVE;
    uint32_t frame = plenty ? clean_colour(colour) : 0;

    if (!frame) {
        frame = dirty_colour(colour);
    }
    if (!frame && !plenty) {
        frame = dirty_colour(FRAME_COLOUR_ANY);
    }
    return frame ? frame : frame_alloc(colour);
}

uint32_t frame_alloc_to_fill(unsigned colour)
{
    bool any = colour == FRAME_COLOUR_ANY;
    uint32_t frame = any ? pop_any(&dirty) : pop_colour(&dirty, colour);

    if (!frame && frames_clean() > RESERVE) {
        frame = clean_colour(colour);
    }
    if (!frame) {
        frame = pop_any(&dirty);
    }
    return frame ? frame : frame_alloc(colour);
}

/*
 * Returns true if `count` adjacent frames, the first of this colour, have never
 * been used.
 */
static bool are_fresh(unsigned count, unsigned colour)
{
    uint32_t first = fresh[colour];

    for (unsigned i = 0; i < count; i++) {
        uint32_t frame = first + i * GLAZE_PAGE;

        if (frame >= end || fresh[colour_of(frame)] != frame) {
            return false;
        }
    }
    return true;
}

uint32_t frames_alloc_together(unsigned count, unsigned colour)
{
    uint32_t first;

    for (unsigned i = 0; i < FRAME_COLOURS && !are_fresh(count, colour); i++) {
        colour = (colour + 1) % FRAME_COLOURS;
    }
    if (!are_fresh(count, colour)) {
        return 0;
    }
    first = fresh[colour];
    for (unsigned i = 0; i < count; i++) {
        take_fresh(colour_of(first + i * GLAZE_PAGE));
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
    uint32_t frame = dirty_colour(FRAME_COLOUR_ANY);

    if (frame) {
        push(&clean, frame);
    }
    return frame != 0;
}

bool frames_init(void)
{
    uint32_t size = read32(FUGU_PARAM_BASE + FUGU_PARAM_RAM_SIZE);
    uint32_t first;

    end = FUGU_RAM_BASE + (size & ~(GLAZE_PAGE - 1));
    notes = (uint32_t *)__kernel_end;
    first = (uint32_t)(notes + size / GLAZE_PAGE);
    first = (first + GLAZE_PAGE - 1) & ~(GLAZE_PAGE - 1);
    for (unsigned i = 0; i < FRAME_COLOURS; i++) {
        uint32_t frame = first + i * GLAZE_PAGE;

        fresh[colour_of(frame)] = frame;
    }
    total = fresh_count = first < end ? (end - first) / GLAZE_PAGE : 0;
    return total > 0;
}

uint32_t frames_total(void)
{
    return total;
}

uint32_t frames_free(void)
{
    return frames_clean() + dirty.count;
}

uint32_t frames_clean(void)
{
    return clean.count + fresh_count;
}
