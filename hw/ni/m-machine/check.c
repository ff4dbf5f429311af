/*
 * The M-Machine's message interface: what always holds
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/m-machine/check.h"
#include "hw/fugu/ni/m-machine/extract.h"
#include "hw/fugu/ni/m-machine/tables.h"
#include "hw/fugu/ni/system/check.h"

/* The system part first: the rest relies on the form of packets. */
const char *mm_check(MMachineNI *ni)
{
    FUGU_REQUIRE_ALL(fugu_system_check(&ni->parent_obj));
    FUGU_REQUIRE_ALL(mm_tables_check(&ni->tables));
    FUGU_REQUIRE(ni->main_priority < FUGU_MM_PRIORITIES);
    FUGU_REQUIRE(ni->rules <= FUGU_MM_RULES);
    FUGU_REQUIRE(ni->irqs < 1u << FUGU_MM_PRIORITIES);
    FUGU_REQUIRE(ni->main_reads < FUGU_MM_PRIORITIES);
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        FUGU_REQUIRE(ni->injection[i].free <=
                     fugu_node_time(ni->node) + FUGU_MM_BODY_MAX +
                     ni->node->machine->options.pin_cycles);
        FUGU_REQUIRE(ni->injection[i].next < FUGU_MM_PUT_WORDS);
        FUGU_REQUIRE(ni->injection[i].stream_dest <
                     ni->node->machine->options.node_count);
        FUGU_REQUIRE(ni->injection[i].stream_priority < FUGU_MM_PRIORITIES);
        FUGU_REQUIRE(ni->injection[i].put_gid <= FUGU_GID_MAX);
    }
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        FUGU_REQUIRE(ni->holder[i] <= SPARCLE_CONTEXTS);
        FUGU_REQUIRE_ALL(mm_extraction_check(ni, i));
    }
    return NULL;
}
