/*
 * The message buffer of a process, in its virtual memory (paper, section 4.2).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_BUFFER_H
#define GLAZE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/* The head while there is no message, in buffered mode. */
#define BUFFER_EMPTY    (GLAZE_INFO + GLAZE_I_EMPTY)

static inline bool buffer_is_empty(const struct process *p)
{
    return p->info->head < GLAZE_BUFFER || p->info->head >= GLAZE_BUFFER_END;
}

/* Initializes the buffer of a new process, which is in fast mode. */
void buffer_init(struct process *p);

/*
 * Tells insert.S and the fast dispose what they may do. Caller must call this
 * after each change of the buffer, of mode, of hold or of reads.
 */
void buffer_note(struct process *p);

/*
 * Returns whether the running thread may read messages. Messages are for the
 * thread that was in a handler or polled. While that thread is suspended, the
 * running thread may not read them.
 */
bool buffer_may_read(const struct process *p);

/*
 * Moves the NI's head message to the end of the buffer. Returns false if no
 * frame is free or the buffer is full. Then the message stays where it is.
 */
bool buffer_insert(struct process *p);

/*
 * Returns whether the buffer has no address left for a record, or for a body.
 */
bool buffer_is_full(const struct process *p);

/*
 * buffer_head_is_out() returns whether the oldest message's record is in
 * backing store. buffer_out() returns the page of that record, or of its body,
 * that is in backing store; 0 if both are in memory.
 */
bool buffer_head_is_out(struct process *p);
uint32_t buffer_out(struct process *p);

/*
 * Returns where the oldest message's body is, and its length; 0: the message
 * has no body. The body must be in memory.
 */
uint32_t buffer_body(struct process *p, uint32_t *bytes);

/*
 * Copies the words of the oldest message. Returns their number; 0 if there is
 * no message, or if its record is in backing store.
 */
uint32_t buffer_head_words(struct process *p, uint32_t words[FUGU_MSG_WORDS]);

/* Drops the oldest message. */
void buffer_drop(struct process *p);

/* Returns the number of messages in the buffer. */
uint32_t buffer_messages(const struct process *p);

/*
 * Paging. buffer_victim() returns the newest page that may go out: not the
 * head's, the tail's, nor the oldest body. If it returns 0 and has set
 * buffer_searches, another call goes on with the search. buffer_ahead() returns
 * the page that is out and needed next. Both return 0 if no page is. The
 * other two note that the victim has gone out, or that a page of the process has
 * come back, which need not be one of the buffer.
 */
extern bool buffer_searches;
uint32_t buffer_victim(struct process *p);
uint32_t buffer_ahead(struct process *p);
void buffer_page_gone(struct process *p);
void buffer_page_came(struct process *p, uint32_t page);

/* Forgets all messages. The pages go back with the address space. */
void buffer_destroy(struct process *p);

#endif /* GLAZE_BUFFER_H */
