/*
 * Messages between kernels.
 *
 * They use the second network, because they must get through whatever users do
 * to the first network. A message is a header, an operation and up to 14
 * words. A sender that waits for space takes the messages that come, so two
 * kernels that send to each other cannot deadlock. Taking a message notes what
 * it says and sends nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MESSAGE_H
#define GLAZE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

enum operation {
    OPERATION_ENDED = 1,        /* to node 0: gid, status: process has ended */
    OPERATION_END,              /* gid, status: end your process of that job */
    OPERATION_END_ALL,          /* to node 0: gid, status: end the job on all
                                   nodes */
    OPERATION_GONE,             /* gid: all processes of that job have ended */
    OPERATION_MAKE,             /* gid, number on the command line: make your
                                   process of that job */
    OPERATION_MADE,             /* to node 0: gid, 1: it is made; 0: there is
                                   too little memory */
    OPERATION_BEGIN,            /* gid: all nodes have made theirs; run it */

    /* Flush (policy/flush.c) */
    OPERATION_FLUSH,            /* round: have you sent and got its markers? */
    OPERATION_FLUSHED,          /* to node 0: 1: yes, 0: not yet */

    OPERATION_PLAN,             /* words: a plan for your server (policy/plan.h) */

    /* Overflow control (overflow.c): gid */
    OPERATION_OVERFLOWS,        /* to node 0: suspend the job */
    OPERATION_CLEARED,          /* to node 0: no reason for that any more */
    OPERATION_SUSPEND,
    OPERATION_RESUME,

    /* To a server of backing store (server.c) */
    OPERATION_WHO,              /* do you have a disk? */
    OPERATION_PAGE_OUT,         /* slot, GID that pays: I have a page to send */
    OPERATION_STORE,            /* place, words: a piece of that page (pieces.h) */
    OPERATION_PAGE_IN,          /* slot, GID that pays: send me that page */
    OPERATION_MORE,             /* a piece has been taken: send the next one */

    /* and from it (backing.c) */
    OPERATION_SERVES,           /* slots that you have here; 0: no disk */
    OPERATION_GO,               /* send the first PIECES_AHEAD pieces */
    OPERATION_NEXT,             /* a piece has been taken: send the next one */
    OPERATION_PIECE,            /* place, words: a piece of the page */
    OPERATION_DONE,             /* 1: the page is on the disk, or all of it has
                                   been sent; 0: the disk has failed */

    /* Maps over the network (services/shrimp/state.h) */
    OPERATION_MAP_ASK,          /* struct question: a page for a mapping, or its end */
    OPERATION_MAP_ANSWER,       /* struct answer */
    OPERATION_MAP_RETRY,        /* gid: its process here has a new export, or ends */
    OPERATION_MAP_END,          /* struct ending: end that mapping to here */
    OPERATION_MAP_ENDED,        /* it has ended, and all that it has sent is here */
    OPERATION_MAP_SHOOT,        /* struct shot: a page of that mapping goes out */
    OPERATION_MAP_SHOT,         /* nothing is sent to it any more, as above */
};

#define PLAN_WORDS      6       /* of a plan */

/*
 * Gets each message of the second network: its source, and the words after
 * the operation. The taker must send nothing and wait for nothing. message_init() is
 * called once, at the start.
 */
typedef void message_taker(uint32_t source, uint32_t operation,
                           const uint32_t *words);

/*
 * Does what the head of the second network says, and disposes of it, if that is simple;
 * this may send something, if it need not wait. Otherwise returns false.
 */
typedef bool message_quick_taker(void);

void message_init(message_taker *taker, message_quick_taker *quick_taker);

/*
 * Sends header, operation and `count` words to a node, which may be this one.
 * Waits for space, and takes the messages that come in the meantime.
 */
void message_send(uint32_t node, enum operation operation,
                  const uint32_t *words, unsigned count);

/* The cycles that message_send() has waited, since the start. */
extern uint64_t message_waited;

/*
 * Node 0 tells something to all nodes, itself included. Each other node passes it on
 * when it gets it, as a chore, to those after it in a tree: so no node sends more than
 * nine messages. What node 0 tells stays in order on the way to each node, as long as
 * nodes pass it on in order. message_pass_on() does nothing on node 0.
 */
void message_tell_all(enum operation operation, const uint32_t *words,
                      unsigned count);
void message_pass_on(enum operation operation, const uint32_t *words,
                     unsigned count);

/*
 * Passes messages that the second network has brought to the taker: some of them, if
 * there are many. The interrupt for the others stays pending.
 */
void message_serve(void);

/* Does what the head of the second network says, if there is one and it is simple.
 * Returns whether that was so. */
bool message_serve_quick(void);

/*
 * Takes pieces of pages of backing store that wait, two at most, if there is time for
 * them and for so many cycles. Long work calls this in between: if each piece waits for
 * the end of a command, a page, which has 79, takes several times as long.
 */
void message_look(uint32_t cycles);

/*
 * Sends a null message on the first network. The other kernel takes it and
 * forgets it. Returns false if the network has no space now: a kernel does not
 * wait for the first network.
 */
bool message_ping(uint32_t node);

/*
 * Sends a marker on the first network (policy/flush.h). The other kernel counts it in
 * message_marks, as it does those of the M-Machine's networks (services/mm/markers.h).
 * Returns false as message_ping() does.
 */
bool message_mark(uint32_t node);
extern uint32_t message_marks;

/*
 * Runs the handler of a kernel's message that is the head of the first
 * network, as the interrupt for such a message does (insert.S). The handler
 * disposes of the message.
 */
void message_from_kernel(void);

#endif /* GLAZE_MESSAGE_H */
