/*
 * The link: connecting and the handshake, a peer's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "io/channel-socket.h"
#include "qapi/clone-visitor.h"
#include "qapi/error.h"
#include "qapi/qapi-visit-sockets.h"
#include "qemu/sockets.h"
#include "hw/fugu/link/connect.h"

/*
 * Returns the hub's name for messages, with its address if there is one. A
 * socket that the launcher has handed over has no address.
 */
static const char *hub_text(LinkJoin *j)
{
    return g_str_has_prefix(j->m->options.link_address, "fd:") ? "the hub" :
           g_strdup_printf("the hub at %s", j->m->options.link_address);
}

typedef struct Attempt {
    bool done;
    Error *err;
} Attempt;

static void connected(QIOTask *task, gpointer opaque)
{
    Attempt *a = opaque;

    a->done = true;
    qio_task_propagate_error(task, &a->err);
}

/*
 * Tries to connect once. Returns the socket, or -1 with @errp. Exits when the
 * deadline has passed, even if the hub's host has not answered by then.
 */
static int try_to_connect(LinkJoin *j, SocketAddress *addr, Error **errp)
{
    GMainContext *context = g_main_context_new();
    QIOChannelSocket *channel = qio_channel_socket_new();
    Attempt a = { 0 };
    int fd;

    qio_channel_socket_connect_async(channel, addr, connected, &a, NULL,
                                     context);
    while (!a.done) {
        if (!g_main_context_iteration(context, false)) {
            g_usleep(1000);
        }
        link_check_signal();
        if (link_ms_left(j) == 0) {
            link_give_up("%s did not answer within %s", hub_text(j),
                         link_bound_text(j));
        }
    }
    fd = a.err ? -1 : dup(channel->fd);
    error_propagate(errp, a.err);
    object_unref(OBJECT(channel));
    g_main_context_unref(context);
    return fd;
}

/* Milliseconds between two tries. */
#define RETRY_MS        50

/* Waits for the next try. Returns false if there is no time for one. */
static bool can_retry(LinkJoin *j)
{
    if (link_ms_left(j) < RETRY_MS) {
        return false;
    }
    g_usleep(RETRY_MS * 1000);
    return true;
}

/*
 * Tries to connect until the deadline, because the hub may still be starting.
 * Returns the socket, or exits. With @again this process has reached the hub
 * before: if no hub listens now, the hub has gone, and this process exits.
 */
static int connect_to_hub(LinkJoin *j, SocketAddress *addr, bool again)
{
    while (true) {
        Error *err = NULL;
        int fd = try_to_connect(j, addr, &err);

        if (fd >= 0) {
            link_tune_tcp(fd);
            return fd;
        }
        if (again) {
            link_give_up("%s hung up", hub_text(j));
        }
        if (!can_retry(j)) {
            link_give_up("cannot reach %s within %s: %s", hub_text(j),
                         link_bound_text(j), error_get_pretty(err));
        }
        error_free(err);
    }
}

static void wait_for_hub(LinkJoin *j, LinkPipe *p)
{
    struct pollfd fd = { p->fd, POLLIN };

    while (!link_poll(j, &fd, 1)) {
        if (link_ms_left(j) == 0) {
            link_give_up("%s did not answer within %s", hub_text(j),
                         link_bound_text(j));
        }
    }
}

/*
 * Waits for a frame of type @expected, and sets *@r to its payload. Returns
 * false if the hub has hung up. Exits if another frame comes; the hub may say
 * with ABORT or REFUSE why.
 */
static bool hear_hub(LinkJoin *j, LinkPipe *p, unsigned expected,
                     LinkReader *r)
{
    char text[FUGU_LINK_TEXT_MAX + 1];
    LinkResult result;
    unsigned type = 0;

    while ((result = link_pipe_receive(p, &type, r)) == LINK_AGAIN) {
        wait_for_hub(j, p);
    }
    if (result == LINK_GONE) {
        return false;
    }
    if (result == LINK_DONE && type == FUGU_FRAME_REFUSE) {
        link_get_text(*r, text);
        link_give_up("%s refused this process: %s", hub_text(j), text);
    }
    if (result == LINK_DONE && type == FUGU_FRAME_ABORT) {
        link_hear_abort(j->link, 0, *r);
        exit(FUGU_STATUS_PEER);
    }
    if (result == LINK_NONSENSE || type != expected) {
        link_give_up("%s sent nonsense", hub_text(j));
    }
    return true;
}

/*
 * Checks the hub's proof and sends PROOF. Returns false if the hub has hung
 * up.
 */
static bool peer_prove(LinkJoin *j, LinkPipe *p, const LinkHello *hello)
{
    uint8_t nonce[FUGU_LINK_NONCE_BYTES], proof[FUGU_LINK_PROOF_BYTES];
    LinkReader r;
    size_t at;

    if (!hear_hub(j, p, FUGU_FRAME_CHALLENGE, &r)) {
        return false;
    }
    if (r.left != FUGU_LINK_CHALLENGE_BYTES) {
        link_give_up("%s sent nonsense", hub_text(j));
    }
    memcpy(nonce, r.data, sizeof(nonce));
    link_prove(j, 'H', nonce, hello, proof);
    if (!link_proofs_equal(proof, r.data + sizeof(nonce))) {
        link_give_up("%s has another secret", hub_text(j));
    }
    link_prove(j, 'P', nonce, hello, proof);
    at = link_begin(&p->out, FUGU_FRAME_PROOF);
    link_put_bytes(&p->out, proof, sizeof(proof));
    link_finish(&p->out, at);
    link_pipe_flush(p);
    return true;
}

/*
 * Reads one byte and returns the file descriptor that it carries. Returns -1
 * with errno = EAGAIN if no byte has come yet, and -1 with another errno if
 * there is no descriptor.
 */
static int receive_descriptor(int socket)
{
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec iov = { &byte, 1 };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1,
        .msg_control = control, .msg_controllen = sizeof(control),
    };
    struct cmsghdr *c;
    int fd;

    if (recvmsg(socket, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1) {
        return -1;
    }
    errno = 0;
    c = CMSG_FIRSTHDR(&msg);
    if (!c || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len != CMSG_LEN(sizeof(fd))) {
        return -1;
    }
    memcpy(&fd, CMSG_DATA(c), sizeof(fd));
    return fd;
}

/* Receives the memory for the rings, and switches the pipe over to them. */
static void peer_take_rings(LinkJoin *j, LinkPipe *p)
{
    Error *err = NULL;
    LinkRings *rings;
    int fd;

    while ((fd = receive_descriptor(p->fd)) < 0 && errno == EAGAIN) {
        wait_for_hub(j, p);
    }
    if (fd < 0) {
        link_give_up("%s gave no memory for the rings", hub_text(j));
    }
    rings = link_rings_map(fd, &err);
    if (!rings) {
        link_give_up("%s: %s", hub_text(j), error_get_pretty(err));
    }
    close(fd);
    link_pipe_use_rings(p, rings, false);
}

/* Does the handshake. Returns false if the hub has hung up meanwhile. */
static bool peer_join(LinkJoin *j, LinkPipe *p)
{
    LinkHello hello = {
        .version = FUGU_LINK_VERSION,
        .process = j->m->options.process,
    };
    size_t at = link_begin(&p->out, FUGU_FRAME_HELLO);
    uint16_t where = 0;
    LinkReader r;

    link_random_bytes(hello.nonce, sizeof(hello.nonce));
    memcpy(hello.params, j->params, sizeof(hello.params));
    link_put_hello(&p->out, &hello);
    link_finish(&p->out, at);
    /* If the hub has hung up, hear_hub() reads what it said before. */
    link_pipe_flush(p);
    if (!peer_prove(j, p, &hello) ||
        !hear_hub(j, p, FUGU_FRAME_WELCOME, &r)) {
        return false;
    }
    link_get_u16(&r, &where);
    if (where == FUGU_LINK_RINGS) {
        peer_take_rings(j, p);
    }
    link_joined(p);
    return true;
}

/*
 * Returns the address for another connection to the hub, or NULL. The launcher
 * connects the processes of its own host and hands the sockets over. Such a
 * process can connect again only if the hub listens at a TCP port.
 */
static SocketAddress *address_again(LinkJoin *j, SocketAddress *addr,
                                    LinkPipe *p)
{
    struct sockaddr_storage hub;
    socklen_t len = sizeof(hub);

    if (addr->type != SOCKET_ADDRESS_TYPE_FD) {
        return QAPI_CLONE(SocketAddress, addr);
    }
    if (j->m->options.transport != FUGU_TRANSPORT_TCP ||
        getpeername(p->fd, (struct sockaddr *)&hub, &len)) {
        return NULL;
    }
    return socket_sockaddr_to_address(&hub, len, NULL);
}

/*
 * Connects again if the hub hangs up: a hub with a full lobby closes some
 * connections, and a tunnel closes them while no hub listens at its other end.
 */
void link_connect_to_hub(LinkJoin *j, SocketAddress *addr)
{
    LinkPipe *p = link_pipe_new(connect_to_hub(j, addr, false));
    g_autoptr(SocketAddress) again = address_again(j, addr, p);

    while (!peer_join(j, p)) {
        link_pipe_free(p);
        if (!again || !can_retry(j)) {
            link_give_up("%s hung up", hub_text(j));
        }
        p = link_pipe_new(connect_to_hub(j, again, true));
    }
    j->link->pipe[0] = p;
}
