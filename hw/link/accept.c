/*
 * The link: connecting and the handshake, the hub's side
 *
 * The hub waits until all its peers have connected. A process that connects is
 * a guest until it has sent HELLO and, if there is a secret, proved that it
 * knows the secret. Nothing that a guest sends can end the run: the hub refuses
 * a wrong guest and keeps waiting for the right one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/sockets.h"
#include <sys/wait.h>
#include "hw/fugu/link/accept.h"

/* A process that has connected and has not finished the handshake. */
typedef struct Guest {
    LinkPipe *pipe;
    bool greeted;               /* hello is valid, CHALLENGE has been sent */
    LinkHello hello;
    uint8_t nonce[FUGU_LINK_NONCE_BYTES];
} Guest;

#define GUESTS_MAX      (2 * FUGU_PROCESSES_MAX)

/* Connections that the hub accepts before it looks at its guests again. */
#define ACCEPTS_MAX     16

/* Length of the listener's queue; the host may allow less. */
#define BACKLOG         1024

/* The hub reports only this many refusals, so that they cannot fill a log. */
#define REFUSALS_TOLD   20

/* All guests, the oldest first. */
struct LinkLobby {
    Guest guest[GUESTS_MAX];
    unsigned n;
    int listener;               /* a socket that does not block */
};

static void guest_send(Guest *g, unsigned type, const void *data, size_t n)
{
    size_t at = link_begin(&g->pipe->out, type);

    link_put_bytes(&g->pipe->out, data, n);
    link_finish(&g->pipe->out, at);
}

static void tell_refusal(LinkJoin *j, const char *why)
{
    if (++j->refusals <= REFUSALS_TOLD) {
        error_printf("fugu: refused a process that wanted to join: %s\n", why);
    } else if (j->refusals == REFUSALS_TOLD + 1) {
        error_printf("fugu: refused more of them; further refusals are not "
                     "reported\n");
    }
}

/* Refuses a guest. Always returns false, for hear_guest(). */
static bool refuse(LinkJoin *j, Guest *g, const char *why)
{
    tell_refusal(j, why);
    guest_send(g, FUGU_FRAME_REFUSE, why, strlen(why));
    link_pipe_flush(g->pipe);
    return false;
}

/* Handles HELLO. Returns as hear_guest() does. */
static bool hear_hello(LinkJoin *j, Guest *g, LinkReader r)
{
    uint8_t challenge[FUGU_LINK_CHALLENGE_BYTES];
    const char *wrong = link_get_hello(r, &g->hello);

    if (wrong && g->hello.version != FUGU_LINK_VERSION && g->hello.version) {
        g_autofree char *text =
            g_strdup_printf("it speaks version %u of the protocol, the hub "
                            "version %u", g->hello.version, FUGU_LINK_VERSION);
        return refuse(j, g, text);
    }
    if (wrong) {
        g_autofree char *text = g_strdup_printf("it sent %s", wrong);

        return refuse(j, g, text);
    }
    link_random_bytes(g->nonce, sizeof(g->nonce));
    memcpy(challenge, g->nonce, sizeof(g->nonce));
    link_prove(j, 'H', g->nonce, &g->hello,
               challenge + FUGU_LINK_NONCE_BYTES);
    guest_send(g, FUGU_FRAME_CHALLENGE, challenge, sizeof(challenge));
    g->greeted = true;
    return link_pipe_flush(g->pipe) == LINK_DONE;
}

/* Removes guest @i from the lobby, and closes its pipe unless it is a peer. */
static void show_out(LinkLobby *lobby, unsigned i)
{
    link_pipe_free(lobby->guest[i].pipe);
    lobby->n--;
    memmove(&lobby->guest[i], &lobby->guest[i + 1],
            (lobby->n - i) * sizeof(Guest));
}

/*
 * Removes the oldest guest that has not greeted, or the oldest guest if all
 * have greeted. A peer greets as soon as it has connected, and connects again
 * if it was removed (connect.c). So strangers cannot keep our peers out,
 * neither by silence nor by many connections. Caller must have checked that
 * there is a guest.
 */
static void make_room(LinkLobby *lobby)
{
    unsigned i = 0;

    while (i < lobby->n && lobby->guest[i].greeted) {
        i++;
    }
    show_out(lobby, i < lobby->n ? i : 0);
}

static void let_in(LinkLobby *lobby)
{
    for (unsigned i = 0; i < ACCEPTS_MAX; i++) {
        int fd = qemu_accept(lobby->listener, NULL, NULL);

        if (fd < 0 && (errno == EMFILE || errno == ENFILE) && lobby->n) {
            /* No descriptor is left: removing a guest frees one. */
            make_room(lobby);
            continue;
        }
        if (fd < 0) {
            return;
        }
        if (lobby->n == GUESTS_MAX) {
            make_room(lobby);
        }
        link_tune_tcp(fd);
        lobby->guest[lobby->n++] = (Guest) { .pipe = link_pipe_new(fd) };
    }
}

/*
 * Ends the run, and tells peers and guests why. A guest may be one of our own
 * processes that is just joining; it would report the hub as gone otherwise.
 */
static void G_NORETURN end_join(LinkJoin *j, unsigned process, const char *how)
{
    LinkLobby *lobby = j->lobby;
    LinkAbort abort = { .process = process, .status = FUGU_STATUS_PEER };

    fugu_link_fault(j->link, process, how);
    g_strlcpy(abort.text, how, sizeof(abort.text));
    for (unsigned i = 0; i < FUGU_PROCESSES_MAX; i += ACCEPTS_MAX) {
        let_in(lobby);
    }
    for (unsigned i = 0; i < lobby->n; i++) {
        LinkPipe *p = lobby->guest[i].pipe;
        size_t at = link_begin(&p->out, FUGU_FRAME_ABORT);

        link_put_abort(&p->out, &abort);
        link_finish(&p->out, at);
        link_pipe_flush(p);
    }
    exit(FUGU_STATUS_PEER);
}

/* Ends the run if a process that knows the secret has other parameters. */
static void check_params(LinkJoin *j, Guest *g)
{
    g_autofree char *how = link_difference(j, g->hello.params);

    if (how) {
        guest_send(g, FUGU_FRAME_REFUSE, how, strlen(how));
        link_pipe_flush(g->pipe);
        end_join(j, g->hello.process, how);
    }
}

/* Sends one byte, which carries @fd. */
static bool send_descriptor(int socket, int fd)
{
    char byte = 0, control[CMSG_SPACE(sizeof(fd))] = { 0 };
    struct iovec iov = { &byte, 1 };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1,
        .msg_control = control, .msg_controllen = sizeof(control),
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(fd));
    memcpy(CMSG_DATA(c), &fd, sizeof(fd));
    return sendmsg(socket, &msg, MSG_NOSIGNAL) == 1;
}

/* Makes a peer of a guest. Always returns false, for hear_guest(). */
static bool welcome(LinkJoin *j, Guest *g)
{
    bool rings = j->m->options.transport == FUGU_TRANSPORT_SHM;
    uint8_t where[2] = { 0, rings ? FUGU_LINK_RINGS : FUGU_LINK_SOCKET };

    guest_send(g, FUGU_FRAME_WELCOME, where, sizeof(where));
    if (link_pipe_flush(g->pipe) != LINK_DONE) {
        return false;
    }
    if (rings) {
        int fd;
        LinkRings *memory = link_rings_new(&fd, &error_fatal);
        bool sent = send_descriptor(g->pipe->fd, fd);

        close(fd);
        if (!sent) {
            return false;
        }
        link_pipe_use_rings(g->pipe, memory, true);
    }
    link_joined(g->pipe);
    j->link->pipe[g->hello.process] = g->pipe;
    g->pipe = NULL;
    return false;
}

/* Handles PROOF. Returns as hear_guest() does. */
static bool hear_proof(LinkJoin *j, Guest *g, LinkReader r)
{
    uint8_t proof[FUGU_LINK_PROOF_BYTES];
    unsigned process = g->hello.process;

    link_prove(j, 'P', g->nonce, &g->hello, proof);
    if (r.left != sizeof(proof) || !link_proofs_equal(proof, r.data)) {
        return refuse(j, g, "it does not know the secret");
    }
    if (process == 0 || process >= j->m->options.processes) {
        return refuse(j, g, "this machine has no process with its number");
    }
    if (j->link->pipe[process]) {
        return refuse(j, g, "a process with its number is here already");
    }
    check_params(j, g);
    return welcome(j, g);
}

/*
 * Handles what a guest has sent. Returns false if the guest has to leave the
 * lobby: it is a peer now, was refused, or has hung up.
 */
static bool hear_guest(LinkJoin *j, Guest *g)
{
    unsigned type;
    LinkReader r;

    switch (link_pipe_receive(g->pipe, &type, &r)) {
    case LINK_AGAIN:
        return true;
    case LINK_GONE:
        j->departed++;
        return false;
    case LINK_NONSENSE:
        return refuse(j, g, "it sent no greeting");
    case LINK_DONE:
        break;
    }
    if (!g->greeted && type == FUGU_FRAME_HELLO) {
        return hear_hello(j, g, r);
    }
    if (g->greeted && type == FUGU_FRAME_PROOF) {
        return hear_proof(j, g, r);
    }
    return refuse(j, g, "it sent a frame that does not belong there");
}

/* Returns the number of peers that are missing, and the first in *@first. */
static unsigned count_missing(LinkJoin *j, unsigned *first)
{
    unsigned count = 0;

    for (unsigned i = j->m->options.processes - 1; i > 0; i--) {
        if (!j->link->pipe[i]) {
            *first = i;
            count++;
        }
    }
    return count;
}

/*
 * Waits for a moment, or until a process connects or a guest sends something.
 * Returns false if the deadline has passed. Ends the run if a peer has hung
 * up. What a peer sends before all others are here is read later.
 */
static bool wait_at_door(LinkJoin *j)
{
    LinkLobby *lobby = j->lobby;
    struct pollfd fds[FUGU_PROCESSES_MAX + GUESTS_MAX];
    unsigned n = j->m->options.processes;

    fds[0] = (struct pollfd) { lobby->listener, POLLIN };
    for (unsigned i = 1; i < n; i++) {
        LinkPipe *p = j->link->pipe[i];

        fds[i] = (struct pollfd) { p ? p->fd : -1, POLLRDHUP };
    }
    for (unsigned i = 0; i < lobby->n; i++) {
        fds[n + i] = (struct pollfd) { lobby->guest[i].pipe->fd, POLLIN };
    }
    if (!link_poll(j, fds, n + lobby->n)) {
        return link_ms_left(j) > 0;
    }
    for (unsigned i = 1; i < n; i++) {
        if (fds[i].revents) {
            end_join(j, i, "has gone");
        }
    }
    return true;
}

/*
 * Returns true if a child process that is a peer has ended. The launcher starts
 * the processes of this host before it becomes the hub, so they are our
 * children, as may be others that a shell had started before. With TCP the hub
 * cannot tell the connection of such a process from a stranger's.
 */
static bool peer_has_died(const FuguMachineState *m)
{
    const char *p = m->options.link_children ?: "";
    unsigned pid;

    while (*p && qemu_strtoui(p, &p, 10, &pid) == 0) {
        siginfo_t child = { 0 };

        if (waitid(P_PID, pid, &child, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            child.si_pid != 0) {
            return true;
        }
        p += *p == '+';
    }
    return false;
}

/* Waits until all peers are here, or ends the run. */
static void hub_join(LinkJoin *j, int listener)
{
    g_autofree LinkLobby *lobby = g_new0(LinkLobby, 1);
    unsigned count, missing;

    qemu_socket_set_nonblock(listener);
    lobby->listener = listener;
    j->lobby = lobby;
    while ((count = count_missing(j, &missing)) > 0) {
        if ((j->among_ourselves && j->departed == count) || peer_has_died(j->m)) {
            /* The peer has ended before it could send HELLO. */
            end_join(j, missing, "has gone");
        }
        if (!wait_at_door(j)) {
            g_autofree char *how = g_strdup_printf("did not come within %s",
                                                   link_bound_text(j));

            end_join(j, missing, how);
        }
        let_in(lobby);
        for (unsigned i = lobby->n; i-- > 0;) {
            if (!hear_guest(j, &lobby->guest[i])) {
                show_out(lobby, i);
            }
        }
    }
    while (lobby->n > 0) {
        show_out(lobby, 0);
    }
    j->lobby = NULL;
}

void link_accept_peers(LinkJoin *j, SocketAddress *addr)
{
    Error *err = NULL;
    int listener = socket_listen(addr, BACKLOG, &err);

    if (listener < 0) {
        link_give_up("cannot listen at %s: %s", j->m->options.link_address,
                     error_get_pretty(err));
    }
    j->among_ourselves = addr->type == SOCKET_ADDRESS_TYPE_FD &&
                         j->m->options.transport != FUGU_TRANSPORT_TCP;
    hub_join(j, listener);
    socket_listen_cleanup(listener, NULL);
    close(listener);
}
