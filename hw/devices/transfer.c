/*
 * Tells cache and debuggers of DMA to and from a node's memory
 *
 * A watchpoint has a virtual address, and QEMU compares it with the addresses
 * of loads and stores.  DMA uses physical addresses, so this file translates
 * the watchpoints' addresses, with the MMU's current tables.  The watchpoint of
 * RAM (cpu_watch_ram()) has its physical address in hitaddr.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "accel/tcg/line-cache.h"
#include "accel/tcg/ram-watchpoint.h"
#include "hw/core/cpu.h"
#include "hw/fugu/devices/transfer.h"

/*
 * Returns true if the watchpoint covers any of the @len bytes from physical
 * address @addr on.  The pages of a watchpoint need not be contiguous in
 * physical memory.
 */
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

/* Stops the processor for the debugger before its next instruction. */
static void stop_for(CPUState *cs, CPUWatchpoint *wp)
{
    BQL_LOCK_GUARD();
    cs->watchpoint_hit = wp;
    cpu_interrupt(cs, CPU_INTERRUPT_DEBUG);
}

/* Whether a debugger looks for stores to any of these bytes. */
static bool is_looked_for(CPUState *cs, hwaddr addr, hwaddr len)
{
    const CPUWatchpoint *wp = cpu_ram_watchpoint(cs);

    return unlikely(wp) && len && wp->hitaddr < addr + len &&
           addr < wp->hitaddr + wp->len;
}

static void check_watchpoints(CPUState *cs, hwaddr addr, hwaddr len, int kind)
{
    CPUWatchpoint *wp;

    if (kind == BP_MEM_WRITE && is_looked_for(cs, addr, len)) {
        stop_for(cs, cpu_ram_watchpoint(cs));
        return;
    }
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

void fugu_transfer_came(FuguNode *node, const FuguPacket *p, hwaddr addr,
                        hwaddr len, int64_t time)
{
    if (is_looked_for(CPU(&node->cpu), addr, len)) {
        node->came = (FuguCame) {
            .source = p->source,
            .mode = p->mode,
            .from = p->from,
            .dest = addr,
            .bytes = len,
            .issued = p->issued,
            .time = time,
        };
    }
    fugu_transfer_wrote(node, addr, len);
}

void fugu_transfer_read(FuguNode *node, hwaddr addr, hwaddr len)
{
    check_watchpoints(CPU(&node->cpu), addr, len, BP_MEM_READ);
}
