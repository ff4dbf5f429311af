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
 * FuguHub, writes their console output, and notes their outlooks.
 */
FuguLinkResult fugu_link_collect(FuguLink *link);
/*
 * Returns true if EARLY was sent and the round is quiet: the peer has begun
 * the next round then, without GO. To be called once a round.
 */
bool fugu_link_went_early(FuguLink *link);
/* Adds to *@o what the peers are going to do: their outlooks, and the arrival of
 * the packets that GO is to take along. */
void fugu_link_add_peers(const FuguLink *link, FuguOutlook *o);
/* Tells all peers that the next round starts at @start, and what arrives. */
void fugu_link_go(FuguLink *link, int64_t start);
/*
 * Returns true if the peers have nothing to do before the end of the round that
 * starts at @start, by what is known of them.
 */
bool fugu_link_peers_idle(const FuguLink *link, int64_t start);
/*
 * Notes that the hub runs the round that starts at @start alone, and returns
 * true, if the peers have nothing to do in it. They wait until a later
 * fugu_link_go(), and then skip what was before. To be called in place of
 * fugu_link_go(). From time to time it returns false, so that hub and peers meet.
 */
bool fugu_link_go_alone(FuguLink *link, int64_t start);
/* Returns true if the hub has run this round alone. */
bool fugu_link_is_alone(const FuguLink *link);
/*
 * In place of fugu_link_collect() after a round that the hub has run alone:
 * enters the packets of the hub's nodes in the account. Those for peers go with
 * the next GO.
 */
void fugu_link_pass_alone(FuguLink *link);
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
