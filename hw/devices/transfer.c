/*
 * What the rest of a node hears of when DMA has touched its memory
 *
 * Watchpoints stand at virtual addresses, and QEMU compares them with those
 * of loads and stores.  DMA goes to physical memory, so here they are
 * translated, by the tables that are in force.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "accel/tcg/line-cache.h"
#include "hw/core/cpu.h"
#include "hw/fugu/devices/transfer.h"

/* Whether the bytes of a watchpoint, page by page, are among these. */
static bool concerns(CPUState *cs, const CPUWatchpoint *wp, hwaddr addr,
                     hwaddr len)
{
    vaddr at = wp->vaddr, left = wp->len;

    while (left) {
        vaddr chunk = MIN(left, TARGET_PAGE_SIZE - (at & ~TARGET_PAGE_MASK));
        MemTxAttrs attrs;
        hwaddr page = cpu_get_phys_page_attrs_debug(cs, at & TARGET_PAGE_MASK,
                                                    &attrs);
        hwaddr phys = page | (at & ~TARGET_PAGE_MASK);

        if (page != -1 && phys < addr + len && addr < phys + chunk) {
            return true;
        }
        at += chunk;
        left -= chunk;
    }
    return false;
}

/* A debug stop, which is taken before the next instruction. */
static void stop_for(CPUState *cs, CPUWatchpoint *wp)
{
    BQL_LOCK_GUARD();
    cs->watchpoint_hit = wp;
    cpu_interrupt(cs, CPU_INTERRUPT_DEBUG);
}

static void check_watchpoints(CPUState *cs, hwaddr addr, hwaddr len, int kind)
{
    CPUWatchpoint *wp;

    QTAILQ_FOREACH(wp, &cs->watchpoints, entry) {
        if (len && (wp->flags & kind) && concerns(cs, wp, addr, len)) {
            stop_for(cs, wp);
            return;
        }
    }
}

void fugu_transfer_wrote(FuguNode *node, hwaddr addr, hwaddr len)
{
    CPUState *cs = CPU(&node->cpu);

    line_cache_invalidate(cs, addr, len);
    check_watchpoints(cs, addr, len, BP_MEM_WRITE);
}

void fugu_transfer_read(FuguNode *node, hwaddr addr, hwaddr len)
{
    check_watchpoints(CPU(&node->cpu), addr, len, BP_MEM_READ);
}
