/*
 * The SHRIMP network interface: the Network Interface Page Table
 *
 * An entry for each page of RAM says where the page is mapped out to, and whether
 * it is mapped in (paper, section 4). A page has two parts, since a range that is
 * mapped need not begin or end with a page, neither here nor there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitmap.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/system/check.h"

/* ---- Routes -------------------------------------------------------------- */

bool shrimp_nipt_page(const ShrimpNipt *nipt, uint32_t addr, uint32_t *page)
{
    *page = (addr - FUGU_RAM_BASE) / SHRIMP_PAGE;
    return *page < nipt->pages;
}

static uint32_t mode_of(const ShrimpPart *part)
{
    return part->target >> FUGU_NIPT_MODE_SHIFT;
}

ShrimpRoute shrimp_nipt_route(const ShrimpNipt *nipt, uint32_t addr)
{
    uint32_t offset = addr % SHRIMP_PAGE, page, there;
    const ShrimpEntry *e;
    const ShrimpPart *part;
    ShrimpRoute route;

    if (!shrimp_nipt_page(nipt, addr, &page)) {
        return (ShrimpRoute) { .mode = FUGU_NIPT_NOTHING };
    }
    e = &nipt->entry[page];
    part = &e->part[offset >= e->split];
    there = (offset + part->place) % SHRIMP_PAGE;
    route = (ShrimpRoute) {
        .mode = mode_of(part),
        .node = part->target & FUGU_NIPT_NODE_MASK,
        .dest = (part->place & FUGU_NIPT_PAGE_MASK) + there,
        .part_bytes = (offset < e->split ? e->split : SHRIMP_PAGE) - offset,
    };
    route.bytes = MIN(route.part_bytes, SHRIMP_PAGE - there);
    return route;
}

bool shrimp_nipt_is_out(const ShrimpNipt *nipt, uint32_t page)
{
    const ShrimpPart *part = nipt->entry[page].part;

    return mode_of(&part[0]) != FUGU_NIPT_NOTHING ||
           mode_of(&part[1]) != FUGU_NIPT_NOTHING;
}

/* ---- Entries ------------------------------------------------------------- */

void shrimp_nipt_set_part(ShrimpNipt *nipt, uint32_t page, unsigned part,
                          ShrimpPart value)
{
    nipt->entry[page].part[part] = mode_of(&value) == FUGU_NIPT_NOTHING
                                   ? (ShrimpPart) { 0 } : value;
}

void shrimp_nipt_set_mode(ShrimpNipt *nipt, uint32_t addr, uint32_t mode)
{
    ShrimpEntry *e = &nipt->entry[(addr - FUGU_RAM_BASE) / SHRIMP_PAGE];
    ShrimpPart *part = &e->part[addr % SHRIMP_PAGE >= e->split];

    part->target = (part->target & FUGU_NIPT_NODE_MASK) |
                   mode << FUGU_NIPT_MODE_SHIFT;
}

void shrimp_nipt_set_in(ShrimpNipt *nipt, uint32_t page, uint32_t in)
{
    ShrimpEntry *e = &nipt->entry[page];

    e->in = (e->in & SHRIMP_IN_ARRIVED) | in;
}

/* ---- Arrivals ------------------------------------------------------------ */

/* Sets the bits of all pages, after the table has changed as a whole. */
static void find_arrivals(ShrimpNipt *nipt)
{
    bitmap_zero(nipt->arrived, nipt->pages);
    nipt->arrivals = 0;
    for (uint32_t i = 0; i < nipt->pages; i++) {
        if (nipt->entry[i].in & SHRIMP_IN_ARRIVED) {
            set_bit(i, nipt->arrived);
            nipt->arrivals++;
        }
    }
}

void shrimp_nipt_arrive(ShrimpNipt *nipt, uint32_t page)
{
    ShrimpEntry *e = &nipt->entry[page];

    if (e->in & FUGU_NIPT_IN_ARMED) {
        e->in &= ~FUGU_NIPT_IN_ARMED;
        e->in |= SHRIMP_IN_ARRIVED;
        nipt->arrivals += !test_and_set_bit(page, nipt->arrived);
    }
}

void shrimp_nipt_take_arrival(ShrimpNipt *nipt, uint32_t page)
{
    nipt->entry[page].in &= ~SHRIMP_IN_ARRIVED;
    nipt->arrivals -= test_and_clear_bit(page, nipt->arrived);
}

uint32_t shrimp_nipt_arrival(const ShrimpNipt *nipt)
{
    return nipt->arrivals ? find_first_bit(nipt->arrived, nipt->pages)
                          : FUGU_SHRIMP_NO_PAGE;
}

/* ---- Checks -------------------------------------------------------------- */

static const char *check_part(ShrimpNI *ni, const ShrimpPart *part)
{
    if (mode_of(part) == FUGU_NIPT_NOTHING) {
        FUGU_REQUIRE(part->target == 0 && part->place == 0);
        return NULL;
    }
    FUGU_REQUIRE((part->target & FUGU_NIPT_NODE_MASK) <
                 ni->node->machine->options.node_count);
    FUGU_REQUIRE(part->place % 8 == 0);
    return NULL;
}

const char *shrimp_nipt_check(ShrimpNI *ni)
{
    const ShrimpNipt *nipt = &ni->nipt;
    uint32_t arrivals = 0;

    FUGU_REQUIRE(nipt->page < nipt->pages);
    for (uint32_t i = 0; i < nipt->pages; i++) {
        const ShrimpEntry *e = &nipt->entry[i];

        FUGU_REQUIRE(e->split < SHRIMP_PAGE && e->split % 8 == 0);
        FUGU_REQUIRE_ALL(check_part(ni, &e->part[0]));
        FUGU_REQUIRE_ALL(check_part(ni, &e->part[1]));
        FUGU_REQUIRE(e->in <= (FUGU_NIPT_IN_MAPPED | FUGU_NIPT_IN_ARMED |
                               SHRIMP_IN_ARRIVED));
        FUGU_REQUIRE(!(e->in & SHRIMP_IN_ARRIVED) ==
                     !test_bit(i, nipt->arrived));
        arrivals += !!(e->in & SHRIMP_IN_ARRIVED);
    }
    FUGU_REQUIRE(arrivals == nipt->arrivals);
    return NULL;
}

/* ---- Set-up and state ---------------------------------------------------- */

void shrimp_nipt_init(ShrimpNI *ni)
{
    ShrimpNipt *nipt = &ni->nipt;

    nipt->pages = ni->node->ram_size / SHRIMP_PAGE;
    nipt->entry = g_new0(ShrimpEntry, nipt->pages);
    nipt->arrived = bitmap_new(nipt->pages);
}

void shrimp_nipt_reset(ShrimpNipt *nipt)
{
    memset(nipt->entry, 0, nipt->pages * sizeof(*nipt->entry));
    find_arrivals(nipt);
    nipt->page = 0;
    nipt->high = 0;
}

static bool is_empty(const ShrimpEntry *e)
{
    static const ShrimpEntry empty;

    return !memcmp(e, &empty, sizeof(empty));
}

/* Saves the entries that are not empty: few are, and a history keeps many
 * copies. */
static int nipt_pre_save(void *opaque)
{
    ShrimpNipt *nipt = opaque;

    nipt->saved_count = 0;
    for (uint32_t i = 0; i < nipt->pages; i++) {
        nipt->saved_count += !is_empty(&nipt->entry[i]);
    }
    nipt->saved = g_new0(ShrimpSavedEntry, nipt->saved_count);
    for (uint32_t i = 0, k = 0; i < nipt->pages; i++) {
        if (!is_empty(&nipt->entry[i])) {
            nipt->saved[k++] = (ShrimpSavedEntry) { i, nipt->entry[i] };
        }
    }
    return 0;
}

static int nipt_post_save(void *opaque)
{
    ShrimpNipt *nipt = opaque;

    g_clear_pointer(&nipt->saved, g_free);
    return 0;
}

static int nipt_pre_load(void *opaque)
{
    ShrimpNipt *nipt = opaque;

    g_clear_pointer(&nipt->saved, g_free);
    return 0;
}

/* Before memory is allocated for them. */
static bool count_fits(void *opaque, int version)
{
    ShrimpNipt *nipt = opaque;

    return nipt->saved_count >= 0 && nipt->saved_count <= nipt->pages;
}

static int nipt_post_load(void *opaque, int version)
{
    ShrimpNipt *nipt = opaque;
    bool ok = nipt->page < nipt->pages;

    memset(nipt->entry, 0, nipt->pages * sizeof(*nipt->entry));
    for (int32_t i = 0; i < nipt->saved_count && ok; i++) {
        const ShrimpSavedEntry *s = &nipt->saved[i];

        ok = s->page < nipt->pages && s->entry.split < SHRIMP_PAGE;
        if (ok) {
            nipt->entry[s->page] = s->entry;
        }
    }
    g_clear_pointer(&nipt->saved, g_free);
    find_arrivals(nipt);
    return ok ? 0 : -EINVAL;
}

static const VMStateDescription vmstate_entry = {
    .name = "shrimp-ni/nipt/entry",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(page, ShrimpSavedEntry),
        VMSTATE_UINT32(entry.split, ShrimpSavedEntry),
        VMSTATE_UINT32(entry.part[0].target, ShrimpSavedEntry),
        VMSTATE_UINT32(entry.part[0].place, ShrimpSavedEntry),
        VMSTATE_UINT32(entry.part[1].target, ShrimpSavedEntry),
        VMSTATE_UINT32(entry.part[1].place, ShrimpSavedEntry),
        VMSTATE_UINT32(entry.in, ShrimpSavedEntry),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_shrimp_nipt = {
    .name = "shrimp-ni/nipt",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = nipt_pre_save,
    .post_save = nipt_post_save,
    .pre_load = nipt_pre_load,
    .post_load = nipt_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(page, ShrimpNipt),
        VMSTATE_UINT32(high, ShrimpNipt),
        VMSTATE_INT32(saved_count, ShrimpNipt),
        VMSTATE_VALIDATE("entries of the table", count_fits),
        VMSTATE_STRUCT_VARRAY_ALLOC(saved, ShrimpNipt, saved_count, 1,
                                    vmstate_entry, ShrimpSavedEntry),
        VMSTATE_END_OF_LIST()
    }
};
