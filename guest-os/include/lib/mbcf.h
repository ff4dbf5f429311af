/*
 * MBCF: commands on the memory of other tasks (docs/mbcf.md).
 *
 * A command names memory of another task as (logical task : address). The
 * kernel of the task's node does the command when it arrives, whether or not
 * the task runs. glaze-mbcf.h has commands, options and statuses.
 *
 * The functions may be called in handlers and in atomic sections, except those
 * that wait.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MBCF_H
#define MBCF_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze-mbcf.h"
#include "udm.h"

/*
 * Makes the process a task of MBCF. Call this first, and let the other nodes
 * begin after that (udm_barrier()): commands to a process that is no task are
 * refused. Ends the job if the node has no frame left for it.
 */
void mbcf_open(void);

/* The task's page: its key, its number, counts. */
static inline const volatile struct mbcf_page *mbcf_page(void)
{
    return (const volatile struct mbcf_page *)(uintptr_t)GLAZE_MBCF_PAGE;
}

/*
 * Sends a list of commands to one task, or to several of one node, in one packet, or
 * does nothing.
 * Returns 0, or
 *
 *   -EAGAIN  too few slots are free, the network has no space now, or the
 *            target's node has too many commands to do
 *   -EINVAL  a command, option or number of bytes that does not exist; bytes
 *            that need a body and begin at an odd address; a READ to address
 *            0; in a list of more
 *            than one command, tasks of several nodes, or more than
 *            MBCF_INLINE_MAX bytes
 *   -ENOENT  there is no such logical task
 *   -EFAULT  the list, or bytes of a WRITE, cannot be read
 */
int32_t mbcf_try(const struct mbcf_request *request, uint32_t count);

/*
 * The same, but waits for slots and for the network. Ends the job if a request
 * is wrong.
 */
void mbcf_request(const struct mbcf_request *request, uint32_t count);

/* ---- Commands without a wait -------------------------------------------- */

/*
 * Each sends a command with options. `status` and `old` may be NULL.
 * mbcf_write() and mbcf_read() move any number of bytes, as several commands if
 * there are more than MBCF_BYTES_MAX; *status then is that of the last one that
 * has come, so use a colour to learn when all are done. Of 0 bytes they send
 * nothing, whatever the task, and *status becomes MBCF_DONE at once.
 */
void mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                uint32_t options, volatile uint32_t *status);
void mbcf_read(uint32_t task, void *to, uint32_t from, uint32_t bytes,
               uint32_t options, volatile uint32_t *status);
void mbcf_swap(uint32_t task, uint32_t address, uint32_t value,
               volatile uint32_t *old, uint32_t options,
               volatile uint32_t *status);
void mbcf_fetch_add(uint32_t task, uint32_t address, uint32_t addend,
                    volatile uint32_t *old, uint32_t options,
                    volatile uint32_t *status);
void mbcf_comp_swap(uint32_t task, uint32_t address, uint32_t compare,
                    uint32_t value, volatile uint32_t *old, uint32_t options,
                    volatile uint32_t *status);

/*
 * mbcf_send() sends bytes with MBCF_FIFO, MBCF_FIFOE, MBCF_FIFOE_RETRY,
 * MBCF_UPDATE or MBCF_WRITE_QUEUE, up to MBCF_BYTES_MAX (MBCF_INLINE_MAX to a
 * queue; to the end of the page for an UPDATE). mbcf_invalidate() takes away the
 * views of a page and its copies.
 * mbcf_signal() sends them with MBCF_SIGNAL; `program` is the source's choice.
 */
void mbcf_send(uint32_t command, uint32_t task, uint32_t address,
               const void *from, uint32_t bytes, uint32_t options,
               volatile uint32_t *status);
void mbcf_invalidate(uint32_t task, uint32_t page, uint32_t options,
                     volatile uint32_t *status);

void mbcf_signal(uint32_t task, uint32_t address, uint32_t program,
                 const void *from, uint32_t bytes, uint32_t options,
                 volatile uint32_t *status);

/*
 * Sends bytes with MBCF_FIFOE to a FIFO to which others send, too. `epoch` is the
 * FIFO's as the sender knows it, at first MBCF_EPOCH_FIRST. The entries of each
 * sender stay in order if it does as docs/mbcf.md says ("FIFOs"). mbcf_epoch() is the
 * epoch in a status MBCF_STOPS or MBCF_STOPPED, mbcf_plain_status() that status.
 */
void mbcf_send_eager(uint32_t task, uint32_t address, const void *from,
                     uint32_t bytes, uint32_t epoch, uint32_t options,
                     volatile uint32_t *status);

static inline uint32_t mbcf_epoch(uint32_t status)
{
    return status >> MBCF_EPOCH_SHIFT;
}

static inline uint32_t mbcf_plain_status(uint32_t status)
{
    return status & MBCF_STATUS_MASK;
}

/* The option for a colour, 1 to MBCF_COLOURS - 1. */
#define MBCF_COLOUR(colour)     ((colour) << MBCF_COLOUR_SHIFT)

/* ---- Waiting ------------------------------------------------------------- */

/* Returns whether all commands of a colour are done or refused. */
static inline bool mbcf_barrier_reached(uint32_t colour)
{
    const volatile struct mbcf_page *page = mbcf_page();

    return page->colour[colour].requests == page->colour[colour].replies;
}

/* Elastic memory barrier: waits for that. */
void mbcf_barrier(uint32_t colour);

/* Waits until a status is not MBCF_PENDING any more. Returns it. */
uint32_t mbcf_await(const volatile uint32_t *status);

/*
 * Waits off the processor until a word differs from `value`. A command with
 * MBCF_WAKES has to change the word. Other jobs run meanwhile, but no other
 * thread of this process.
 */
void mbcf_sleep_while(const volatile uint32_t *word, uint32_t value);

/* ---- Commands with a wait ------------------------------------------------ */

/* Each does one command and waits for it. They return the status. */
uint32_t mbcf_write_now(uint32_t task, uint32_t to, const void *from,
                        uint32_t bytes);
uint32_t mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes);

/* Adds to a word of another task, and returns its old value. Ends the job if
 * the command is refused. */
uint32_t mbcf_fetch_add_now(uint32_t task, uint32_t address, uint32_t addend);

/* ---- What others have sent ----------------------------------------------- */

/*
 * Moves the oldest entry of a FIFO of this task to `to`. Returns its number of
 * bytes, at most MBCF_BYTES_MAX, and with the source of a signal that many more
 * (struct mbcf_source); -EAGAIN: the FIFO is empty; -EMSGSIZE: the entry has
 * more than `most` bytes; -EINVAL: the structure makes no sense; -EFAULT.
 */
int32_t mbcf_take(struct mbcf_fifo *fifo, void *to, uint32_t most);

/*
 * From mbcf_take_signals() on, signals run their programs in this process; until
 * then, their invocations wait. A program runs as a handler does: in an atomic
 * section, on the stack of handlers. It may send messages and commands, and
 * must not wait. mbcf_scheduler() sets the program for
 * MBCF_INVOKE_SCHEDULER.
 */
typedef void mbcf_program(struct mbcf_signal *signal);
void mbcf_take_signals(void);
void mbcf_scheduler(mbcf_program *program);

/*
 * mbcf_queue() makes the queue for first messages. It returns false if no frame
 * is free. mbcf_read_queue() moves the oldest message to *first. It returns false
 * if the queue is empty, or if the process has no queue.
 */
bool mbcf_queue(void);
bool mbcf_read_queue(struct mbcf_first *first);

/*
 * Ends the job that has sent a first message with MBCF_CANCELS, on all nodes.
 * Enters the sender with the message's key as entry `index` of the table of
 * logical tasks, as mbcf_enter() does. Returns the status: MBCF_NO_TASK if the
 * sender has ended, MBCF_BAD_KEY if the message came without MBCF_CANCELS.
 */
uint32_t mbcf_cancel(uint32_t index, const struct mbcf_first *first);

/* ---- Tasks --------------------------------------------------------------- */

/*
 * Makes entry `index` of the table of logical tasks, for the task of another
 * job or for an agent. Returns the logical task. Ends the job if the entry is
 * wrong.
 */
uint32_t mbcf_enter(uint32_t index, uint32_t node, uint32_t task, uint64_t key);

/*
 * Makes or changes agent `index` of this task. Fills in its key and number.
 * Ends the job if a range is wrong, or if clients could write to a structure
 * that clients use (struct mbcf_range).
 */
void mbcf_agent(uint32_t index, struct mbcf_agent *agent);

/*
 * Says where the copies of a page of this task are: up to MBCF_COPIES, in its
 * tasks' pages (struct mbcf_pattern). With a count of 0, the page has none any
 * more. Ends the job if an address is no multiple of GLAZE_PAGE, a logical task
 * or that many copies cannot be, MBCF_PATTERNS other pages have copies, or no
 * frame is left.
 */
void mbcf_pattern(uint32_t page, const struct mbcf_copy *copies,
                  uint32_t count);

/* Returns the name of a status, which may have MBCF_AT_COPY. */
const char *mbcf_status_name(uint32_t status);

#endif /* MBCF_H */
