/*
 * The link: rounds and the end, the hub's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_HUB_SIDE_H
#define FUGU_LINK_HUB_SIDE_H

#include "hw/fugu/link/link.h"

/*
 * Notes that this process has run the round. Returns true for the first call
 * in a round.
 */
bool fugu_link_round_run(FuguLink *link);
/*
 * Tells a single peer that the next round starts at @start unless the peer has
 * something to say (EARLY in wire/protocol.h). To be called at most once a
 * round, when the hub's own nodes have run it and have sent nothing.
 */
void fugu_link_early(FuguLink *link, int64_t start);
/*
 * Collects what all peers have sent in this round: hands their packets to the
 * FuguHub, writes their console output, and adds their outlooks to *@o.
 */
FuguLinkResult fugu_link_collect(FuguLink *link, FuguOutlook *o);
/*
 * Returns true if EARLY was sent and the round is quiet: the peer has begun
 * the next round then, without GO. To be called once a round.
 */
bool fugu_link_went_early(FuguLink *link);
/* Returns the earliest arrival of the packets that GO is to take along, or
 * FUGU_NEVER. */
int64_t fugu_link_next_arrival(const FuguLink *link);
/* Tells all peers that the next round starts at @start, and what arrives. */
void fugu_link_go(FuguLink *link, int64_t start);
/*
 * At the end of the machine, in this order: fugu_link_finish() asks the peers
 * once for the states of their nodes, and for notes on them if @notes is set.
 * fugu_link_collect_nodes() stores the states in @nodes and the notes, which
 * are texts, in @notes, both by node number. fugu_link_end() ends all
 * processes with @status.
 */
void fugu_link_finish(FuguLink *link, bool notes);
FuguLinkResult fugu_link_collect_nodes(FuguLink *link, FuguNodeStatus *nodes,
                                       GPtrArray *notes);
void fugu_link_end(FuguLink *link, uint32_t status);

/* Takes a packet for a node of another process, to be sent with GO: the
 * method deliver() of FuguRemote. */
void link_deliver(FuguRemote *remote, FuguPacket *packet);

#endif /* FUGU_LINK_HUB_SIDE_H */
