/*
 * Inboxes: where the messages of calls go on a machine without UDM's messages.
 *
 * With SHRIMP's interface each process exports an inbox when it begins. A node that
 * sends to another one for the first time maps half a page to that node's inbox, for
 * automatic update with blocked-write. A message is then a few stores to it. Packets
 * between two nodes stay in order, so the whole message is there when its last word is.
 *
 * With the M-Machine's interface each process shares its inbox when it begins, and
 * messages' handlers store. Messages between two nodes stay in order, and a letter is
 * one message, which stores its count last.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COLLECTIVE_INBOX_H
#define COLLECTIVE_INBOX_H

#include "collective.h"
#include "glaze.h"

/* A message to a slot. Its words are stored in this order. */
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
    uint32_t taken[ROUNDS];     /* [k]: bodies from this node that the one 2^k after it
                                   has taken since it began */
    uint32_t left[2][ROUNDS];   /* [side][k]: calls that the node 2^k on that side has
                                   made, and 1, if its process has ended */
    uint32_t body[BODIES][COLLECTIVE_BODY / 4];
};

#define INBOX_BYTES     2048    /* half a page, a power of two */

_Static_assert(sizeof(struct inbox) <= INBOX_BYTES, "two of them fit into a page");

/* This node's own. It has its page for itself. */
extern volatile struct inbox *collective_own;

/* ---- With SHRIMP's interface: inbox.c ------------------------------------ */

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

/* ---- With the M-Machine's interface: stores.c ----------------------------- */

#define COLLECTIVE_BY_MESSAGES \
    (glaze_info(GLAZE_I_NETIF) == FUGU_NETIF_M_MACHINE)

/*
 * Store to the inbox of a node: where `own` is in this node's. A node whose process has
 * ended drops it. A letter without a value gets 0.
 */
void collective_store(uint32_t node, const volatile uint32_t *own, uint32_t word);
void collective_store_letter(uint32_t node, const volatile struct letter *own,
                             const union value *value, uint32_t source,
                             uint32_t identity, uint32_t count);
void collective_store_body(uint32_t node, const volatile uint32_t *own,
                           const uint32_t *body, uint32_t words);

#endif /* COLLECTIVE_INBOX_H */
