/*
 * The SHRIMP network interface: the registers of the user's and the kernel's page
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/devices/device.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/shrimp/automatic.h"
#include "hw/fugu/ni/shrimp/engine.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/pace.h"
#include "hw/fugu/ni/shrimp/regs.h"
#include "hw/fugu/ni/system/absent.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/regs.h"
#include "hw/fugu/trace.h"

/* ---- Reading ------------------------------------------------------------ */

/* A debugger changes nothing by a look. */
static void settle(ShrimpNI *ni)
{
    if (!fugu_device_peeked()) {
        shrimp_settle(ni);
    }
}

/* All that was stored enters the FIFO, so the last packet has a number. */
static void fence(ShrimpNI *ni)
{
    int64_t now = fugu_node_time(ni->node);

    shrimp_merge_close(ni, now);
    shrimp_engine_retry(ni, now);
    fugu_system_update(&ni->parent_obj);
}

static uint32_t user_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    ShrimpNI *ni = shrimp_of(system);

    switch (offset) {
    case FUGU_U_SENT:
        settle(ni);
        if (!fugu_device_peeked()) {
            fence(ni);
        }
        return ni->out.sent;
    case FUGU_U_CREDITED:
        settle(ni);
        return shrimp_out_last_credited(ni);
    }
    return fugu_absent_user_read(system, offset, ok);
}

static uint32_t nipt_read(const ShrimpNipt *nipt, hwaddr offset)
{
    const ShrimpEntry *e = &nipt->entry[nipt->page];

    switch (offset) {
    case FUGU_K_NIPT_PAGE:
        return nipt->page;
    case FUGU_K_NIPT_SPLIT:
        return e->split;
    case FUGU_K_NIPT_LOWER:
        return e->part[0].target;
    case FUGU_K_NIPT_LOWER + 4:
        return e->part[0].place;
    case FUGU_K_NIPT_UPPER:
        return e->part[1].target;
    case FUGU_K_NIPT_UPPER + 4:
        return e->part[1].place;
    case FUGU_K_NIPT_IN:
        return e->in & ~SHRIMP_IN_ARRIVED;
    }
    g_assert_not_reached();
}

static bool is_nipt(hwaddr offset)
{
    return offset >= FUGU_K_NIPT_PAGE && offset <= FUGU_K_NIPT_IN;
}

static uint32_t kernel_read(FuguSystemNI *system, hwaddr offset, bool *ok)
{
    ShrimpNI *ni = shrimp_of(system);

    if (offset < FUGU_K_NIPT_PAGE) {
        return fugu_absent_kernel_read(system, offset, ok);
    }
    settle(ni);
    if (is_nipt(offset)) {
        return nipt_read(&ni->nipt, offset);
    }
    switch (offset) {
    case FUGU_K_ARRIVAL:
        return shrimp_nipt_arrival(&ni->nipt);
    case FUGU_K_OUT_WORDS:
        return ni->out.words;
    case FUGU_K_OUT_THRESHOLD:
        return ni->out.threshold;
    case FUGU_K_OUT_AWAIT:
        return ni->out.await;
    case FUGU_K_IN_WORDS:
        return ni->main.queue_words;
    case FUGU_K_IN_ENTERED:
        return ni->in.entered;
    case FUGU_K_IN_LEFT:
        return ni->in.left;
    case FUGU_K_DROPPED:
        return ni->in.dropped_place + ni->in.dropped_crc +
               ni->in.dropped_page;
    case FUGU_K_DROPPED_PLACE:
        return ni->in.dropped_place;
    case FUGU_K_DROPPED_CRC:
        return ni->in.dropped_crc;
    case FUGU_K_DROPPED_PAGE:
        return ni->in.dropped_page;
    case FUGU_K_ENGINE_PAGE:
        return shrimp_engine_page(ni);
    case FUGU_K_MERGE:
        return ni->open.time;
    case FUGU_K_ENGINE_LEFT:
        return ni->engine.left;
    }
    *ok = false;
    return 0;
}

/* ---- Writing ------------------------------------------------------------ */

/* What is under way from the page goes where its entry says before it changes. A
 * command ends that reads from bytes @from to @to. */
static void leave_page(ShrimpNI *ni, uint32_t from, uint32_t to)
{
    int64_t now = fugu_node_time(ni->node);

    shrimp_engine_stop(ni, ni->nipt.page, from, to);
    shrimp_merge_close_page(ni, ni->nipt.page, now);
    shrimp_engine_retry(ni, now);
}

/* What is not mapped out has no node. */
static bool part_write(ShrimpNI *ni, unsigned part, uint32_t target,
                       uint32_t place)
{
    ShrimpNipt *nipt = &ni->nipt;
    uint32_t mode = target >> FUGU_NIPT_MODE_SHIFT;
    uint32_t node = target & FUGU_NIPT_NODE_MASK;
    uint32_t split = nipt->entry[nipt->page].split;
    bool was_out;

    if (mode != FUGU_NIPT_NOTHING &&
        node >= ni->node->machine->options.node_count) {
        return false;
    }
    leave_page(ni, part ? split : 0, part ? SHRIMP_PAGE : split);
    was_out = shrimp_nipt_is_out(nipt, nipt->page);
    shrimp_nipt_set_part(nipt, nipt->page, part, (ShrimpPart) {
        .target = mode << FUGU_NIPT_MODE_SHIFT | node,
        .place = place & (FUGU_NIPT_PAGE_MASK | FUGU_NIPT_DISPLACEMENT),
    });
    if (shrimp_nipt_is_out(nipt, nipt->page) != was_out) {
        shrimp_automatic_changed(ni);
    }
    return true;
}

static bool split_write(ShrimpNI *ni, uint32_t value)
{
    if (value >= SHRIMP_PAGE || value % 8) {
        return false;
    }
    leave_page(ni, 0, SHRIMP_PAGE);
    ni->nipt.entry[ni->nipt.page].split = value;
    return true;
}

/* Returns false if the register does not take the value. */
static bool nipt_write(ShrimpNI *ni, hwaddr offset, uint32_t value)
{
    ShrimpNipt *nipt = &ni->nipt;

    switch (offset) {
    case FUGU_K_NIPT_PAGE:
        if (value >= nipt->pages) {
            return false;
        }
        nipt->page = value;
        return true;
    case FUGU_K_NIPT_SPLIT:
        return split_write(ni, value);
    case FUGU_K_NIPT_LOWER:
    case FUGU_K_NIPT_UPPER:
        nipt->high = value;
        return true;
    case FUGU_K_NIPT_LOWER + 4:
        return part_write(ni, 0, nipt->high, value);
    case FUGU_K_NIPT_UPPER + 4:
        return part_write(ni, 1, nipt->high, value);
    case FUGU_K_NIPT_IN:
        shrimp_nipt_set_in(nipt, nipt->page, value & (FUGU_NIPT_IN_MAPPED |
                                                      FUGU_NIPT_IN_ARMED));
        return true;
    }
    g_assert_not_reached();
}

/* Returns false if no register there takes the value. */
static bool register_write(ShrimpNI *ni, hwaddr offset, uint32_t value)
{
    if (is_nipt(offset)) {
        return nipt_write(ni, offset, value);
    }
    switch (offset) {
    case FUGU_K_ARRIVAL:
        if (value >= ni->nipt.pages) {
            return false;
        }
        shrimp_nipt_take_arrival(&ni->nipt, value);
        return true;
    case FUGU_K_OUT_THRESHOLD:
        if (value < 1 || value > FUGU_SHRIMP_FIFO) {
            return false;
        }
        ni->out.threshold = value;
        shrimp_engine_retry(ni, fugu_node_time(ni->node));
        return true;
    case FUGU_K_OUT_AWAIT:
        if (value > FUGU_SHRIMP_FIFO) {
            return false;
        }
        ni->out.await = value;
        return true;
    case FUGU_K_MERGE:
        if (value < 1 || value > FUGU_SHRIMP_MERGE_MAX) {
            return false;
        }
        ni->open.time = value;
        return true;
    case FUGU_K_DROPPED:
        ni->in.drop_pending = false;
        return true;
    }
    return false;
}

static MemTxResult kernel_write(FuguSystemNI *system, hwaddr offset,
                                unsigned size, uint64_t value)
{
    ShrimpNI *ni = shrimp_of(system);
    bool pair = offset == FUGU_K_NIPT_LOWER || offset == FUGU_K_NIPT_UPPER;
    bool ok;

    if (offset < FUGU_K_NIPT_PAGE) {
        return fugu_absent_kernel_write(system, offset, size, value);
    }
    if (size == 8 && !pair) {
        return fugu_system_violation(system, "kernel", offset);
    }
    shrimp_settle(ni);
    if (size == 8) {
        ni->nipt.high = value >> 32;
        offset += 4;
    }
    ok = register_write(ni, offset, value);
    trace_fugu_ni_control(ni->node->number, offset, value,
                          fugu_node_time(ni->node));
    fugu_system_update(system);
    return ok ? MEMTX_OK : fugu_system_violation(system, "kernel", offset);
}

void shrimp_class_init_regs(FuguSystemNIClass *part)
{
    part->user_read = user_read;
    part->kernel_read = kernel_read;
    part->kernel_write = kernel_write;
}
