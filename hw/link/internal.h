/*
 * The link: functions of link.c for hub.c and peer.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_INTERNAL_H
#define FUGU_LINK_INTERNAL_H

#include "hw/fugu/link/link.h"

/*
 * Handles @result, which a call on pipe number @pipe has returned: ends the run
 * on GONE or NONSENSE. Returns false if the run is over.
 */
bool link_goes_on(FuguLink *link, unsigned pipe, LinkResult result);
/*
 * Sends as much as can be sent at once on all pipes. Returns false if the run
 * is over.
 */
bool link_flush_all(FuguLink *link);
/*
 * Waits for a moment after a look at the pipes that has found nothing. Returns
 * READY when it is time to look again.
 */
FuguLinkResult link_pass_time(FuguLink *link);

/* Stops all processors. QEMU's main loop then ends QEMU with @status. */
void link_leave(FuguLink *link, uint32_t status);
/* Handles ABORT, in which another process says why the run ends. */
void link_hear_abort(FuguLink *link, unsigned process, LinkReader r);
/* Ends the run because of a frame of @process that makes no sense. */
void link_nonsense(FuguLink *link, unsigned process, const char *what);

/* Appends a packet to a frame. */
void link_send_packet(LinkBuffer *b, const FuguPacket *p);
/*
 * Enters a packet in @messages if it is a message, in @credits if it is a
 * credit. Returns NULL, or what is wrong.
 */
const char *link_enter(LinkAccount *messages, LinkAccount *credits,
                       const FuguPacket *p);
/*
 * Reads a packet from a frame. Returns NULL and sets *@packet, or returns what
 * is wrong with the packet.
 */
const char *link_take_packet(FuguHub *hub, LinkReader *r,
                             const LinkRules *rules, FuguPacket **packet);

#endif /* FUGU_LINK_INTERNAL_H */
