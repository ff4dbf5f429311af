/*
 * A process's memory: which pages it may have, and copies to and from it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MEMORY_H
#define GLAZE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

enum memory_result {
    MEMORY_OK,
    MEMORY_NOT_THERE,           /* no such page, or not for this access */
    MEMORY_NO_FRAME,            /* the node has no memory left */
    MEMORY_OUT,                 /* it is in backing store */
};

/*
 * Makes the page at an address present, as its first touch does: a page of
 * the program from the boot image, or zeros.
 */
enum memory_result memory_touch(struct process *p, uint32_t address,
                                bool write);

/* The same, but a page that is out comes back before this returns. */
enum memory_result memory_have(struct process *p, uint32_t address,
                               bool write);

/* Copies, with the process's own rights; pages are touched on the way. */
enum memory_result memory_read(struct process *p, void *to, uint32_t from,
                               uint32_t bytes);
enum memory_result memory_write(struct process *p, uint32_t to,
                                const void *from, uint32_t bytes);

/* Whole pages of the program's part of the address space? */
bool memory_in_program(uint32_t address, uint32_t bytes);

/* Zero pages for such a range, and none. */
enum memory_result memory_map(struct process *p, uint32_t address,
                              uint32_t bytes);
enum memory_result memory_unmap(struct process *p, uint32_t address,
                                uint32_t bytes);

/* The read-only pages of program and files, where they lie in the image. */
bool memory_load(struct process *p);

#endif /* GLAZE_MEMORY_H */
