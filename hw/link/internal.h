/*
 * The link: what link.c does for hub.c and peer.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_INTERNAL_H
#define FUGU_LINK_INTERNAL_H

#include "hw/fugu/link/link.h"

/* Returns false if @result, of a call on that pipe, ends the run. */
bool link_goes_on(FuguLink *link, unsigned pipe, LinkResult result);
/* Send what is to be sent, if it goes at once; false if the run ends. */
bool link_flush_all(FuguLink *link);
/* Nothing has come: READY when it is time to look again. */
FuguLinkResult link_pass_time(FuguLink *link);

/* No processor runs any more; QEMU ends with @status. */
void link_leave(FuguLink *link, uint32_t status);
/* Another process says why the run ends. */
void link_hear_abort(FuguLink *link, unsigned process, LinkReader r);
void link_nonsense(FuguLink *link, unsigned process, const char *what);

void link_send_packet(LinkBuffer *b, const FuguPacket *p);
/* Enter it where messages and where credits are entered: NULL, or what is
 * wrong. */
const char *link_enter(LinkAccount *messages, LinkAccount *credits,
                       const FuguPacket *p);
/* Returns NULL and the packet, or what is wrong with it. */
const char *link_take_packet(FuguHub *hub, LinkReader *r,
                             const LinkRules *rules, FuguPacket **packet);

#endif /* FUGU_LINK_INTERNAL_H */
