/*
 * The link: connecting and the handshake; between its three files
 *
 *   join.c     what both sides share
 *   accept.c   the hub's side
 *   connect.c  a peer's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_JOIN_H
#define FUGU_LINK_JOIN_H

#include <poll.h>
#include "qapi/qapi-types-sockets.h"
#include "hw/fugu/link/link.h"
#include "hw/fugu/board/machine.h"

typedef struct LinkJoin {
    FuguLink *link;
    FuguMachineState *m;
    int64_t deadline;           /* as g_get_monotonic_time() */
    uint8_t *secret;            /* empty if there is none */
    size_t secret_len;
    uint64_t params[FUGU_LINK_PARAMS];

    /* Hub: nobody but our peers has a way in, and so many have left. */
    bool among_ourselves;
    unsigned departed;
    unsigned refusals;
} LinkJoin;

/* Exit with a message. */
void G_GNUC_PRINTF(1, 2) G_NORETURN link_give_up(const char *fmt, ...);
/* Until the bound. The bound itself, for messages: "10 s". */
int link_ms_left(LinkJoin *j);
const char *link_bound_text(LinkJoin *j);
/*
 * As poll(), but only for a moment: false if nothing came, or it is too late.
 * Exits on a signal, which nobody else looks for yet.
 */
bool link_poll(LinkJoin *j, struct pollfd *fds, unsigned n);
void link_check_signal(void);

/* How a peer's parameters differ from ours, or NULL. */
char *link_difference(LinkJoin *j, const uint64_t *theirs);

void link_random_bytes(uint8_t *data, size_t n);
/* @side is 'H' or 'P': wire/protocol.h. */
void link_prove(LinkJoin *j, char side, const uint8_t *hub_nonce,
                const LinkHello *hello, uint8_t proof[FUGU_LINK_PROOF_BYTES]);
bool link_proofs_equal(const uint8_t *a, const uint8_t *b);

/* Small frames at once, and a peer's host that is dead is found out. */
void link_tune_tcp(int fd);
/* The handshake is over: @p takes frames of any length, and ahead. */
void link_joined(LinkPipe *p);

/* Fill in @j->link->pipe, or exit with a message. */
void link_accept_peers(LinkJoin *j, SocketAddress *addr);
void link_connect_to_hub(LinkJoin *j, SocketAddress *addr);

#endif /* FUGU_LINK_JOIN_H */
