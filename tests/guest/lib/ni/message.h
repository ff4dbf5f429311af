/*
 * Messages from the kernel's window, for tests of the receiving side, and a
 * network interface in a known state.
 */
#ifndef GUEST_MESSAGE_H
#define GUEST_MESSAGE_H

#include "ni.h"

/* GIDs of the tests: the one that ni_fresh() sets, and somebody else's. */
#define GID_OWN         5
#define GID_OTHER       6

/* Header of a message to a node, as the kernel writes it. */
#define HEADER_GID(node, gid) \
    ((node) | FUGU_HDR_OWN_GID | (gid) << FUGU_HDR_GID_SHIFT)
#define HEADER_KERNEL(node)     ((node) | FUGU_HDR_KERNEL)

/* Word k of the messages that message_send() makes, from 1 on. */
static inline uint32_t message_word(uint32_t tag, unsigned k)
{
    return tag << 8 | k;
}

/* Sends `words` words, two at least; all but the header follow from the tag. */
void message_send(uint32_t header, uint32_t tag, unsigned words);

/* Waits longer than any message is under way on an idle mesh. */
void settle(void);

/* Waits until local time (with the offset) is at least this. */
void until(uint64_t time);

/* Disposes of all that has come; how many is the result. */
unsigned drain(void);

/*
 * No message, no descriptor in either window; gid GID_OWN; divert-mode, uac,
 * timeout and offset 0. Interrupts are masked.
 */
void ni_fresh(void);

#endif
