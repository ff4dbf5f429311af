/*
 * Messages sent from the kernel's window, for tests of the receiving side, and
 * a function that brings the network interface to a known state.
 */
#ifndef GUEST_MESSAGE_H
#define GUEST_MESSAGE_H

#include "ni.h"

/* GIDs of the tests: the one that ni_fresh() sets, and one of another job. */
#define GID_OWN         5
#define GID_OTHER       6

/* Headers of a message to a node, as the kernel writes them: with a GID
 * that the sender chooses, and of a kernel message. */
#define HEADER_GID(node, gid) \
    ((node) | FUGU_HDR_OWN_GID | (gid) << FUGU_HDR_GID_SHIFT)
#define HEADER_KERNEL(node)     ((node) | FUGU_HDR_KERNEL)

/* Word k, from 1 on, of a message that message_send() makes. */
static inline uint32_t message_word(uint32_t tag, unsigned k)
{
    return tag << 8 | k;
}

/* Sends a message of `words` words, at least two. All words but the header
 * follow from the tag. */
void message_send(uint32_t header, uint32_t tag, unsigned words);

/* Waits longer than any message takes on an idle mesh. */
void settle(void);

/* Runs until the clock shows at least this time. */
void until(uint64_t time);

/* Disposes of all messages that have arrived or are under way. Returns how
 * many. */
unsigned drain(void);

/*
 * Brings the network interface to a known state: no message, no descriptor in
 * either window, gid GID_OWN, and divert-mode, uac, timeout and cycle-offset
 * 0. Masks all interrupts.
 */
void ni_fresh(void);

#endif
