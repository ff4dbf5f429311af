/*
 * Two-case delivery: the modes of a process (paper, section 4.3).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DELIVERY_H
#define GLAZE_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/*
 * The bits of UAC that are saved with a section or handler that is suspended.
 */
#define DELIVERY_SECTION NI_SECTION

/*
 * Puts a process, current or not, into buffered mode. If the process is
 * current and the head message is for it, the message goes into the buffer at
 * once if a frame is free. So the network is free whatever happens next. This
 * function reads and writes no user memory.
 */
void delivery_enter(struct process *p, unsigned cause);

/*
 * Puts the current process, which is about to hold up the network, into
 * buffered mode if it has an atomic section open or a message waits for it.
 */
void delivery_free_network(unsigned cause);

/*
 * Moves the head message to a buffer or runs a kernel's handler; drops the
 * message if its process has ended. An insertion that finds no frame leaves
 * the message where it is, and notes CHORE_PAGER. Then delivery_starved() returns
 * the process that the message is for, until delivery_take_head() is called when
 * delivery_can_take(): there is a frame, or the process has ended.
 */
void delivery_take_head(void);
struct process *delivery_starved(void);
bool delivery_can_take(void);

/*
 * Returns whether p must not go on in user mode because of such a message: if the
 * message is p's, p may have read it already, before p entered buffered mode. Other
 * processes go on, at a PIL that masks the message. With soft atomicity they do not,
 * since PIL has another use.
 */
bool delivery_stops(const struct process *p);

/* Carries out the current process's dispose in buffered mode. */
void delivery_dispose(void);

/* Carries out the storeback that the current process has asked for by its
 * store to U_SB_COUNT. */
void delivery_storeback(uint32_t bytes);

/* Carries out endatom MASK, or the end of a handler. */
void delivery_endatom(uint32_t mask);

/* Carries out the end of a message upcall (GLAZE_TRAP_RETURN). */
void delivery_return(void);

/*
 * Carry out GLAZE_HOLD (glaze.h), which the library calls when it leaves a
 * thread with an open atomic section, and when it comes back to that thread.
 * delivery_suspend() suspends the section and returns the word that describes
 * it. delivery_resume() resumes the section that the word describes. Caller
 * must have checked the word with delivery_may_resume().
 */
uint32_t delivery_suspend(void);
bool delivery_may_resume(uint32_t word);
void delivery_resume(uint32_t word);

/*
 * Sets what the current process finds when C resumes it: %g6,
 * atomicity-extend, perhaps an upcall. The scheduler calls this before each
 * return to user mode.
 */
void delivery_settle(void);

#endif /* GLAZE_DELIVERY_H */
