/*
 * Rings in shared memory: bytes between two processes of one host
 *
 * There is one ring for each direction. A ring carries a stream of bytes from
 * one writer to one reader. Neither process trusts the other. Counts that make
 * no sense are an error. The other process can change the memory at any time,
 * so the reader copies bytes before it looks at them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_RING_H
#define FUGU_LINK_RING_H

/*
 * A slot is one cache line and holds its own full flag, the stamp. So a reader
 * that waits for a short frame gets flag and bytes with one transfer between
 * caches.
 *
 * Bits 0 to 7 of a stamp are the number of bytes in the slot. Bits 8 to 31 are
 * the number of the slot, counted from 1. The count continues when the ring
 * wraps around, so a stamp of an earlier lap differs from the expected one.
 */
#define LINK_SLOT_BYTES         60
#define LINK_RING_SLOTS         4096u       /* a power of two */

typedef struct LinkSlot {
    uint32_t stamp;             /* atomic */
    uint8_t data[LINK_SLOT_BYTES];
} LinkSlot;

QEMU_BUILD_BUG_ON(sizeof(LinkSlot) != 64);

typedef struct LinkRing {
    /*
     * Both are atomic, written by the reader and read by the writer. They
     * change rarely, and each has its own cache line, so the writer's loads
     * are cheap.
     */
    uint32_t sleeps __attribute__((aligned(64)));   /* 1: wake the reader */
    uint32_t taken __attribute__((aligned(64)));    /* number of slots read */
    LinkSlot slot[LINK_RING_SLOTS] __attribute__((aligned(64)));
} LinkRing;

/* The shared memory, whose descriptor goes through the socket. */
typedef struct LinkRings {
    LinkRing to_hub, to_peer;
} LinkRings;

/*
 * One end of a ring, in the private memory of its process. Slots are numbered
 * from 0, and the numbers continue when the ring wraps around.
 */
typedef struct LinkRingEnd {
    LinkRing *ring;
    uint32_t next;              /* number of the slot to write or read next */
    uint32_t taken;             /* ring->taken: as the writer has last read it,
                                   or as the reader has last written it */
} LinkRingEnd;

/*
 * Makes and maps memory for both rings, and sets *@fd to its descriptor, for
 * the peer. Returns NULL with @errp if that fails.
 */
LinkRings *link_rings_new(int *fd, Error **errp);
/*
 * Maps the memory of @fd, after a check that the memory has the right size and
 * cannot shrink. Returns NULL with @errp if the check fails.
 */
LinkRings *link_rings_map(int fd, Error **errp);

/*
 * Writes as many of @n bytes as there is room for. Returns how many, or -1 if
 * the counts in the ring make no sense.
 */
ssize_t link_ring_write(LinkRingEnd *end, const uint8_t *data, size_t n);
/*
 * Reads bytes that are there, at most @n. Returns how many, or -1 if a stamp
 * makes no sense. @n must be at least LINK_SLOT_BYTES: slots are read whole.
 */
ssize_t link_ring_read(LinkRingEnd *end, uint8_t *data, size_t n);

/*
 * The reader calls link_ring_sleep() before it sleeps, and must not sleep if
 * the result is false: there is something to read. The reader calls
 * link_ring_awake() afterwards.
 */
bool link_ring_sleep(LinkRingEnd *end);
void link_ring_awake(LinkRingEnd *end);
/*
 * The writer calls this after a write. Returns true if the writer has to wake
 * the reader. Returns true only once for each sleep.
 */
bool link_ring_must_wake(LinkRingEnd *end);

#endif /* FUGU_LINK_RING_H */
