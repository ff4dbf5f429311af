/*
 * Page frames: the RAM behind the kernel, 4 KiB at a time.
 *
 * A frame is named by its physical address, which is also where the kernel
 * sees it. 0 is no frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FRAMES_H
#define GLAZE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * All RAM behind the kernel becomes free frames. Once, at the start. False:
 * there is none.
 */
bool frames_init(void);

/*
 * A frame full of zeros; 0 if no frame is free. frame_alloc() is for messages
 * that wait in the network, and for tables. frame_alloc_patient() is for what
 * can wait for a frame to be cleared: it leaves the last clean frames to
 * messages as long as there are others.
 */
uint32_t frame_alloc(void);
uint32_t frame_alloc_patient(void);

/*
 * As many frames that lie one behind the other, and 0 if that is more than
 * there are; for the start only.
 */
uint32_t frames_alloc_together(unsigned count);

/*
 * Gives a frame back. frame_free_clean() is for a frame that is all zeros but
 * for its first `used` bytes, a multiple of 8, which it clears.
 */
void frame_free(uint32_t frame);
void frame_free_clean(uint32_t frame, uint32_t used);

/* Clears one free frame, if one is to be cleared. For idle times. */
int frame_clean_one(void);

/* A word that the owner of a frame can keep beside it. */
uint32_t *frame_note(uint32_t frame);

uint32_t frames_total(void);
uint32_t frames_free(void);
uint32_t frames_clean(void);

#endif /* GLAZE_FRAMES_H */
