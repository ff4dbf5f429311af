/*
 * Page frames: the RAM after the kernel, 4 KiB each.
 *
 * A frame's name is its physical address, at which the kernel sees it as well.
 * 0 stands for no frame.
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

/*
 * Both return a frame full of zeros; 0 if no frame is free. frame_alloc() is
 * for messages that wait in the network, and for tables. frame_alloc_patient()
 * is for callers that can wait while a frame is cleared: it leaves the last
 * clean frames to messages as long as there are other frames.
 */
uint32_t frame_alloc(void);
uint32_t frame_alloc_patient(void);

/*
 * Returns the first of `count` adjacent frames; 0 if too few frames are free.
 * For the start only.
 */
uint32_t frames_alloc_together(unsigned count);

/*
 * Give a frame back. frame_free_clean() clears the first `used` bytes, a
 * multiple of 8. The rest of the frame must be zeros.
 */
void frame_free(uint32_t frame);
void frame_free_clean(uint32_t frame, uint32_t used);

/* Clears a free frame, for idle times. Returns 0 if none had to be cleared. */
int frame_clean_one(void);

/* Returns a word that belongs to the owner of a frame. */
uint32_t *frame_note(uint32_t frame);

uint32_t frames_total(void);
uint32_t frames_free(void);
uint32_t frames_clean(void);

#endif /* GLAZE_FRAMES_H */
