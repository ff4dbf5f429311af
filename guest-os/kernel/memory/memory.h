/*
 * A process's memory: which pages the process may touch, and copies between
 * the kernel and the process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MEMORY_H
#define GLAZE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

enum memory_result {
    MEMORY_OK,
    MEMORY_NOT_THERE,           /* no such page, or no right to this access */
    MEMORY_LATER,               /* the process waits for a page first, or gets
                                   a rights upcall */
    MEMORY_NO_FRAME,            /* no frame can be had for the kernel's use */
};

/*
 * Checks whether the process may access the page at an address, and whether
 * the page is in memory. Returns MEMORY_LATER if the page is not. Changes
 * nothing.
 */
enum memory_result memory_look(struct process *p, uint32_t address,
                               bool write);

/*
 * Returns the page to wait for after such a MEMORY_LATER: that of the address, or
 * the one whose view it is.
 */
uint32_t memory_page(struct process *p, uint32_t address);

/*
 * Checks the same for an instruction of the process. If the page is not in
 * memory, this function makes the process wait for it
 * (process_wait_for_page()). It does nothing else: it takes no frame, moves no
 * page and changes no mode. If the process takes rights upcalls, and may not
 * access a view in this way, the function notes that (p->rights) for
 * rights_settle(). After MEMORY_LATER the caller must return to the end of the
 * trap, and must have changed nothing that repeating the instruction would do
 * twice. The instruction is repeated when the page is in memory.
 */
enum memory_result memory_touch(struct process *p, uint32_t address,
                                bool write);

/*
 * A guard closes a page of program or heap that is in memory, in place of the guarded
 * page before. memory_unguard() opens the guarded page, if there is one. A store of
 * the process itself does so too (memory_touch()).
 */
void memory_guard(struct process *p, uint32_t page);
void memory_unguard(struct process *p);

/*
 * Copy from or to the process's memory, with the process's rights. Results are
 * those of memory_touch(). A copy that ends with MEMORY_LATER may be partial.
 */
enum memory_result memory_read(struct process *p, void *to, uint32_t from,
                               uint32_t bytes);
enum memory_result memory_write(struct process *p, uint32_t to,
                                const void *from, uint32_t bytes);

/*
 * Gives a page a frame at its first touch, filled from the boot image or with
 * zeros. A page that needs no frame (because it is in memory, out, or
 * unmapped) stays as it is. Returns false if no frame is free.
 */
bool memory_fill(struct process *p, uint32_t page);

/*
 * Returns whether an address that the process cannot access is one of its stack
 * frame's, which begins at `sp`: whether a stack is used up.
 */
bool memory_is_below_stack(uint32_t address, uint32_t sp);

/* Returns whether a range is whole pages in the program's address range. */
bool memory_in_program(uint32_t address, uint32_t bytes);

/*
 * For a system call for which space_frame() or a table has found no frame: makes
 * the process wait for one and returns MEMORY_LATER. The call is repeated, and
 * finds a frame. What it has made so far must stay, so that the same wait is not
 * needed twice. Returns MEMORY_NO_FRAME if the wait has ended without a frame
 * (process_refuse()).
 */
enum memory_result memory_wait_for_frame(struct process *p, uint32_t address);

/*
 * Give such a range pages of zeros, and take its pages away. memory_map() may
 * need a frame for a table, for which it waits as above.
 */
enum memory_result memory_map(struct process *p, uint32_t address,
                              uint32_t bytes);
enum memory_result memory_unmap(struct process *p, uint32_t address,
                                uint32_t bytes);

/*
 * Returns whether a page is fresh: it is the process's own and full of zeros, and
 * its first touch will make it.
 */
bool memory_is_fresh(struct process *p, uint32_t page);

/*
 * The record of what has changed, a bit of each page's entry. Both the MMU and
 * memory_write() set it, and so does memory_map() for a page that it makes.
 * memory_watch() clears it for a range, but not for pages that have views.
 * memory_is_unchanged() returns whether it is clear; a page that is not mapped
 * has none.
 */
enum memory_result memory_watch(struct process *p, uint32_t address,
                                uint32_t bytes);
bool memory_is_unchanged(struct process *p, uint32_t page);

/*
 * Makes the view of a page, or changes its rights (glaze.h, GLAZE_VIEW).
 * Returns MEMORY_NOT_THERE if an address is not what glaze.h asks for, if the
 * user cannot write the page, or if the page has another view. Other results
 * are those of memory_map().
 */
enum memory_result memory_view(struct process *p, struct glaze_view view);

/*
 * Maps some of the read-only pages of program and files in place in the image. Returns
 * MEMORY_OK when all are mapped; MEMORY_LATER if another call has to go on;
 * MEMORY_NO_FRAME if no frame is free for a table, and another call may go on.
 */
enum memory_result memory_load(struct process *p);

#endif /* GLAZE_MEMORY_H */
