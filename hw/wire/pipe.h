/*
 * A pipe: whole frames to and from one other process, without ever blocking
 *
 * Over a socket, or over rings in shared memory beside it. Every call does
 * what can be done at once and says what came of it; link_wait() is where
 * time is spent in between.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_PIPE_H
#define FUGU_LINK_PIPE_H

#include "hw/fugu/wire/codec.h"
#include "hw/fugu/wire/ring.h"

typedef enum LinkResult {
    LINK_DONE,
    LINK_AGAIN,                 /* not yet */
    LINK_GONE,                  /* the other process has hung up */
    LINK_NONSENSE,              /* what came is no frame: see pipe->wrong */
} LinkResult;

typedef struct LinkPipe {
    int fd;
    LinkRings *rings;           /* or NULL: the socket carries all */
    LinkRingEnd tx, rx;
    bool hung_up;               /* the socket is at its end */

    LinkBuffer out;             /* frames to send: the caller adds them */
    size_t sent;                /* of out */

    LinkBuffer in;
    size_t taken;               /* of in: the frame received last */
    uint32_t frame_max;         /* of the payload */
    bool ahead;                 /* may read more than one frame */
    const char *wrong;
} LinkPipe;

/* Takes the connected socket @fd, from now on non-blocking. */
LinkPipe *link_pipe_new(int fd);
/* Hangs up. What is not sent yet is lost. */
void link_pipe_free(LinkPipe *p);
/* All further frames go through @rings. */
void link_pipe_use_rings(LinkPipe *p, LinkRings *rings, bool hub);

/* Send what is in @p->out. */
LinkResult link_pipe_flush(LinkPipe *p);
/* The next frame; @payload is valid until the next call. */
LinkResult link_pipe_receive(LinkPipe *p, unsigned *type, LinkReader *payload);

/*
 * Pass some time until @pipes may have something new: first spinning, then
 * giving the processor to others, at last asleep for at most 10 ms. @tries
 * counts the calls of one wait, from 0.
 */
void link_wait(LinkPipe *const *pipes, unsigned n, unsigned *tries);
/* Whether spinning makes sense: each of @processes has a processor. */
void link_wait_set_processes(unsigned processes);

#endif /* FUGU_LINK_PIPE_H */
