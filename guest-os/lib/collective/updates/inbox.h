/*
 * Inboxes: where the messages of calls go on a machine with SHRIMP's interface.
 *
 * Each process exports an inbox when it begins. A node that sends to another one for
 * the first time maps half a page to that node's inbox, for automatic update with
 * blocked-write. A message is then a few stores to it. Packets between two nodes stay
 * in order, so the whole message is there when its last word is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COLLECTIVE_INBOX_H
#define COLLECTIVE_INBOX_H

#include "collective.h"
#include "glaze.h"

/* A message to a slot. The sender stores the words in this order. */
struct letter {
    union value value;          /* or of a body its bytes and its offset */
    uint32_t source;            /* node, and LETTER_BODY: a body goes with it */
    uint32_t identity;          /* of the call */
    uint32_t count;             /* of the slot's messages in this call; 0: none is here,
                                   or it has been taken */
};

#define LETTER_BODY     0x80000000

#define BODIES          2       /* places: one is filled while the other is read */

struct inbox {
    struct letter letter[2][SLOTS];     /* [odd][slot] */
    uint32_t taken[2][ROUNDS];  /* [odd][k]: bodies that the child at distance 2^k has
                                   taken */
    uint32_t left[2][ROUNDS];   /* [side][k]: calls that the node 2^k on that side has
                                   made, and 1, if its process has ended */
    uint32_t body[BODIES][COLLECTIVE_BODY / 4];
};

#define INBOX_BYTES     2048    /* half a page */

_Static_assert(sizeof(struct inbox) <= INBOX_BYTES, "two of them fit into a page");

/* This node's own. It has its page for itself. */
extern volatile struct inbox *collective_own;

/*
 * Returns what is mapped to a node's inbox, and maps it at the first call for it.
 * Returns NULL if that node's process has ended. Ends the job if it cannot be mapped:
 * there is no memory, or the program has all mappings for itself.
 */
volatile struct inbox *collective_to(uint32_t node);

/* The same, but NULL if there is no memory. */
volatile struct inbox *collective_try_to(uint32_t node);

/* Sends what has been stored before: the open packet closes. */
void collective_flush(void);

/* Waits, without the processor, until this node's inbox may have changed since the word
 * had this value. */
void collective_await(const volatile uint32_t *word, uint32_t value);

#endif /* COLLECTIVE_INBOX_H */
