/*
 * The message buffer of a process, in its virtual memory (paper, section 4.2).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_BUFFER_H
#define GLAZE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/* Where the head is in buffered mode while there is no message. */
#define BUFFER_EMPTY    (GLAZE_INFO + GLAZE_I_EMPTY)

static inline bool buffer_is_empty(const struct process *p)
{
    return p->info->head < GLAZE_BUFFER || p->info->head >= GLAZE_BUFFER_END;
}

/* The buffer of a process that begins, in fast mode. */
void buffer_init(struct process *p);

/*
 * For insert.S and the fast dispose, what they may do; after every change of
 * the buffer, of mode, hold or reads.
 */
void buffer_note(struct process *p);

/*
 * Messages are for the thread that was in a handler or polling: usually the
 * one that runs, but not while that one is suspended.
 */
bool buffer_may_read(const struct process *p);

/*
 * Moves the NI's head message to the end of the buffer. False: no frame is
 * free, or the buffer is full, and the message stays where it is.
 */
bool buffer_insert(struct process *p);

/* No address is left in it, for a record or for a body. */
bool buffer_is_full(const struct process *p);

/* The oldest message's record is on the disk; or that or its body is: where. */
bool buffer_head_is_out(struct process *p);
uint32_t buffer_out(struct process *p);         /* 0: both are in memory */

/* The oldest message's body, in memory: where, and its length. 0: none. */
uint32_t buffer_body(struct process *p, uint32_t *bytes);

/* The oldest message goes. */
void buffer_drop(struct process *p);

/* Messages in the buffer. */
uint32_t buffer_messages(const struct process *p);

/*
 * Paging. buffer_victim() returns the newest page that may go out: not the
 * head's, the tail's, nor the oldest body. buffer_ahead() returns the page
 * that is out and needed next. Both return 0 if no page fits. The other two
 * note that a page of the process has gone out, or come back.
 */
uint32_t buffer_victim(struct process *p);
uint32_t buffer_ahead(struct process *p);
void buffer_page_gone(struct process *p, uint32_t page);
void buffer_page_came(struct process *p, uint32_t page);

/* Forgets all messages; the pages go with the address space. */
void buffer_destroy(struct process *p);

#endif /* GLAZE_BUFFER_H */
