/*
 * The link: connecting and the handshake, the hub's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_ACCEPT_H
#define FUGU_LINK_ACCEPT_H

#include "hw/fugu/link/join.h"

/* Accepts all peers at @addr, and fills in @j->link->pipe. Exits with a
 * message if that fails. */
void link_accept_peers(LinkJoin *j, SocketAddress *addr);

#endif /* FUGU_LINK_ACCEPT_H */
