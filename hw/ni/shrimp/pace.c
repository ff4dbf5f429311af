/*
 * The SHRIMP network interface: what is due happens, at its time
 *
 * Four things move packets on the way out: a credit comes, the link becomes free,
 * the engine has read a packet, the open packet closes. Each has its exact time.
 * They happen in the order of time; what has the same time has the same result in
 * each order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/ni/shrimp/engine.h"
#include "hw/fugu/ni/shrimp/incoming.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/pace.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/flags.h"

/* Packets can leave the FIFO at time @at, and others then enter it. */
static void move(ShrimpNI *ni, int64_t at)
{
    shrimp_out_pump(ni, at);
    shrimp_engine_retry(ni, at);
}

/* The open packet closes at time @at. It may leave at once, and make room. */
static void close_open(ShrimpNI *ni, int64_t at)
{
    shrimp_merge_close(ni, at);
    shrimp_engine_retry(ni, at);
}

/* ---- Events --------------------------------------------------------------- */

/* An event fires when its time is past. So the time comes from the state. */

static void link_is_free(void *opaque)
{
    ShrimpNI *ni = opaque;

    move(ni, ni->out.free);
    fugu_system_update(&ni->parent_obj);
}

static void engine_has_read(void *opaque)
{
    ShrimpNI *ni = opaque;

    shrimp_engine_read(ni, ni->engine.due);
    fugu_system_update(&ni->parent_obj);
}

static void credited(FuguSystemNI *system, const FuguPacket *credit)
{
    ShrimpNI *ni = shrimp_of(system);

    shrimp_out_credited(ni, credit->source);
    move(ni, credit->arrival);
}

static void entered(FuguSystemNI *system, FuguPacket *packet, int64_t time)
{
    shrimp_in_entered(shrimp_of(system), packet, time);
}

static void merged_no_more(void *opaque)
{
    ShrimpNI *ni = opaque;

    close_open(ni, ni->open.deadline);
    fugu_system_update(&ni->parent_obj);
}

/* ---- The processor looks --------------------------------------------------- */

void shrimp_settle(ShrimpNI *ni)
{
    int64_t now = fugu_node_time(ni->node);

    for (;;) {
        int64_t credit = fugu_channel_next_credit(&ni->main, now);
        int64_t link = ni->out.inject.time, read = ni->engine.read.time;
        int64_t close = ni->open.close.time;
        int64_t first = MIN(MIN(credit, link), MIN(read, close));

        if (first > now) {
            return;
        }
        if (credit == first) {
            fugu_channel_take_credit(&ni->main);
        } else if (link == first) {
            move(ni, link);
        } else if (close == first) {
            close_open(ni, close);
        } else {
            shrimp_engine_read(ni, read);
        }
        fugu_system_update(&ni->parent_obj);
    }
}

void shrimp_pace_init(ShrimpNI *ni)
{
    fugu_event_init(ni->node, &ni->out.inject, link_is_free, ni);
    fugu_event_init(ni->node, &ni->engine.read, engine_has_read, ni);
    fugu_event_init(ni->node, &ni->open.close, merged_no_more, ni);
    ni->main.credited = credited;
    ni->main.entered = entered;
}
