/*
 * A pipe: whole frames to and from one other process, without blocking
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/processor.h"
#include "qemu/sockets.h"
#include "qemu/timer.h"
#include <poll.h>
#include <sys/mman.h>
#include "hw/fugu/wire/pipe.h"

LinkPipe *link_pipe_new(int fd)
{
    LinkPipe *p = g_new0(LinkPipe, 1);

    p->fd = fd;
    p->frame_max = FUGU_LINK_GREETING_MAX;
    qemu_socket_set_nonblock(fd);
    return p;
}

void link_pipe_free(LinkPipe *p)
{
    if (p) {
        close(p->fd);
        if (p->rings) {
            munmap(p->rings, sizeof(*p->rings));
        }
        link_buffer_free(&p->in);
        link_buffer_free(&p->out);
        g_free(p);
    }
}

void link_pipe_use_rings(LinkPipe *p, LinkRings *rings, bool hub)
{
    p->rings = rings;
    p->tx.ring = hub ? &rings->to_peer : &rings->to_hub;
    p->rx.ring = hub ? &rings->to_hub : &rings->to_peer;
}

/* ---- Bytes -------------------------------------------------------------- */

/*
 * The functions of this section return how many bytes they have transferred, 0
 * if they can transfer none now, and -1 if the other process has hung up.
 */

static ssize_t socket_write(LinkPipe *p, const uint8_t *data, size_t n)
{
    ssize_t done = send(p->fd, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);

    if (done >= 0) {
        return done;
    }
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

static ssize_t socket_read(LinkPipe *p, uint8_t *data, size_t n)
{
    ssize_t done = recv(p->fd, data, n, MSG_DONTWAIT);

    if (done > 0) {
        return done;
    }
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    p->hung_up = true;
    return -1;
}

/*
 * Reads and drops all bytes of the socket. With rings, bytes on the socket only
 * wake us up; but the socket still shows when the other process hangs up.
 */
static void drain_socket(LinkPipe *p)
{
    uint8_t bytes[64];

    while (!p->hung_up && socket_read(p, bytes, sizeof(bytes)) > 0) {
        /* The bytes have no meaning. */
    }
}

static ssize_t pipe_write(LinkPipe *p, const uint8_t *data, size_t n)
{
    ssize_t done;

    if (!p->rings) {
        return socket_write(p, data, n);
    }
    if (p->hung_up) {
        return -1;
    }
    done = link_ring_write(&p->tx, data, n);
    if (done < 0) {
        p->wrong = "a broken ring";
    }
    if (done > 0 && link_ring_must_wake(&p->tx)) {
        socket_write(p, (const uint8_t *)"", 1);
    }
    return done;
}

/* Bytes that are in a ring are read even if their writer has hung up since. */
static ssize_t pipe_read(LinkPipe *p, uint8_t *data, size_t n)
{
    ssize_t done;

    if (!p->rings) {
        return socket_read(p, data, n);
    }
    done = link_ring_read(&p->rx, data, n);
    if (done < 0) {
        p->wrong = "a broken ring";
    }
    return done == 0 && p->hung_up ? -1 : done;
}

/* ---- Frames ------------------------------------------------------------- */

LinkResult link_pipe_flush(LinkPipe *p)
{
    p->wrong = NULL;
    while (p->sent < p->out.len) {
        ssize_t n = pipe_write(p, p->out.data + p->sent, p->out.len - p->sent);

        if (n < 0) {
            return p->wrong ? LINK_NONSENSE : LINK_GONE;
        }
        if (n == 0) {
            return LINK_AGAIN;
        }
        p->sent += n;
    }
    p->sent = 0;
    p->out.len = 0;
    return LINK_DONE;
}

/*
 * Returns the size of the frame at the front of @p->in, with its header, and
 * its type. Returns the size of a header while the header is not complete, and
 * 0 if the header makes no sense.
 */
static size_t frame_size(LinkPipe *p, unsigned *type)
{
    LinkHeader h;

    if (p->in.len < FUGU_LINK_HEADER_BYTES) {
        return FUGU_LINK_HEADER_BYTES;
    }
    p->wrong = link_get_header(p->in.data, p->frame_max, &h);
    *type = h.type;
    return p->wrong ? 0 : FUGU_LINK_HEADER_BYTES + h.length;
}

/*
 * Reads more bytes of a frame of @size bytes. Asks for 1 MiB at most, so that
 * memory grows with the bytes that have come, and not with a length that the
 * other process has only claimed.
 */
static ssize_t read_more(LinkPipe *p, size_t size)
{
    size_t before = p->in.len;
    size_t room = MIN(MAX(size - before, p->ahead ? 4096 : 0), 1u << 20);
    uint8_t *place = link_put(&p->in, room);
    ssize_t n = pipe_read(p, place, room);

    p->in.len = before + MAX(n, 0);
    return n;
}

/* Removes the frame that the last call has returned. */
static void drop_taken(LinkPipe *p)
{
    p->in.len -= p->taken;
    memmove(p->in.data, p->in.data + p->taken, p->in.len);
    p->taken = 0;
}

LinkResult link_pipe_receive(LinkPipe *p, unsigned *type, LinkReader *payload)
{
    if (p->taken) {
        drop_taken(p);
    }
    while (true) {
        size_t size = frame_size(p, type);
        ssize_t n;

        if (size == 0) {
            return LINK_NONSENSE;
        }
        if (p->in.len >= size) {
            p->taken = size;
            payload->data = p->in.data + FUGU_LINK_HEADER_BYTES;
            payload->left = size - FUGU_LINK_HEADER_BYTES;
            return LINK_DONE;
        }
        n = read_more(p, size);
        if (n < 0) {
            return p->wrong ? LINK_NONSENSE : LINK_GONE;
        }
        if (n == 0) {
            return LINK_AGAIN;
        }
    }
}

/* ---- Waiting ------------------------------------------------------------ */

/*
 * A process spins if each process has a host processor. Otherwise it yields
 * its processor at once. Both react within some microseconds. After a
 * millisecond or so the process goes to sleep.
 *
 * On a busy host a process that yields gets its processor back one or many
 * time slices later, but a process that sleeps gets it as soon as it is woken.
 * So after a yield that takes long, the next BUSY_WAITS waits sleep from the
 * start.
 */
#define SPIN_TRIES      1000
#define YIELD_TRIES     2000
#define YIELD_US        200     /* a longer yield shows a busy host */
#define BUSY_WAITS      1000
#define LOOK_TRIES      256     /* yields between two looks at the sockets */
#define SLEEP_MS        10

static unsigned spin_tries;
static unsigned busy_waits;

void link_wait_set_processes(unsigned processes)
{
    spin_tries = processes <= sysconf(_SC_NPROCESSORS_ONLN) ? SPIN_TRIES : 0;
}

/* Notices processes that have hung up, for pipes with rings. */
static void look_at_sockets(LinkPipe *const *pipes, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (pipes[i]->rings) {
            drain_socket(pipes[i]);
        }
    }
}

static void sleep_on(LinkPipe *const *pipes, unsigned n)
{
    g_autofree struct pollfd *fds = g_new0(struct pollfd, n);
    bool quiet = true;

    for (unsigned i = 0; i < n; i++) {
        LinkPipe *p = pipes[i];

        fds[i].fd = p->hung_up ? -1 : p->fd;
        fds[i].events = POLLIN;
        if (p->rings) {
            quiet &= link_ring_sleep(&p->rx);
        }
        quiet &= !p->hung_up;
    }
    if (quiet) {
        poll(fds, n, SLEEP_MS);
    }
    for (unsigned i = 0; i < n; i++) {
        if (pipes[i]->rings) {
            link_ring_awake(&pipes[i]->rx);
        }
    }
    look_at_sockets(pipes, n);
}

static void yield(void)
{
    int64_t before = g_get_monotonic_time();

    sched_yield();
    if (g_get_monotonic_time() - before > YIELD_US) {
        busy_waits = BUSY_WAITS;
    }
}

void link_wait(LinkPipe *const *pipes, unsigned n, unsigned *tries)
{
    unsigned t = (*tries)++;

    if (t == 0 && busy_waits) {
        busy_waits--;
    }
    if (busy_waits) {
        sleep_on(pipes, n);
    } else if (t < spin_tries) {
        cpu_relax();
    } else if (t < spin_tries + YIELD_TRIES) {
        yield();
        if (t % LOOK_TRIES == LOOK_TRIES - 1) {
            look_at_sockets(pipes, n);
        }
    } else {
        sleep_on(pipes, n);
    }
}
