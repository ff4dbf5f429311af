/*
 * Page frames: the RAM after the kernel, 4 KiB each.
 *
 * A frame's name is its physical address, at which the kernel sees it as well.
 * 0 stands for no frame.
 *
 * The cache is direct-mapped and indexed by physical addresses, so two pages
 * whose frames have the same *colour*, which is the frame's number modulo
 * FRAME_COLOURS, evict each other's lines. A page's colour depends on its
 * virtual address alone, as long as there are free frames of that colour. So
 * what a program costs does not depend on which frames happen to be free, and
 * neighbouring pages do not collide (page colouring: Kessler and Hill, "Page
 * placement algorithms for large real-indexed caches", ACM TOCS 10(4), 1992).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FRAMES_H
#define GLAZE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Makes all RAM after the kernel free frames. Returns false if there is none.
 * Call this once, at the start.
 */
bool frames_init(void);

/* The colours of a cache of 64 KiB, the usual one. */
#define FRAME_COLOURS   16

/*
 * Colours that are taken by purpose: those of the kernel's code for messages
 * begin at 0, those of a program's code at FRAME_COLOUR_PROGRAM (the boot image
 * places it there), and a process's own three pages begin at
 * FRAME_COLOUR_PROCESS. FRAME_COLOUR_TASK is for the page of MBCF that each of its
 * commands and replies uses: the kernel's code for them has colours 1 to 3.
 */
#define FRAME_COLOUR_PROGRAM    4
#define FRAME_COLOUR_TASK       12
#define FRAME_COLOUR_PROCESS    13

/* Any colour, for frames that are not used often. */
#define FRAME_COLOUR_ANY        FRAME_COLOURS

/* Returns the colour for a page of a program. */
unsigned frame_colour(uint32_t address);

/*
 * Both return a frame full of zeros, of the colour if there is one; 0 if no
 * frame is free. frame_alloc() is for messages that wait in the network, and
 * for tables. frame_alloc_patient() is for callers that can wait while a frame
 * is cleared: it leaves the last clean frames to messages as long as there are
 * other frames.
 */
uint32_t frame_alloc(unsigned colour);
uint32_t frame_alloc_patient(unsigned colour);

/*
 * The same as frame_alloc_patient(), but the frame may have anything in it. The caller
 * must fill it before a process can see it.
 */
uint32_t frame_alloc_to_fill(unsigned colour);

/*
 * Returns a clean frame of a colour, never FRAME_COLOUR_ANY; 0 if there is
 * none. It calls no function, for extend.c.
 */
uint32_t frame_alloc_clean(unsigned colour);

/*
 * Returns the first of `count` adjacent frames; 0 if too few frames are free.
 * Its colour is `colour` if RAM is not scarce. For the start only.
 */
uint32_t frames_alloc_together(unsigned count, unsigned colour);

/*
 * Give a frame back. frame_free_clean() clears the first `used` bytes, a
 * multiple of 8. The rest of the frame must be zeros.
 */
void frame_free(uint32_t frame);
void frame_free_clean(uint32_t frame, uint32_t used);

/* Clears a free frame, for idle times. Returns 0 if none had to be cleared. */
int frame_clean_one(void);

/*
 * Returns a word that belongs to the owner of a frame. For a page of a process it is 0,
 * unless the page has mappings over the network (services/shrimp/pins.h): then the
 * page stays in its frame. These bits count the mappings to the page, whose updates no
 * record of what has changed shows.
 */
uint32_t *frame_note(uint32_t frame);
#define FRAME_MAY_GO            0x800   /* it goes out all the same, by shoot.h */
#define FRAME_PIN_IN            0x1000
#define FRAME_PIN_IN_MASK       0xfff000

uint32_t frames_total(void);
uint32_t frames_free(void);
uint32_t frames_clean(void);

#endif /* GLAZE_FRAMES_H */
