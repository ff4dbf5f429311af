/*
 * A pipe: whole frames to and from one other process, without blocking
 *
 * A pipe uses a socket, or a socket and rings in shared memory. Every call does
 * what can be done at once, and returns how far it got. Only link_wait() waits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_PIPE_H
#define FUGU_LINK_PIPE_H

#include "hw/fugu/wire/codec.h"
#include "hw/fugu/wire/ring.h"

typedef enum LinkResult {
    LINK_DONE,
    LINK_AGAIN,                 /* not all could be done yet: call again */
    LINK_GONE,                  /* the other process has hung up */
    LINK_NONSENSE,              /* the bytes are no frame: see pipe->wrong */
} LinkResult;

typedef struct LinkPipe {
    int fd;                     /* the socket */
    LinkRings *rings;           /* NULL if frames go through the socket */
    LinkRingEnd tx, rx;
    bool hung_up;               /* the other process has closed the socket */

    LinkBuffer out;             /* frames to send, which the caller appends */
    size_t sent;                /* bytes of out that have been sent */

    LinkBuffer in;              /* bytes that have been received */
    size_t taken;               /* bytes of in that link_pipe_receive() has
                                   returned as a frame */
    uint32_t frame_max;         /* longest payload that is allowed, in bytes */
    bool ahead;                 /* may read more than one frame at a time */
    const char *wrong;          /* set by LINK_NONSENSE: the reason */
} LinkPipe;

/* Makes a pipe of the connected socket @fd, which becomes non-blocking. */
LinkPipe *link_pipe_new(int fd);
/* Hangs up, and frees the pipe. Frames that are not sent yet are lost. */
void link_pipe_free(LinkPipe *p);
/* Sends and receives all further frames through @rings. */
void link_pipe_use_rings(LinkPipe *p, LinkRings *rings, bool hub);

/*
 * Sends as much of @p->out as can be sent at once. Returns DONE when all of it
 * has been sent.
 */
LinkResult link_pipe_flush(LinkPipe *p);
/*
 * Receives the next frame. Returns DONE when a frame is complete, and sets
 * *@type and *@payload then. The payload is valid until the next call.
 */
LinkResult link_pipe_receive(LinkPipe *p, unsigned *type, LinkReader *payload);

/*
 * Waits for a moment, in which @pipes may receive something. The first calls
 * of one wait spin, the next ones yield the processor, and all later ones sleep
 * for at most 10 ms. *@tries counts the calls of one wait; the caller sets it
 * to 0 for a new wait.
 */
void link_wait(LinkPipe *const *pipes, unsigned n, unsigned *tries);
/* Enables spinning if the host has a processor for each of @processes. */
void link_wait_set_processes(unsigned processes);

#endif /* FUGU_LINK_PIPE_H */
