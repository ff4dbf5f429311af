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
 * Node 0's word is counted up by all nodes:
 *
 *     #include <stdio.h>
 *     #include "mbcf.h"
 *     #include "udm-collective.h"
 *
 *     static volatile uint32_t count;         // at the same address on all nodes
 *
 *     int main(void)
 *     {
 *         mbcf_open();
 *         udm_barrier();                      // all nodes are tasks now
 *         mbcf_fetch_add_now(0, (uintptr_t)&count, 1);
 *         udm_barrier();
 *         if (udm_node() == 0) {
 *             printf("the count is %lu\n", (unsigned long)count);
 *         }
 *         return 0;
 *     }
 *
 * On four nodes it prints "the count is 4".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MBCF_H
#define MBCF_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze-mbcf.h"
#include "udm.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes the process a task of MBCF. Call this first, and let the other nodes
 * begin after that (udm_barrier()): commands to a process that is no task are
 * refused. A second call does nothing.
 *
 * Errors: ends the job (118) if the node has no frame left for it.
 */
void mbcf_open(void);

/*
 * Returns the task's page: its key, its number, counts. Errors: before mbcf_open() the
 * page is not there: a load from it ends the job.
 */
static inline const volatile struct mbcf_page *mbcf_page(void)
{
    return (const volatile struct mbcf_page *)(uintptr_t)GLAZE_MBCF_PAGE;
}

/*
 * Sends a list of commands to one task, or to several of one node, in one packet, or
 * does nothing.
 *
 *   request  the list: glaze-mbcf.h has its members
 *   count    1 to MBCF_COMBINED_MAX
 *
 * Returns 0. Errors:
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
 *   -EPERM   mbcf_open() has not been called
 */
int32_t mbcf_try(const struct mbcf_request *request, uint32_t count);

/*
 * The same, but waits for slots and for the network. `request` and `count` are as for
 * mbcf_try(). Errors: the others end the job (118), with a line for each.
 */
void mbcf_request(const struct mbcf_request *request, uint32_t count);

/* ---- Commands without a wait -------------------------------------------- */

/*
 * Each sends a command with options, and returns when it has left. mbcf_write() stores
 * bytes `from` this process `to` the task, mbcf_read() bytes `from` the task `to` this
 * process. mbcf_swap() stores `value` in a word, mbcf_fetch_add() adds `addend` to it,
 * and mbcf_comp_swap() stores `value` if the word is `compare`.
 *
 *   task     logical: 0 to udm_nodes() - 1 is this job's process on that node;
 *            others are from mbcf_enter()
 *   address  of a word in the task's memory, a multiple of 4
 *   bytes    any number
 *   old      where the word's old value goes; NULL: nowhere
 *   options  an OR of MBCF_STATUS, MBCF_ON_FAILURE, MBCF_WAKES and MBCF_COLOUR(); or 0
 *   status   where the command's status goes, if an option says so; otherwise NULL.
 *            Store MBCF_PENDING there before
 *
 * mbcf_write() and mbcf_read() move their bytes as several commands if
 * there are more than MBCF_BYTES_MAX; *status then is that of the last one that
 * has come, so use a colour to learn when all are done. Of 0 bytes they send
 * nothing, whatever the task, and *status becomes MBCF_DONE at once.
 *
 * Errors: end the job (118) as mbcf_request() does. What the target's node refuses is
 * in *status (glaze-mbcf.h, "Statuses"), or nowhere without that option.
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
 * mbcf_send() sends bytes with a command. mbcf_invalidate() takes away the
 * views of a page and its copies. mbcf_signal() sends bytes with MBCF_SIGNAL.
 *
 *   command  MBCF_FIFO, MBCF_FIFOE, MBCF_FIFOE_RETRY, MBCF_UPDATE or MBCF_WRITE_QUEUE
 *   task     logical, as above
 *   address  in the task: of the struct mbcf_fifo, of the struct mbcf_signal, or of the
 *            bytes of an UPDATE; of a queue 0
 *   program  the source's choice of a function in the target, if the signal lets it
 *            choose; otherwise 0
 *   page     address in the task, a multiple of GLAZE_PAGE
 *   from     the bytes in this process; of any alignment
 *   bytes    1 to MBCF_BYTES_MAX; to a queue, to MBCF_INLINE_MAX; of an UPDATE, to the
 *            end of the page. A signal may have 0
 *   options  as above; to a queue MBCF_CANCELS, too
 *   status   as above
 *
 * Errors: as above.
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
 * FIFO's as the sender knows it, at first MBCF_EPOCH_FIRST, 1 to MBCF_EPOCHS. The
 * entries of each sender stay in order if it does as docs/mbcf.md says ("FIFOs"). The
 * other parameters, `task`, `address`, `from`, `bytes`, `options` and `status`, are
 * those of mbcf_send(). mbcf_epoch() returns the epoch in a status MBCF_STOPS or
 * MBCF_STOPPED, mbcf_plain_status() that status without the epoch.
 *
 * Errors: as for mbcf_send(); of the other two none.
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

/*
 * MBCF_COLOUR(colour): the option for a colour, 1 to MBCF_COLOURS - 1. Errors: with
 * another number the command has no colour, or ends the job (118).
 */
#define MBCF_COLOUR(colour)     ((colour) << MBCF_COLOUR_SHIFT)

/* ---- Waiting ------------------------------------------------------------- */

/*
 * Returns whether all commands of a `colour` that this task has sent are done or
 * refused: 1 to MBCF_COLOURS - 1, which is not checked. Errors: none.
 */
static inline bool mbcf_barrier_reached(uint32_t colour)
{
    const volatile struct mbcf_page *page = mbcf_page();

    return page->colour[colour].requests == page->colour[colour].replies;
}

/*
 * Elastic memory barrier: waits until all commands of a `colour` are done or refused.
 * Errors: none; a command that is refused is not told.
 */
void mbcf_barrier(uint32_t colour);

/*
 * Waits until a status is not MBCF_PENDING any more. Returns it: `status` is what a
 * command with MBCF_STATUS has got. Errors: without that option, or without a command,
 * it never returns.
 */
uint32_t mbcf_await(const volatile uint32_t *status);

/*
 * Waits off the processor until a word differs from `value`. A command with
 * MBCF_WAKES has to change the word. Other jobs run meanwhile, but no other
 * thread of this process.
 *
 *   word   in this process
 *   value  what it had
 *
 * Errors: none; in an atomic section no handler runs meanwhile.
 */
void mbcf_sleep_while(const volatile uint32_t *word, uint32_t value);

/* ---- Commands with a wait ------------------------------------------------ */

/*
 * Each does a WRITE or READ and waits for it. They return the status: MBCF_DONE, or
 * that of the first command that was refused, after which no further one is sent.
 *
 *   task   logical, as for mbcf_write()
 *   to     where the bytes go: of a WRITE in the task, of a READ in this process
 *   from   where they are
 *   bytes  any number
 *
 * Errors: the status; and those of mbcf_request().
 */
uint32_t mbcf_write_now(uint32_t task, uint32_t to, const void *from,
                        uint32_t bytes);
uint32_t mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes);

/*
 * Adds `addend` to the word at `address` of a `task`, modulo 2^32, and returns its old
 * value. Errors: ends the job (118) if the command is refused, with the status' name.
 */
uint32_t mbcf_fetch_add_now(uint32_t task, uint32_t address, uint32_t addend);

/* ---- What others have sent ----------------------------------------------- */

/*
 * Moves the oldest entry of a FIFO of this task, `fifo`, to `to`. Returns its number of
 * bytes, at most MBCF_BYTES_MAX, and with the source of a signal that many more
 * (struct mbcf_source). Errors:
 *
 *   -EAGAIN    the FIFO is empty
 *   -EMSGSIZE  the entry has more than `most` bytes; it stays
 *   -EINVAL    the structure makes no sense
 *   -EFAULT    the FIFO cannot be read and written, or `to` not be written
 *   -EPERM     mbcf_open() has not been called
 */
int32_t mbcf_take(struct mbcf_fifo *fifo, void *to, uint32_t most);

/*
 * From mbcf_take_signals() on, signals run their programs in this process; until
 * then, their invocations wait. A program runs as a handler does: in an atomic
 * section, on the stack of handlers. It may send messages and commands, and
 * must not wait. mbcf_scheduler() sets the `program` for
 * MBCF_INVOKE_SCHEDULER; NULL: there is none.
 *
 * Errors: a signal that invokes the scheduler ends the job (118) if there is none.
 */
typedef void mbcf_program(struct mbcf_signal *signal);
void mbcf_take_signals(void);
void mbcf_scheduler(mbcf_program *program);

/*
 * mbcf_queue() makes the queue for first messages. It returns true if there is one
 * now. mbcf_read_queue() moves the oldest message to *first, and returns true.
 *
 * Errors: mbcf_queue() returns false if no frame is free or mbcf_open() has not been
 * called; mbcf_read_queue() if the queue is empty, or if the process has no queue.
 */
bool mbcf_queue(void);
bool mbcf_read_queue(struct mbcf_first *first);

/*
 * Ends the job that has sent a first message with MBCF_CANCELS, on all nodes.
 * Enters the sender with the message's key as entry `index` of the table of
 * logical tasks, as mbcf_enter() does. Returns the status: MBCF_DONE, or one of the
 * errors.
 *
 * Errors: MBCF_NO_TASK if the sender has ended, MBCF_BAD_KEY if the message came
 * without MBCF_CANCELS; and those of mbcf_enter().
 */
uint32_t mbcf_cancel(uint32_t index, const struct mbcf_first *first);

/* ---- Tasks --------------------------------------------------------------- */

/*
 * Makes entry `index` of the table of logical tasks, for the task of another
 * job or for an agent. Returns the logical task, udm_nodes() + index.
 *
 *   index  0 to MBCF_ENTRIES - 1
 *   node   the task's, 0 to udm_nodes() - 1
 *   task   its number there: mbcf_page()->task of that task, or the agent's
 *   key    of the task's page, or of the agent
 *
 * Errors: ends the job (118) if there is no such entry or node. Whether the key is
 * right shows with the first command: MBCF_BAD_KEY.
 */
uint32_t mbcf_enter(uint32_t index, uint32_t node, uint32_t task, uint64_t key);

/*
 * Makes or changes agent `index` of this task, 0 to MBCF_AGENTS - 1, as `agent` says.
 * Fills in its key and number there.
 *
 * Errors: ends the job (118) if there is no such index, if a range is wrong, or if
 * clients could write to a structure that clients use (struct mbcf_range).
 */
void mbcf_agent(uint32_t index, struct mbcf_agent *agent);

/*
 * Says where the copies of a page of this task are: up to MBCF_COPIES, in its
 * tasks' pages (struct mbcf_pattern). With a count of 0, the page has none any
 * more.
 *
 *   page    address in this task, a multiple of GLAZE_PAGE
 *   copies  so many tasks and addresses there, multiples of GLAZE_PAGE
 *   count   0 to MBCF_COPIES
 *
 * Errors: ends the job (118) if an address is no multiple of GLAZE_PAGE, a logical task
 * or that many copies cannot be, MBCF_PATTERNS other pages have copies, or no
 * frame is left.
 */
void mbcf_pattern(uint32_t page, const struct mbcf_copy *copies,
                  uint32_t count);

/*
 * Returns a sentence that says what a `status` means, which may have MBCF_AT_COPY or an
 * epoch. Errors: of another number, "mbcf: no such status".
 */
const char *mbcf_status_name(uint32_t status);

#ifdef __cplusplus
}
#endif

#endif /* MBCF_H */
