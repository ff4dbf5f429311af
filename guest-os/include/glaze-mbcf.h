/*
 * The ABI of MBCF, the memory-based communication facility: what the kernel
 * and the library mbcf.h share. docs/mbcf.md is the reference. "MBCF paper" means
 * Matsumoto and Hiraki, ICS 1998.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MBCF_H
#define GLAZE_MBCF_H

#include "glaze.h"

/* ---- Operations of the system call GLAZE_MBCF ---------------------------- */

/* (operation, ...): the arguments that follow the operation. */
#define MBCF_OPEN       0       /* () makes the process a task of MBCF */
#define MBCF_REQUEST    1       /* (struct mbcf_request *, count, willing) sends
                                   the commands of a list, all in one packet if
                                   there is more than one. willing 1: may wait
                                   until the body before has left the network */
#define MBCF_ENTER      2       /* (struct mbcf_entry *, index) sets an entry of
                                   the table of logical tasks */
#define MBCF_AGENT      3       /* (struct mbcf_agent *, index) makes an agent,
                                   or takes it away */
#define MBCF_WAIT       4       /* (wakes) waits until the page's count of wakes
                                   differs from the argument, or as
                                   GLAZE_WAIT does */
#define MBCF_TAKE       5       /* (struct mbcf_fifo *, to, bytes) takes the
                                   oldest entry of a FIFO */
#define MBCF_NEXT       6       /* (struct mbcf_invocation *, signal) ends the
                                   invocation of a signal, if it is not 0, and
                                   takes the next one */
#define MBCF_QUEUE      7       /* () makes the task's queue for first messages */
#define MBCF_READ_QUEUE 8       /* (struct mbcf_first *) takes the oldest */
#define MBCF_PATTERN    9       /* (struct mbcf_pattern *) says where the copies
                                   of a page are */
#define MBCF_SIGNALS    10      /* () brings the signals that came before the
                                   entry of GLAZE_U_SIGNAL was set */
#define MBCF_OPERATIONS 11

/* ---- Commands ------------------------------------------------------------ */

#define MBCF_WRITE      1       /* copies bytes from `local` to the target */
#define MBCF_READ       2       /* copies bytes from the target to `local` */
#define MBCF_SWAP       3       /* these three work on a word, whose old value */
#define MBCF_FETCH_ADD  4       /* goes to `local`: the word becomes operand[0],
                                   or its sum with operand[0]; */
#define MBCF_COMP_SWAP  5       /* or becomes operand[1] if it is operand[0] */
#define MBCF_FIFO       6       /* appends bytes to the FIFO at the address */
#define MBCF_FIFOE      7       /* the same, and if the FIFO is full, it stops:
                                   it refuses all FIFOE until a RETRY succeeds.
                                   operand[0]: the FIFO's epoch as the requester
                                   knows it; 0: of any epoch */
#define MBCF_FIFOE_RETRY 8
#define MBCF_SIGNAL     9       /* stores bytes as the signal structure at the
                                   address says, and invokes a program;
                                   operand[0]: the source's choice of it */
#define MBCF_WRITE_QUEUE 10     /* appends up to MBCF_INLINE_MAX bytes to the
                                   target's queue for first messages. Needs no
                                   key */
#define MBCF_UPDATE     11      /* WRITE in the target's page and in all of its
                                   copies (struct mbcf_pattern) */
#define MBCF_INVALIDATE 12      /* takes the view of the page at the address
                                   away, and those of all copies */
#define MBCF_CANCEL     13      /* ends the target's job. The entry's key is that
                                   of a first message (struct mbcf_first) */
#define MBCF_COMMANDS   14      /* 1 + the highest command of a program */

/* ---- Options ------------------------------------------------------------- */

/*
 * When the status goes to `status`: always, or only on failure. Without either,
 * never.
 */
#define MBCF_STATUS     0x01
#define MBCF_ON_FAILURE 0x02
#define MBCF_WAKES      0x04    /* counts a wake of the target, and wakes it */
#define MBCF_CANCELS    0x08    /* WRITE_QUEUE alone: the target may end this job,
                                   with MBCF_CANCEL */
#define MBCF_COLOUR_SHIFT       4       /* colour of the memory barrier, */
#define MBCF_COLOURS    8       /* 1 to 7; 0: the command belongs to none */
#define MBCF_OPTIONS    0x7f    /* all bits */

/* ---- Sizes --------------------------------------------------------------- */

#define MBCF_BYTES_MAX  4096    /* of one command */
#define MBCF_INLINE_MAX 32      /* bytes that need no body; they may have any
                                   address at the requester, while more have to
                                   begin at a multiple of 4 */
#define MBCF_SLOTS      16      /* commands of a task that may be outstanding */
#define MBCF_SILENT_MAX 8       /* of those, commands without a reply */
#define MBCF_ENTRIES    16      /* entries of the table that programs set */
#define MBCF_AGENTS     4       /* agents of a task */
#define MBCF_RANGES     4       /* ranges of memory of an agent */
#define MBCF_ASIDE      8       /* commands that wait for a page of a task */
#define MBCF_COMBINED_MAX 16    /* commands of one packet */
#define MBCF_INVOCATIONS 16     /* invocations that wait for a task */
#define MBCF_QUEUE_MAX  64      /* first messages that wait for a task */
#define MBCF_FIFO_MAX   0x100000        /* bytes of a FIFO's buffer */
#define MBCF_PATTERNS   100     /* pages of a task that have copies */
#define MBCF_COPIES     4       /* next copies of a page */
#define MBCF_DEPTH_MAX  5       /* from the root of a tree to its leaves */
#define MBCF_CASTS      16      /* multicasts under way that a task passes on */

/* ---- Statuses ------------------------------------------------------------ */

#define MBCF_PENDING    0       /* what the program stores before the request */
#define MBCF_DONE       1
#define MBCF_NO_TASK    2       /* no such task, or it is no task of MBCF */
#define MBCF_BAD_KEY    3       /* the key does not open the task or agent */
#define MBCF_BAD_ADDRESS 4      /* not mapped, or a right is missing; through an
                                   agent: outside of its ranges */
#define MBCF_UNALIGNED  5       /* the word's address is no multiple of 4 */
#define MBCF_BUSY       6       /* MBCF_ASIDE commands wait for pages already */
#define MBCF_NO_MEMORY  7       /* no frame can be had for the page */
#define MBCF_LOST       8       /* backing store cannot read the page */
#define MBCF_LOCAL      9       /* the command is done, but its result cannot be
                                   stored at `local`: not mapped by now */
#define MBCF_FULL       10      /* no room in the FIFO, buffer or queue, or for
                                   another invocation */
#define MBCF_STOPS      11      /* FIFOE: no room, and this command has stopped
                                   the FIFO: send it again with FIFOE_RETRY */
#define MBCF_STOPPED    12      /* FIFOE: the FIFO had been stopped */
#define MBCF_BAD_STRUCTURE 13   /* the FIFO or signal structure makes no sense */
#define MBCF_RUNNING    14      /* SIGNAL: an invocation has not ended */
#define MBCF_NO_QUEUE   15      /* the target has made no queue */
#define MBCF_NO_RIGHT   16      /* SIGNAL through an agent: its client may not
                                   choose the program */
#define MBCF_TOO_DEEP   17      /* UPDATE, INVALIDATE: the page has copies, and
                                   is MBCF_DEPTH_MAX away from the root */
#define MBCF_CIRCLE     18      /* the same: the page has copies, and the command
                                   has been at a page of the task with copies
                                   before: the patterns are no tree */
#define MBCF_STATUSES   19

/*
 * Status of UPDATE and INVALIDATE, with one of those above: the command is done
 * in the target, and a copy has failed in this way.
 */
#define MBCF_AT_COPY    0x40

/*
 * Status of a FIFOE that has named an epoch, with MBCF_STOPS or MBCF_STOPPED: the
 * FIFO's epoch, shifted left by so many bits.
 */
#define MBCF_EPOCH_SHIFT 8
#define MBCF_STATUS_MASK 0xff

#ifndef __ASSEMBLER__

/* Argument of MBCF_REQUEST: one command. Addresses are virtual. */
struct mbcf_request {
    uint32_t command;
    uint32_t options;
    uint32_t task;              /* logical */
    uint32_t address;           /* in the target */
    uint32_t bytes;             /* 1 to MBCF_BYTES_MAX; UPDATE: within a page */
    uint32_t local;             /* in the requester. 0: the old value of a word
                                   is not wanted; of READ never 0 */
    uint32_t operand[2];
    uint32_t status;            /* where the status goes */
};

/*
 * An entry of the table of logical tasks. Logical tasks 0 to N - 1 of a machine
 * with N nodes are the processes of the job itself, by node; N + k is entry k.
 * `task` is the number of the task on its node: mbcf_page.task, or that of an
 * agent.
 */
struct mbcf_entry {
    uint64_t key;
    uint32_t node;
    uint32_t task;
};

/*
 * An agent shares chosen memory of its task: its key opens these ranges and
 * nothing else. A range of 0 bytes is unused. Commands that write bytes or words
 * need MBCF_RANGE_WRITE. Commands that use a structure (MBCF_FIFO, MBCF_SIGNAL)
 * need MBCF_RANGE_STRUCTURE: the structure is the task's word, so what it points
 * to may lie anywhere in the task's memory. A range with MBCF_RANGE_STRUCTURE
 * shares no byte with one that has MBCF_RANGE_WRITE, of any agent of the task.
 */
#define MBCF_RANGE_READ         1
#define MBCF_RANGE_WRITE        2
#define MBCF_RANGE_STRUCTURE    4
#define MBCF_RANGE_CAST         8       /* with MBCF_RANGE_WRITE: UPDATE, and of
                                           whole pages INVALIDATE */

/* A range of an agent. */
struct mbcf_range {
    uint32_t address;           /* no views (GLAZE_VIEWS) */
    uint32_t bytes;
    uint32_t rights;            /* MBCF_RANGE_* */
};

/* Argument and result of MBCF_AGENT. No ranges at all: no agent any more. */
struct mbcf_agent {
    struct mbcf_range range[MBCF_RANGES];
    uint64_t key;               /* result: the agent's key */
    uint32_t task;              /* result: its number on the node */
    uint32_t unused;
};

/*
 * A FIFO in the target's memory, at a multiple of 4. The task sets it up with
 * `buffer`, a multiple of 4, and `size`, and the rest 0. An entry is a word with
 * its number of bytes, and these, filled up to a word; it may go over the end of
 * the buffer and on at its beginning.
 */
struct mbcf_fifo {
    uint32_t buffer;
    uint32_t size;              /* bytes: a multiple of 4, 8 to MBCF_FIFO_MAX */
    uint32_t head;              /* offset of the oldest entry */
    uint32_t used;              /* bytes of all entries */
    uint32_t stopped;           /* 1: FIFOE is refused */
    uint32_t epoch;             /* how often the FIFO has gone on */
};

/*
 * An epoch of a FIFO, as commands and statuses name it: 1 to MBCF_EPOCHS, from
 * which 1 follows again. mbcf_epoch_after(epoch) returns the next one,
 * mbcf_epoch_now(fifo) that of a FIFO in this process. Errors: none.
 */
#define MBCF_EPOCH_FIRST        1
#define MBCF_EPOCHS             0x800000

static inline uint32_t mbcf_epoch_after(uint32_t epoch)
{
    return (epoch & (MBCF_EPOCHS - 1)) + 1;
}

static inline uint32_t mbcf_epoch_now(const struct mbcf_fifo *fifo)
{
    return mbcf_epoch_after(fifo->epoch);
}

/* What a signal invokes. */
#define MBCF_INVOKE_SCHEDULER   0       /* the task's scheduler of threads */
#define MBCF_INVOKE_TARGET      1       /* `program` of the structure */
#define MBCF_INVOKE_SOURCE      2       /* operand[0] of the command, which must
                                           not come through an agent */
#define MBCF_INVOKE_CLIENT      3       /* operand[0], through agents too: their
                                           clients run any code of the task */

/* Where a signal stores bytes. MBCF_STORE_SOURCE: a struct mbcf_source first. */
#define MBCF_STORE_NONE         0       /* nowhere */
#define MBCF_STORE_BUFFER       1       /* at `to`, `size` bytes at most */
#define MBCF_STORE_FIFO         2       /* in the struct mbcf_fifo at `to` */
#define MBCF_STORE_SOURCE       4       /* flag */

/* If an invocation has not ended when the next command comes. */
#define MBCF_WHILE_REFUSE       0       /* refuses the command */
#define MBCF_WHILE_STORE        1       /* stores, but does not invoke */
#define MBCF_WHILE_INVOKE       2       /* stores and invokes */

/* A signal structure in the target's memory, at a multiple of 4. */
struct mbcf_signal {
    uint32_t invoke;            /* MBCF_INVOKE_* */
    uint32_t store;             /* MBCF_STORE_* */
    uint32_t during;            /* MBCF_WHILE_* */
    uint32_t program;
    uint32_t to, size;
    uint32_t running;           /* invocations that have not ended */
};

/* Who has sent a command. */
struct mbcf_source {
    uint32_t task;              /* logical; UINT32_MAX: not in the table */
    uint32_t node;
    uint32_t number;            /* of the task on its node */
};

/* Result of MBCF_NEXT. */
struct mbcf_invocation {
    uint32_t program;           /* 0: the scheduler of threads */
    uint32_t signal;            /* address of the structure */
};

/*
 * Argument of MBCF_PATTERN: where the next copies of a page of the task are. The
 * task passes an UPDATE or INVALIDATE of the page on to their tasks, at the same
 * place in their pages. These may have patterns for them in turn, so that all
 * together form a tree. Addresses are multiples of GLAZE_PAGE.
 */
struct mbcf_copy {
    uint32_t task;              /* logical, in the table of this task */
    uint32_t page;              /* address there */
};

/* The next copies of a page. */
struct mbcf_pattern {
    uint32_t page;
    uint32_t copies;            /* 0: none any more */
    struct mbcf_copy copy[MBCF_COPIES];
};

/* Result of MBCF_READ_QUEUE. */
struct mbcf_first {
    struct mbcf_source source;
    uint32_t bytes;
    uint32_t data[MBCF_INLINE_MAX / 4];
    uint64_t cancel;            /* key for MBCF_CANCEL, of this task alone. 0: the
                                   message came without MBCF_CANCELS */
};

/* The page at GLAZE_MBCF_PAGE: the kernel writes, the task reads. */
struct mbcf_page {
    uint64_t key;               /* opens the task's memory */
    uint32_t task;              /* the task's number on its node */
    uint32_t free;              /* slots for requests that are free */
    uint32_t wakes;             /* commands with MBCF_WAKES so far */
    uint32_t commands;          /* commands done in this task's memory so far */
    uint32_t refused;           /* commands that named this task and its node,
                                   and were refused */
    uint32_t long_commands;     /* commands that named this task, and were not
                                   done on the fast path: see docs/mbcf.md, "The
                                   fast path" */
    uint64_t cycles;            /* of the kernel for those commands */
    struct {
        uint32_t requests;      /* sent so far */
        uint32_t replies;       /* of those, known to be done or refused */
    } colour[MBCF_COLOURS];
    uint32_t long_replies;      /* replies to this task, and */
    uint32_t long_calls;        /* calls of it, that were not done on the
                                   fast path */
};

#endif /* __ASSEMBLER__ */

#endif /* GLAZE_MBCF_H */
