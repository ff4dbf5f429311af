/*
 * The SHRIMP network interface: command memory (paper, sections 4.2 and 4.3)
 *
 * The MMU says who may reach the command page of which page. The interface keeps
 * nothing between the load of a swap and its store: each is complete in itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "system/lockstep.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/ni/shrimp/command.h"
#include "hw/fugu/ni/shrimp/engine.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/pace.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/regs.h"
#include "hw/fugu/trace.h"

static MemTxResult violation(ShrimpNI *ni, hwaddr offset)
{
    return fugu_system_violation(&ni->parent_obj, "command", offset);
}

/* Returns what a load of the command word of @addr gives. */
static uint32_t engine_state(const ShrimpNI *ni, uint32_t addr)
{
    const ShrimpEngine *e = &ni->engine;

    return e->left ? e->left | (addr == e->base ? FUGU_ENGINE_HERE : 0) : 0;
}

static MemTxResult command_read(void *opaque, hwaddr offset, uint64_t *data,
                                unsigned size, MemTxAttrs attrs)
{
    ShrimpNI *ni = opaque;
    uint32_t addr = FUGU_RAM_BASE + offset;

    if (!fugu_device_peeked()) {
        shrimp_settle(ni);
    }
    if (size != 4 || addr % 4 ||
        shrimp_nipt_route(&ni->nipt, addr).mode != FUGU_NIPT_DELIBERATE) {
        return violation(ni, offset);
    }
    *data = engine_state(ni, addr);
    return MEMTX_OK;
}

/* The command is checked even if the engine is busy, and then has no effect. */
static bool start(ShrimpNI *ni, uint32_t addr, uint32_t words)
{
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, addr);

    if (route.mode != FUGU_NIPT_DELIBERATE || words == 0 ||
        words > route.part_bytes / 4) {
        return false;
    }
    if (!ni->engine.left) {
        shrimp_engine_start(ni, addr, words, fugu_node_time(ni->node));
        shrimp_settle(ni);              /* it may take no time */
    }
    return true;
}

static bool arm(ShrimpNI *ni, uint32_t addr, bool on)
{
    uint32_t page, in;

    if (!shrimp_nipt_page(&ni->nipt, addr, &page)) {
        return false;
    }
    in = ni->nipt.entry[page].in & FUGU_NIPT_IN_MAPPED;
    if (in) {
        shrimp_nipt_set_in(&ni->nipt, page, on ? in | FUGU_NIPT_IN_ARMED : in);
    }
    return in;
}

/* What was stored before is sent as it was then. */
static bool switch_mode(ShrimpNI *ni, uint32_t addr, uint32_t mode)
{
    int64_t now = fugu_node_time(ni->node);
    ShrimpRoute route = shrimp_nipt_route(&ni->nipt, addr);
    uint32_t page;

    if (!shrimp_nipt_page(&ni->nipt, addr, &page) ||
        (route.mode != FUGU_NIPT_SINGLE && route.mode != FUGU_NIPT_BLOCKED)) {
        return false;
    }
    shrimp_merge_close_page(ni, page, now);
    shrimp_engine_retry(ni, now);
    shrimp_nipt_set_mode(&ni->nipt, addr, mode);
    fugu_system_update(&ni->parent_obj);
    return true;
}

static MemTxResult command_write(void *opaque, hwaddr offset, uint64_t data,
                                 unsigned size, MemTxAttrs attrs)
{
    ShrimpNI *ni = opaque;
    uint32_t addr = FUGU_RAM_BASE + offset;
    bool ok;

    if (size != 4 || addr % 4) {
        return violation(ni, offset);
    }
    shrimp_settle(ni);
    switch (data) {
    case FUGU_COMMAND_SINGLE:
    case FUGU_COMMAND_BLOCKED:
        ok = switch_mode(ni, addr, data == FUGU_COMMAND_SINGLE
                                   ? FUGU_NIPT_SINGLE : FUGU_NIPT_BLOCKED);
        break;
    case FUGU_COMMAND_ARM:
    case FUGU_COMMAND_DISARM:
        ok = arm(ni, addr, data == FUGU_COMMAND_ARM);
        break;
    default:
        ok = start(ni, addr, data);
        break;
    }
    trace_fugu_shrimp_command(ni->node->number, addr, data, ok,
                              fugu_node_time(ni->node));
    return ok ? MEMTX_OK : violation(ni, offset);
}

static const MemoryRegionOps command_ops = {
    .read_with_attrs = command_read,
    .write_with_attrs = command_write,
    .endianness = DEVICE_BIG_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 8 },
};

void shrimp_command_init(ShrimpNI *ni)
{
    lockstep_set_direct(&command_ops);
    memory_region_init_io(&ni->command, OBJECT(ni), &command_ops, ni,
                          "shrimp-command", ni->node->ram_size);
    memory_region_add_subregion(&ni->node->root, FUGU_COMMAND_BASE,
                                &ni->command);
}
