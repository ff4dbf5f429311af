/*
 * The disk of this node, if it has one: one command at a time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DISK_H
#define GLAZE_DISK_H

#include <stdbool.h>
#include <stdint.h>

enum disk_result {
    DISK_WORKS,                 /* not done yet */
    DISK_DONE,
    DISK_FAILED,
};

/* Its capacity; 0: there is none. Interrupts are on afterwards. */
uint32_t disk_init(void);

/* Starts to transfer a page between 8 sectors and a frame. */
void disk_start(bool write, uint32_t sector, uint32_t frame);

/* What has become of it. Other than DISK_WORKS it is told once. */
enum disk_result disk_finish(void);

/* The disk interrupts: disk_finish() has something to tell. */
bool disk_asks(void);

#define SECTORS_A_PAGE  8

#endif /* GLAZE_DISK_H */
