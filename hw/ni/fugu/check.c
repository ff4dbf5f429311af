/*
 * Checks of the FUGU network interface, for tests and for snapshots
 *
 * The conditions follow docs/machine.md. The checks call as little as possible
 * of the code that they check.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/fugu/check.h"
#include "hw/fugu/ni/system/check.h"

static const char *check_headers(const FuguPacketList *list)
{
    const FuguPacket *p;

    QTAILQ_FOREACH(p, list, next) {
        if (p->kind == FUGU_PACKET_MESSAGE) {
            FUGU_REQUIRE((p->words[0] & FUGU_HDR_NODE_MASK) == p->source);
            FUGU_REQUIRE(!(p->words[0] & FUGU_HDR_OWN_GID));
        }
    }
    return NULL;
}

static const char *check_messages(const FuguChannel *c)
{
    FUGU_REQUIRE_ALL(check_headers(&c->flight));
    FUGU_REQUIRE_ALL(check_headers(&c->blocked));
    FUGU_REQUIRE_ALL(check_headers(&c->queue));
    return check_headers(&c->departing);
}

static const char *check_descriptors(FuguNI *ni)
{
    FUGU_REQUIRE(ni->user.length <= FUGU_MSG_WORDS);
    FUGU_REQUIRE(ni->kernel.length <= FUGU_MSG_WORDS);
    FUGU_REQUIRE(ni->user.reserved <= ni->user.length);
    FUGU_REQUIRE(ni->kernel.reserved <= ni->kernel.length);
    FUGU_REQUIRE(ni->user.reserved + ni->kernel.reserved <= ni->main.space);
    return NULL;
}

static const char *check_dma(FuguNI *ni)
{
    FUGU_REQUIRE(!ni->dma_hides || ni->dma_event.time == ni->dma_until);
    FUGU_REQUIRE(ni->dma_event.time == FUGU_NEVER ||
                 ni->dma_event.time == ni->dma_until);
    FUGU_REQUIRE(ni->dma_addr % 4 == 0 && ni->dma_body % 4 == 0);
    return NULL;
}

/* The system part first: the rest relies on the form of packets. */
const char *fugu_ni_check(FuguNI *ni)
{
    FUGU_REQUIRE_ALL(fugu_system_check(&ni->parent_obj));
    FUGU_REQUIRE_ALL(check_messages(&ni->main));
    FUGU_REQUIRE_ALL(check_descriptors(ni));
    return check_dma(ni);
}
