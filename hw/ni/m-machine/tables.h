/*
 * The M-Machine's message interface: the GTLB, and trusted handlers
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_TABLES_H
#define FUGU_MM_TABLES_H

#include "hw/fugu/ni/m-machine/mm.h"

/* What a SEND's operands mean. */
typedef struct MMTarget {
    uint32_t node;
    uint32_t address;           /* DestAddr, as that node uses it */
    uint32_t pc;                /* of the handler */
} MMTarget;

/*
 * Translates DestAddr and HandlerIP of a SEND for @gid, on a machine of @nodes
 * nodes. Returns 0, or the trap that the SEND takes: FUGU_TT_MM_MISS if no entry of
 * that GID has one of them, and FUGU_TT_PROTECTION_VIOLATION if the segment does
 * not allow what the handler may do.
 */
int mm_translate(const MMTables *tables, uint32_t gid, uint32_t nodes,
                 uint32_t dest, uint32_t handler, MMTarget *target);

/* Stores word @i of the entry that the registers show. Returns false if no entry
 * may have that word. */
bool mm_segment_write(MMTables *tables, unsigned i, uint32_t value);
bool mm_handler_write(MMTables *tables, unsigned i, uint32_t value);

/* Returns NULL, or what is wrong with them. */
const char *mm_tables_check(const MMTables *tables);

extern const VMStateDescription vmstate_mm_tables;

#endif /* FUGU_MM_TABLES_H */
