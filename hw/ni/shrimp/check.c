/*
 * Checks of the SHRIMP network interface, for tests and for snapshots
 *
 * Each part checks itself; here are the conditions that concern several.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/ni/shrimp/check.h"
#include "hw/fugu/ni/shrimp/engine.h"
#include "hw/fugu/ni/shrimp/incoming.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/system/check.h"

/* The system part first: the rest relies on the form of packets. */
const char *shrimp_check(ShrimpNI *ni)
{
    FUGU_REQUIRE_ALL(fugu_system_check(&ni->parent_obj));
    FUGU_REQUIRE(QTAILQ_EMPTY(&ni->main.departing));
    FUGU_REQUIRE(ni->damage <= SHRIMP_DAMAGE_COORDINATES);
    FUGU_REQUIRE_ALL(shrimp_nipt_check(ni));
    FUGU_REQUIRE_ALL(shrimp_out_check(ni));
    FUGU_REQUIRE_ALL(shrimp_merge_check(ni));
    FUGU_REQUIRE_ALL(shrimp_engine_check(ni));
    return shrimp_in_check(ni);
}
