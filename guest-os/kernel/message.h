/*
 * Messages between kernels.
 *
 * On the second network: header, operation, and up to 14 words. It is for
 * what must get through whatever users do to the first one. Sending waits for
 * space, and serves what comes in the meantime, so two kernels that send to
 * each other cannot lock; serving notes what has come and sends nothing.
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
    OPERATION_END_ALL,          /* to node 0: the same, for all nodes */
    OPERATION_GONE,             /* gid: all processes of that job have ended */

    /* Overflow control (overflow.c): gid */
    OPERATION_OVERFLOWS,        /* to node 0: it had better be suspended */
    OPERATION_CLEARED,          /* to node 0: and now it had not */
    OPERATION_SUSPEND,
    OPERATION_RESUME,

    /* To a server of backing store (server.c) */
    OPERATION_WHO,              /* have you a disk? */
    OPERATION_PAGE_OUT,         /* slot: a page wants to be sent */
    OPERATION_STORE,            /* number, words: a piece of it */
    OPERATION_PAGE_IN,          /* slot: send me that page */
    OPERATION_MORE,             /* so many pieces: send the next */

    /* and from it (backing.c) */
    OPERATION_SERVES,           /* slots that you have here; 0: no disk */
    OPERATION_GO,               /* so many: the next pieces may be sent */
    OPERATION_PIECE,            /* number, words */
    OPERATION_DONE,             /* 1: it is out, or all there; 0: it failed */
};

/*
 * Gets each message of the second network: its source, and the words after
 * the operation. Must send nothing and wait for nothing. Once, at the start.
 */
typedef void message_taker(uint32_t source, uint32_t operation,
                           const uint32_t *words);
void message_init(message_taker *taker);

/*
 * Sends header, operation and `count` words to a node, which may be this one.
 * Waits for space, and takes the messages that come in the meantime.
 */
void message_send(uint32_t node, enum operation operation,
                  const uint32_t *words, unsigned count);

/* Passes each message that the second network has brought to the taker. */
void message_serve(void);

/*
 * On the first network: a null message, which the other kernel takes and
 * forgets. False: no space now. A kernel does not wait for the first network.
 */
bool message_ping(uint32_t node);

/*
 * Runs the handler of a kernel's message that is the head of the first network,
 * as the interrupt for such a message does (insert.S). The handler disposes of
 * the message.
 */
void message_from_kernel(void);

#endif /* GLAZE_MESSAGE_H */
