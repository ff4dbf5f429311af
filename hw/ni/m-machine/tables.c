/*
 * The M-Machine's message interface: the GTLB, and trusted handlers
 *
 * The paper's pointers cannot be forged, because memory has tags (its "Protection").
 * Here a SEND names a place and a handler by numbers, which anybody can guess. Only
 * what the kernel has entered for the GID works. An entry of the GTLB has a whole
 * segment, so no page size is in the way of "all of the extent is in one segment".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/ni/m-machine/tables.h"

#define SIZE_LOG_MIN    3
#define SIZE_LOG_MAX    30

static uint32_t size_log(const uint32_t *segment)
{
    return extract32(segment[FUGU_MM_SEG_SIZE], 0, FUGU_MM_RIGHTS_SHIFT);
}

/* Whether the first word of an entry says that it is of @gid. */
static bool is_of(uint32_t word, uint32_t gid)
{
    return (word & FUGU_MM_VALID) && (word & FUGU_GID_MAX) == gid;
}

/* Returns the entry whose window has @dest, or NULL. */
static const uint32_t *find_segment(const MMTables *t, uint32_t gid,
                                    uint32_t nodes, uint32_t dest)
{
    for (unsigned i = 0; i < FUGU_MM_GTLB; i++) {
        const uint32_t *s = t->segment[i];
        uint32_t base = s[FUGU_MM_SEG_BASE];

        if (is_of(s[FUGU_MM_SEG_GID], gid) && dest >= base &&
            (dest - base) >> size_log(s) < nodes) {
            return s;
        }
    }
    return NULL;
}

static const uint32_t *find_handler(const MMTables *t, uint32_t gid,
                                    uint32_t index)
{
    for (unsigned i = 0; i < FUGU_MM_HANDLERS; i++) {
        const uint32_t *h = t->handler[i];

        if (is_of(h[FUGU_MM_ENTRY_GID], gid) &&
            extract32(h[FUGU_MM_ENTRY_GID], FUGU_MM_INDEX_SHIFT, 15) == index) {
            return h;
        }
    }
    return NULL;
}

int mm_translate(const MMTables *t, uint32_t gid, uint32_t nodes,
                 uint32_t dest, uint32_t handler, MMTarget *target)
{
    const uint32_t *s = find_segment(t, gid, nodes, dest);
    const uint32_t *h = find_handler(t, gid, handler);
    uint32_t offset, needs, rights, extent;

    if (!s || !h) {
        return FUGU_TT_MM_MISS;
    }
    offset = (dest - s[FUGU_MM_SEG_BASE]) & ((1u << size_log(s)) - 1);
    extent = h[FUGU_MM_ENTRY_EXTENT] & FUGU_MM_EXTENT;
    needs = h[FUGU_MM_ENTRY_EXTENT] >> FUGU_MM_NEEDS_SHIFT;
    rights = s[FUGU_MM_SEG_SIZE] >> FUGU_MM_RIGHTS_SHIFT;
    if ((needs & ~rights) || extent > (1u << size_log(s)) - offset) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    *target = (MMTarget) {
        .node = (dest - s[FUGU_MM_SEG_BASE]) >> size_log(s),
        .address = s[FUGU_MM_SEG_LOCAL] + offset,
        .pc = h[FUGU_MM_ENTRY_PC],
    };
    return 0;
}

/* ---- Registers ------------------------------------------------------------ */

static bool segment_word_ok(unsigned i, uint32_t value)
{
    uint32_t log = extract32(value, 0, FUGU_MM_RIGHTS_SHIFT);

    switch (i) {
    case FUGU_MM_SEG_GID:
        return !(value & ~(FUGU_MM_VALID | FUGU_GID_MAX));
    case FUGU_MM_SEG_SIZE:
        return value == 0 ||
               (log >= SIZE_LOG_MIN && log <= SIZE_LOG_MAX &&
                value >> FUGU_MM_RIGHTS_SHIFT <= FUGU_MM_RIGHTS);
    default:
        return value % 8 == 0;
    }
}

/* An entry without a size is in no window: it must not be valid. */
static bool segment_ok(const uint32_t *s)
{
    return !(s[FUGU_MM_SEG_GID] & FUGU_MM_VALID) || s[FUGU_MM_SEG_SIZE];
}

bool mm_segment_write(MMTables *t, unsigned i, uint32_t value)
{
    uint32_t entry[FUGU_MM_SEG_WORDS];
    uint32_t *s = t->segment[t->at_segment];

    memcpy(entry, s, sizeof(entry));
    entry[i] = value;
    if (!segment_word_ok(i, value) || !segment_ok(entry)) {
        return false;
    }
    s[i] = value;
    return true;
}

static bool handler_word_ok(unsigned i, uint32_t value)
{
    switch (i) {
    case FUGU_MM_ENTRY_GID:
        return !(value & ~(FUGU_MM_VALID | FUGU_GID_MAX |
                           FUGU_MM_INDEX << FUGU_MM_INDEX_SHIFT));
    case FUGU_MM_ENTRY_PC:
        return value % 4 == 0;
    default:
        return true;
    }
}

bool mm_handler_write(MMTables *t, unsigned i, uint32_t value)
{
    if (!handler_word_ok(i, value)) {
        return false;
    }
    t->handler[t->at_handler][i] = value;
    return true;
}

const char *mm_tables_check(const MMTables *t)
{
    for (unsigned n = 0; n < FUGU_MM_GTLB; n++) {
        for (unsigned i = 0; i < FUGU_MM_SEG_WORDS; i++) {
            if (!segment_word_ok(i, t->segment[n][i])) {
                return "a word that no segment has";
            }
        }
        if (!segment_ok(t->segment[n])) {
            return "a segment without a size";
        }
    }
    for (unsigned n = 0; n < FUGU_MM_HANDLERS; n++) {
        for (unsigned i = 0; i < FUGU_MM_ENTRY_WORDS; i++) {
            if (!handler_word_ok(i, t->handler[n][i])) {
                return "a word that no handler has";
            }
        }
    }
    return t->at_segment < FUGU_MM_GTLB && t->at_handler < FUGU_MM_HANDLERS
           ? NULL : "the number of an entry that is not there";
}

static int tables_post_load(void *opaque, int version)
{
    return mm_tables_check(opaque) ? -EINVAL : 0;
}

const VMStateDescription vmstate_mm_tables = {
    .name = "m-machine-ni/tables",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = tables_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_2DARRAY(segment, MMTables, FUGU_MM_GTLB,
                               FUGU_MM_SEG_WORDS),
        VMSTATE_UINT32_2DARRAY(handler, MMTables, FUGU_MM_HANDLERS,
                               FUGU_MM_ENTRY_WORDS),
        VMSTATE_UINT32(at_segment, MMTables),
        VMSTATE_UINT32(at_handler, MMTables),
        VMSTATE_UINT32(miss_dest, MMTables),
        VMSTATE_UINT32(miss_ip, MMTables),
        VMSTATE_END_OF_LIST()
    }
};
