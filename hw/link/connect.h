/*
 * The link: connecting and the handshake, a peer's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_CONNECT_H
#define FUGU_LINK_CONNECT_H

#include "hw/fugu/link/join.h"

/* Connects to the hub at @addr, and fills in @j->link->pipe[0]. Exits with a
 * message if that fails. */
void link_connect_to_hub(LinkJoin *j, SocketAddress *addr);

#endif /* FUGU_LINK_CONNECT_H */
