/*
 * The link: what the three files for connecting and the handshake share
 *
 *   join.c     the part common to both sides
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
#include "hw/fugu/machine/machine.h"

typedef struct LinkLobby LinkLobby;     /* accept.c */

typedef struct LinkJoin {
    FuguLink *link;
    FuguMachineState *m;
    int64_t deadline;           /* microseconds; g_get_monotonic_time() gives
                                   the time now */
    uint8_t *secret;
    size_t secret_len;          /* bytes; 0 if there is no secret */
    uint64_t params[FUGU_LINK_PARAMS];          /* this process's parameters */

    /* Hub. */
    LinkLobby *lobby;           /* while it waits for its peers */
    bool among_ourselves;       /* only our peers can connect */
    unsigned departed;          /* connections that have hung up */
    unsigned refusals;          /* processes that the hub has refused */
} LinkJoin;

/* Fills in *@j: the bound, the secret, the parameters. The caller frees the
 * secret. Exits with a message if there is no such secret. */
void link_join_init(LinkJoin *j, FuguLink *link);

/* Exits with a message and FUGU_STATUS_PEER. */
void G_GNUC_PRINTF(1, 2) G_NORETURN link_give_up(const char *fmt, ...);
/* Returns the milliseconds until the deadline, or 0. */
int link_ms_left(LinkJoin *j);
/* Returns the machine's option link-timeout for messages, such as "10 s". */
const char *link_bound_text(LinkJoin *j);
/*
 * Calls poll() with a timeout of at most 50 ms. Returns false if no event has
 * come, or the deadline has passed. Exits on a signal, as link_check_signal()
 * does.
 */
bool link_poll(LinkJoin *j, struct pollfd *fds, unsigned n);
/*
 * Exits if a signal wants QEMU to end. QEMU's main loop, which does this later,
 * does not run yet.
 */
void link_check_signal(void);

/* Returns NULL, or text that says how a peer's parameters differ from ours. */
char *link_difference(LinkJoin *j, const uint64_t *theirs);

void link_random_bytes(uint8_t *data, size_t n);
/* Computes the proof of one side, 'H' or 'P', as wire/protocol.h defines it. */
void link_prove(LinkJoin *j, char side, const uint8_t *hub_nonce,
                const LinkHello *hello, uint8_t proof[FUGU_LINK_PROOF_BYTES]);
bool link_proofs_equal(const uint8_t *a, const uint8_t *b);

/*
 * Sets a TCP socket to send small frames at once, and to notice within seconds
 * that the other host is dead.
 */
void link_tune_tcp(int fd);
/*
 * After the handshake: lets the pipe take frames of any length, and read more
 * than one frame at a time.
 */
void link_joined(LinkPipe *p);

#endif /* FUGU_LINK_JOIN_H */
