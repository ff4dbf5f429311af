/*
 * The link: rounds and the end, a peer's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_PEER_SIDE_H
#define FUGU_LINK_PEER_SIDE_H

#include "hw/fugu/link/link.h"

/*
 * Tells the hub the outlook and packets of this round, once, and waits for the
 * start of the next round, which it stores in *@start.
 */
FuguLinkResult fugu_link_meet(FuguLink *link, const FuguOutlook *o,
                              int64_t *start);
/* Keeps console output for the hub, which writes it: the method print() of
 * FuguRemote. */
void link_print(FuguRemote *remote, bool error, const uint8_t *data,
                size_t len);

#endif /* FUGU_LINK_PEER_SIDE_H */
