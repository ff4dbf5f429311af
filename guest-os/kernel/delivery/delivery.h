/*
 * Two-case delivery: the modes of a process (paper, section 4.3).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DELIVERY_H
#define GLAZE_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/* The bits of UAC that belong to a section, or handler, as it is suspended. */
#define DELIVERY_SECTION (FUGU_UAC_USER | FUGU_UAC_DISPOSE_PENDING)

/*
 * The process, current or not, is in buffered mode from now on. If it is
 * current, a head message of its own goes into the buffer at once, if there is
 * a frame, so that the network is free whatever happens next. This reads and
 * writes no user memory.
 */
void delivery_enter(struct process *p, unsigned cause);

/*
 * The same for the current process, if it has an atomic section open or a
 * message waits for it: it is about to hold up the network.
 */
void delivery_free_network(unsigned cause);

/*
 * Moves the head message to where it belongs: a buffer, a kernel's handler, or
 * nowhere if its process has ended. An insertion that finds no frame leaves
 * the message where it is. Then delivery_starved() returns the process that
 * the message is for, and no process must go on in user mode before room has
 * been made (evict_make_room()) and delivery_take_head() been called again.
 * A process that enters buffered mode may have seen that message already.
 */
void delivery_take_head(void);
struct process *delivery_starved(void);

/* Of the current process: what a user's dispose means in buffered mode. */
void delivery_dispose(void);

/* ... and the storeback that its store to U_SB_COUNT asked for. */
void delivery_storeback(uint32_t bytes);

/* ... and the end of an atomic section: endatom MASK, or a handler's end. */
void delivery_endatom(uint32_t mask);

/* ... and the end of a message upcall (GLAZE_TRAP_RETURN). */
void delivery_return(void);

/*
 * ... and GLAZE_HOLD (glaze.h): the library leaves a thread with an open
 * atomic section, and comes back to it; at least one must be suspended.
 */
uint32_t delivery_suspend(void);
bool delivery_may_resume(uint32_t word);
void delivery_resume(uint32_t word);

/*
 * What the current process finds when it is resumed: %g6, atomicity-extend,
 * perhaps an upcall. Everything that returns to user mode from C ends here.
 */
void delivery_settle(void);

#endif /* GLAZE_DELIVERY_H */
