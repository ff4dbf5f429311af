/*
 * Breakpoints and watchpoints, out of the way of a journey
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "accel/tcg/ram-watchpoint.h"
#include "exec/cputlb.h"
#include "exec/tb-flush.h"
#include "hw/fugu/history/held.h"
#include "hw/fugu/node/node.h"

#define MOVE_ALL(to, from) do {                                         \
        typeof(QTAILQ_FIRST(from)) one_;                                \
        while ((one_ = QTAILQ_FIRST(from))) {                           \
            QTAILQ_REMOVE(from, one_, entry);                           \
            QTAILQ_INSERT_TAIL(to, one_, entry);                        \
        }                                                               \
    } while (0)

FuguHeld fugu_hold(FuguMachineState *m)
{
    FuguHeld held = {
        .breakpoints = g_new(FuguBreakpoints, m->options.node_count),
        .watchpoints = g_new(FuguWatchpoints, m->options.node_count),
    };

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        CPUState *cs = CPU(&m->parts.nodes[i]->cpu);

        QTAILQ_INIT(&held.breakpoints[i]);
        QTAILQ_INIT(&held.watchpoints[i]);
        MOVE_ALL(&held.breakpoints[i], &cs->breakpoints);
        MOVE_ALL(&held.watchpoints[i], &cs->watchpoints);
        if (cpu_ram_watchpoint(cs)) {
            held.watcher = cs;
            held.ram_watchpoint = cpu_ram_watchpoint(cs);
            cpu_watch_ram(cs, NULL);
        }
        cs->watchpoint_hit = NULL;
        cpu_single_step(cs, 0);
    }
    return held;
}

void fugu_give_back(FuguMachineState *m, FuguHeld *held)
{
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        CPUState *cs = CPU(&m->parts.nodes[i]->cpu);

        MOVE_ALL(&cs->breakpoints, &held->breakpoints[i]);
        MOVE_ALL(&cs->watchpoints, &held->watchpoints[i]);
        /* No block that contains a breakpoint may be found there. */
        tcg_flush_jmp_cache(cs);
        if (!QTAILQ_EMPTY(&cs->watchpoints)) {
            /* TLBs must know what is watched. */
            tlb_flush(cs);
        }
    }
    if (held->watcher) {
        cpu_watch_ram(held->watcher, held->ram_watchpoint);
    }
    g_free(held->breakpoints);
    g_free(held->watchpoints);
}
