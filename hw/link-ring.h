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

/* A power of two. What is longer goes through in pieces. */
#define LINK_RING_BYTES         (256u << 10)

/* Counts of bytes run freely. Writer and reader have a cache line each. */
typedef struct LinkRing {
    uint32_t written __attribute__((aligned(64)));      /* by the writer */
    uint32_t taken __attribute__((aligned(64)));        /* by the reader */
    uint32_t sleeps;            /* atomic: the reader wants to be woken */
    uint8_t data[LINK_RING_BYTES] __attribute__((aligned(64)));
} LinkRing;

/* What the socket hands over. */
typedef struct LinkRings {
    LinkRing to_hub, to_peer;
} LinkRings;

/* One end of a ring. */
typedef struct LinkRingEnd {
    LinkRing *ring;
    uint32_t mine;              /* the count that this end owns */
    uint32_t other;             /* the other end's, when last seen */
} LinkRingEnd;

/* New memory for both rings; *fd is what a peer gets. NULL with @errp. */
LinkRings *link_rings_new(int *fd, Error **errp);
/* The memory behind @fd, which can be of anybody's making. */
LinkRings *link_rings_map(int fd, Error **errp);

/* Copies what there is room for; returns how much, or -1 if the ring is
 * broken. */
ssize_t link_ring_write(LinkRingEnd *end, const uint8_t *data, size_t n);
/* Copies what is there, at most @n; 0 if nothing is; -1 if it is broken. */
ssize_t link_ring_read(LinkRingEnd *end, uint8_t *data, size_t n);

/* The reader will sleep; false if there is something to read after all. */
bool link_ring_sleep(LinkRingEnd *end);
void link_ring_awake(LinkRingEnd *end);
/* The writer has written: whether the reader must be woken. Only once. */
bool link_ring_must_wake(LinkRingEnd *end);

#endif /* FUGU_LINK_RING_H */
