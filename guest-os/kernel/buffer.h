/*
 * Two-case delivery: the modes of a process and its message buffer (paper,
 * sections 4.2 and 4.3).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_BUFFER_H
#define GLAZE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

static inline bool buffer_is_empty(const struct process *p)
{
    return p->info->head < GLAZE_BUFFER || p->info->head >= GLAZE_BUFFER_END;
}

/* The buffer of a process that begins, in fast mode. */
void buffer_init(struct process *p);

/*
 * The process, current or not, is in buffered mode from now on. If it is
 * current, a head message of its own goes into the buffer at once, so that
 * the network is free whatever happens next.
 */
void buffer_enter(struct process *p, unsigned cause);

/*
 * The same for the current process, if it has an atomic section open or a
 * message waits for it: it is about to hold up the network.
 */
void buffer_free_network(unsigned cause);

/* Moves the head message, whosever it is, to where it belongs. */
void buffer_take_head(void);

/* There is a head message, and it is for the current process. */
bool buffer_head_is_mine(void);

/* Of the current process: what a user's dispose means in buffered mode. */
void buffer_dispose(void);

/* ... and the storeback that its store to U_SB_COUNT asked for. */
void buffer_storeback(uint32_t bytes);

/* ... and the end of an atomic section: endatom MASK, or a handler's end. */
void buffer_endatom(uint32_t mask);

/*
 * ... and GLAZE_HOLD (glaze.h): the library leaves a thread with an open
 * atomic section, and comes back to it; at least one must be suspended.
 */
uint32_t buffer_suspend(void);
bool buffer_may_resume(uint32_t word);
void buffer_resume(uint32_t word);

/*
 * What the current process finds when it is resumed: %g6, atomicity-extend,
 * perhaps an upcall. Everything that returns to user mode from C ends here.
 */
void buffer_settle(void);

/* Messages in the buffer. */
uint32_t buffer_messages(const struct process *p);

/*
 * Paging. The newest page that may go out, 0 if there is none; a page that
 * may not: head's, tail's, and the oldest body. And what has become of one.
 */
uint32_t buffer_victim(struct process *p);
uint32_t buffer_ahead(struct process *p);       /* out, and wanted next; or 0 */
bool buffer_pins(const struct process *p, uint32_t page);
void buffer_page_gone(struct process *p, uint32_t page);
void buffer_page_came(struct process *p, uint32_t page);

/* Forgets all messages; the pages go with the address space. */
void buffer_destroy(struct process *p);

#endif /* GLAZE_BUFFER_H */
