/*
 * Stores of processors that their network interfaces snoop (machine/netif.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "system/lockstep.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/rounds/snooper.h"

/* SPARC_CPU() would look the type up, each time. */
static FuguNetif *ni_of(CPUState *cs)
{
    return container_of(cs, FuguNode, cpu.parent_obj)->ni;
}

static bool is_snooped(void *opaque, CPUState *cs, hwaddr addr)
{
    FuguNetif *ni = ni_of(cs);

    return addr <= UINT32_MAX && ni->kind->is_snooped(ni, addr);
}

static bool may_store(void *opaque, CPUState *cs, hwaddr addr, unsigned size)
{
    FuguNetif *ni = ni_of(cs);

    return ni->kind->may_store(ni, addr, size);
}

static void stored(void *opaque, CPUState *cs, hwaddr addr,
                   const uint8_t *bytes, unsigned size)
{
    FuguNetif *ni = ni_of(cs);

    ni->kind->stored(ni, addr, bytes, size);
}

static const LockstepSnooper snooper = {
    .is_snooped = is_snooped,
    .may_store = may_store,
    .stored = stored,
};

void fugu_snooper_init(FuguMachineState *machine)
{
    if (fugu_netif_kind(machine)->is_snooped) {
        lockstep_snoop(&snooper, NULL);
    }
}
