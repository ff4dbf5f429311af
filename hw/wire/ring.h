/*
 * Rings in shared memory: frames between two processes of one host
 *
 * One ring a direction, a stream of bytes with one writer and one reader.
 * Neither side believes the other: counts that make no sense are an error,
 * and the memory can change under a reader's eyes, so that what has been
 * read is copied before it is looked at.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_RING_H
#define FUGU_LINK_RING_H

/*
 * A slot is a cache line, and says itself whether it is full: a reader who
 * waits for a short frame has it in his cache with one transfer. Its stamp is
 * the number of bytes in it (0 to 7) and of the slot (8 to 31), which counts
 * from 1 and runs on: an older lap's stamp is never the one expected.
 */
#define LINK_SLOT_BYTES         60
#define LINK_RING_SLOTS         4096u       /* a power of two */

typedef struct LinkSlot {
    uint32_t stamp;             /* atomic */
    uint8_t data[LINK_SLOT_BYTES];
} LinkSlot;

QEMU_BUILD_BUG_ON(sizeof(LinkSlot) != 64);

typedef struct LinkRing {
    /* Written once in a while, so that looking at it costs nothing. */
    uint32_t sleeps __attribute__((aligned(64)));   /* atomic: wake me */
    uint32_t taken __attribute__((aligned(64)));    /* atomic: by the reader */
    LinkSlot slot[LINK_RING_SLOTS] __attribute__((aligned(64)));
} LinkRing;

/* What the socket hands over. */
typedef struct LinkRings {
    LinkRing to_hub, to_peer;
} LinkRings;

/* One end of a ring. Numbers of slots run freely, from 0. */
typedef struct LinkRingEnd {
    LinkRing *ring;
    uint32_t next;              /* slot to write or to read */
    uint32_t taken;             /* writer: free, as last seen; reader: told */
} LinkRingEnd;

/* New memory for both rings; *fd is what a peer gets. NULL with @errp. */
LinkRings *link_rings_new(int *fd, Error **errp);
/* The memory behind @fd, which can be of anybody's making. */
LinkRings *link_rings_map(int fd, Error **errp);

/* Copies what there is room for; returns how much, or -1 if the ring is
 * broken. */
ssize_t link_ring_write(LinkRingEnd *end, const uint8_t *data, size_t n);
/* Copies what is there, at most @n, which must be at least a slot's worth; 0 if
 * nothing is; -1 if the ring is broken. */
ssize_t link_ring_read(LinkRingEnd *end, uint8_t *data, size_t n);

/* The reader will sleep; false if there is something to read after all. */
bool link_ring_sleep(LinkRingEnd *end);
void link_ring_awake(LinkRingEnd *end);
/* The writer has written: whether the reader must be woken. Only once. */
bool link_ring_must_wake(LinkRingEnd *end);

#endif /* FUGU_LINK_RING_H */
