/*
 * The SHRIMP network interface: the open packet of blocked-write (see merge.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/packet.h"
#include "hw/fugu/ni/system/check.h"

/* Returns the most bytes of a packet that begins at @addr. The first word may be
 * partly filled. */
static uint32_t most_bytes(const ShrimpNI *ni, uint32_t addr)
{
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, addr);

    return MIN(route.bytes, ni->packet_max - addr % 4);
}

bool shrimp_merge_takes(const ShrimpNI *ni, uint32_t addr, uint32_t size)
{
    const ShrimpOpen *open = &ni->open;

    return open->bytes && addr == open->addr + open->bytes &&
           open->bytes + size <= most_bytes(ni, open->addr);
}

void shrimp_merge_store(ShrimpNI *ni, uint32_t addr, const uint8_t *data,
                        uint32_t size, int64_t at)
{
    ShrimpOpen *open = &ni->open;

    if (!shrimp_merge_takes(ni, addr, size)) {
        shrimp_merge_close(ni, at);
        open->addr = addr;
    }
    memcpy(open->data + open->bytes, data, size);
    open->bytes += size;
    open->stored = at;
    if (ni->node->seen) {
        fugu_seen_merged(ni->node->seen, at, ni->out.sent + 1);
    }
    if (open->bytes == most_bytes(ni, open->addr)) {
        shrimp_merge_close(ni, at);
        return;
    }
    open->deadline = at + open->time;
    fugu_event_set(ni->node, &open->close, open->deadline);
}

void shrimp_merge_close(ShrimpNI *ni, int64_t at)
{
    ShrimpOpen *open = &ni->open;
    uint32_t bytes = open->bytes;
    ShrimpRoute route;

    if (!bytes) {
        return;
    }
    route = shrimp_nipt_route(&ni->nipt, open->addr);
    open->bytes = 0;
    fugu_event_set(ni->node, &open->close, FUGU_NEVER);
    shrimp_out_put(ni, shrimp_packet_new(ni, &route, open->addr, open->data,
                                         bytes, open->stored), at);
}

void shrimp_merge_close_page(ShrimpNI *ni, uint32_t page, int64_t at)
{
    uint32_t of;

    if (ni->open.bytes && shrimp_nipt_page(&ni->nipt, ni->open.addr, &of) &&
        of == page) {
        shrimp_merge_close(ni, at);
    }
}

/* ---- Checks and state ------------------------------------------------------ */

const char *shrimp_merge_check(const ShrimpNI *ni)
{
    const ShrimpOpen *open = &ni->open;
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, open->addr);

    FUGU_REQUIRE(open->time >= 1 && open->time <= FUGU_SHRIMP_MERGE_MAX);
    FUGU_REQUIRE(open->close.time == (open->bytes ? open->deadline
                                                  : FUGU_NEVER));
    FUGU_REQUIRE(!open->bytes || (route.mode == FUGU_NIPT_BLOCKED &&
                                  open->bytes < most_bytes(ni, open->addr)));
    FUGU_REQUIRE(ni->out.words + shrimp_open_words(ni) <= FUGU_SHRIMP_FIFO);
    return NULL;
}

void shrimp_merge_reset(ShrimpNI *ni)
{
    ShrimpOpen *open = &ni->open;

    open->bytes = 0;
    open->addr = 0;
    open->time = 32;
    open->stored = 0;
    open->deadline = 0;
    fugu_event_set(ni->node, &open->close, FUGU_NEVER);
}

static int open_post_load(void *opaque, int version)
{
    ShrimpOpen *open = opaque;

    return open->bytes <= SHRIMP_PACKET_MAX ? 0 : -EINVAL;
}

const VMStateDescription vmstate_shrimp_open = {
    .name = "shrimp-ni/open",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = open_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(bytes, ShrimpOpen),
        VMSTATE_UINT32(addr, ShrimpOpen),
        VMSTATE_UINT32(time, ShrimpOpen),
        VMSTATE_INT64(stored, ShrimpOpen),
        VMSTATE_INT64(deadline, ShrimpOpen),
        VMSTATE_UINT8_ARRAY(data, ShrimpOpen, SHRIMP_PACKET_MAX),
        VMSTATE_END_OF_LIST()
    }
};
