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
    MEMORY_LATER,               /* the process waits for a page first */
    MEMORY_NO_FRAME,            /* memory_map(): and none is to be had */
};

/*
 * Looks whether the process may access the page at an address, and whether
 * the page is in memory. If the page is not, the process waits for it from now
 * on (process_wait_for_page()), and that is all that happens: no frame is
 * taken, no page moves, no mode changes. After MEMORY_LATER the caller must
 * return to where the trap came from without having changed anything that
 * trying again would do twice. The instruction is tried again when the page is
 * there.
 */
enum memory_result memory_touch(struct process *p, uint32_t address,
                                bool write);

/*
 * Copies, with the process's own rights, and with the same results. A copy
 * that ends with MEMORY_LATER may have been made in part.
 */
enum memory_result memory_read(struct process *p, void *to, uint32_t from,
                               uint32_t bytes);
enum memory_result memory_write(struct process *p, uint32_t to,
                                const void *from, uint32_t bytes);

/*
 * The first touch of a page: it gets a frame, with what the boot image has for
 * it, or zeros. A page that needs none (it is in memory, or out, or has been
 * unmapped) stays as it is. False: no frame is free.
 */
bool memory_fill(struct process *p, uint32_t page);

/* Whole pages of the program's part of the address space? */
bool memory_in_program(uint32_t address, uint32_t bytes);

/*
 * Zero pages for such a range, and none. memory_map() may need a frame for a
 * table, and then wait for it: MEMORY_LATER. If the wait was in vain
 * (process_refuse()), the next try returns MEMORY_NO_FRAME.
 */
enum memory_result memory_map(struct process *p, uint32_t address,
                              uint32_t bytes);
enum memory_result memory_unmap(struct process *p, uint32_t address,
                                uint32_t bytes);

/*
 * Maps the read-only pages of program and files, where they lie in the image.
 * False: no frame is free for a table.
 */
bool memory_load(struct process *p);

#endif /* GLAZE_MEMORY_H */
