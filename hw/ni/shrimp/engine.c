/*
 * The SHRIMP network interface: the engine for deliberate update (see engine.h)
 *
 * The engine fills the Outgoing FIFO up to the threshold only. So it never
 * interrupts the processor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/transfer.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/shrimp/engine.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/packet.h"
#include "hw/fugu/ni/system/check.h"

/* Returns the bytes of the next packet. */
static uint32_t packet_bytes(const ShrimpNI *ni)
{
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, ni->engine.next);

    return MIN(4 * ni->engine.left, MIN(ni->packet_max, route.bytes));
}

/* Reports a command's begin or end. */
static void show(ShrimpNI *ni, int64_t at)
{
    if (ni->node->seen) {
        fugu_seen_engine(ni->node->seen, at, ni->engine.asked, ni->engine.left);
    }
}

/* The bus reads the next packet from time @at on. */
static void schedule(ShrimpNI *ni, int64_t at)
{
    ni->engine.due = at + (int64_t)packet_bytes(ni) / 4 *
                          ni->node->machine->options.dma_word;
    fugu_event_set(ni->node, &ni->engine.read, ni->engine.due);
}

static bool has_room(const ShrimpNI *ni)
{
    uint32_t used = ni->out.words + shrimp_open_words(ni);
    uint32_t words = FUGU_SHRIMP_OVERHEAD + packet_bytes(ni) / 4;

    return used + words <= ni->out.threshold || used == 0;
}

static void put_packet(ShrimpNI *ni, int64_t at)
{
    ShrimpEngine *e = &ni->engine;
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, e->next);
    uint8_t data[SHRIMP_PACKET_MAX];
    uint32_t bytes = packet_bytes(ni), from = e->next;

    address_space_read(CPU(&ni->node->cpu)->as, e->next,
                       MEMTXATTRS_UNSPECIFIED, data, bytes);
    fugu_transfer_read(ni->node, e->next, bytes);
    e->next += bytes;
    e->left -= bytes / 4;
    shrimp_merge_close(ni, at);
    shrimp_out_put(ni, shrimp_packet_new(ni, &route, from, data, bytes,
                                         e->asked), at);
    if (e->left) {
        schedule(ni, at);
    } else {
        show(ni, at);
    }
}

void shrimp_engine_start(ShrimpNI *ni, uint32_t addr, uint32_t words,
                         int64_t at)
{
    ShrimpEngine *e = &ni->engine;

    e->base = addr;
    e->next = addr;
    e->left = words;
    e->asked = at;
    e->gid = ni->parent_obj.gid;
    show(ni, at);
    schedule(ni, at);
}

void shrimp_engine_read(ShrimpNI *ni, int64_t at)
{
    fugu_event_set(ni->node, &ni->engine.read, FUGU_NEVER);
    if (has_room(ni)) {
        put_packet(ni, at);
    } else {
        ni->engine.waits = true;
    }
}

void shrimp_engine_retry(ShrimpNI *ni, int64_t at)
{
    if (ni->engine.waits && has_room(ni)) {
        ni->engine.waits = false;
        put_packet(ni, at);
    }
}

void shrimp_engine_stop(ShrimpNI *ni, uint32_t page, uint32_t from, uint32_t to)
{
    uint32_t base = ni->engine.base % SHRIMP_PAGE;

    if (page == shrimp_engine_page(ni) && base >= from && base < to) {
        ni->engine.left = 0;
        ni->engine.waits = false;
        fugu_event_set(ni->node, &ni->engine.read, FUGU_NEVER);
        show(ni, fugu_node_time(ni->node));
    }
}

uint32_t shrimp_engine_page(const ShrimpNI *ni)
{
    uint32_t page;

    return ni->engine.left && shrimp_nipt_page(&ni->nipt, ni->engine.base, &page)
           ? page : FUGU_SHRIMP_NO_PAGE;
}

const char *shrimp_engine_check(const ShrimpNI *ni)
{
    const ShrimpEngine *e = &ni->engine;
    bool reads = e->read.time != FUGU_NEVER;

    FUGU_REQUIRE(e->base % 4 == 0 && e->next % 4 == 0);
    FUGU_REQUIRE(!e->left == (!reads && !e->waits));
    FUGU_REQUIRE(!reads || e->read.time == e->due);
    FUGU_REQUIRE(!e->waits || !has_room(ni));
    if (e->left) {
        ShrimpRoute route = shrimp_nipt_route(&ni->nipt, e->next);

        FUGU_REQUIRE(e->base / SHRIMP_PAGE == e->next / SHRIMP_PAGE);
        FUGU_REQUIRE(route.mode == FUGU_NIPT_DELIBERATE);
        FUGU_REQUIRE(e->left <= route.part_bytes / 4);
    }
    return NULL;
}

/* ---- State --------------------------------------------------------------- */

void shrimp_engine_reset(ShrimpNI *ni)
{
    ShrimpEngine *e = &ni->engine;

    e->left = 0;
    e->base = 0;
    e->next = 0;
    e->waits = false;
    e->asked = 0;
    e->gid = 0;
    e->due = 0;
    fugu_event_set(ni->node, &e->read, FUGU_NEVER);
}

const VMStateDescription vmstate_shrimp_engine = {
    .name = "shrimp-ni/engine",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(left, ShrimpEngine),
        VMSTATE_UINT32(base, ShrimpEngine),
        VMSTATE_UINT32(next, ShrimpEngine),
        VMSTATE_BOOL(waits, ShrimpEngine),
        VMSTATE_INT64(asked, ShrimpEngine),
        VMSTATE_UINT32(gid, ShrimpEngine),
        VMSTATE_INT64(due, ShrimpEngine),
        VMSTATE_END_OF_LIST()
    }
};
