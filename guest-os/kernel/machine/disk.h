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
    DISK_WORKS,                 /* the transfer is not over */
    DISK_DONE,
    DISK_FAILED,
};

/*
 * Turns interrupts of the disk on. Returns its sectors; 0: there is no disk.
 */
uint32_t disk_init(void);

/* Starts to transfer a page between SECTORS_A_PAGE sectors and a frame. */
void disk_start(bool write, uint32_t sector, uint32_t frame);

/*
 * Returns the result of the transfer. Reports results other than DISK_WORKS
 * once.
 */
enum disk_result disk_finish(void);

/* Returns whether the disk interrupts: disk_finish() has a result. */
bool disk_asks(void);

#define SECTORS_A_PAGE  8

#endif /* GLAZE_DISK_H */
