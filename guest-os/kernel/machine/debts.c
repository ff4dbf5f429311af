/*
 * Debts.
 *
 * The machine charges each cycle to a GID: to that of the process that has the
 * network interface, or to that of a message while the kernel inserts it
 * (docs/machine.md, "Counters"). So what is charged to a process while it does
 * not run is the time of insertions. Other work of the kernel for a process is
 * charged by debts_charge(), which the counter does not see.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/debts.h"

void debts_leave(struct process *p)
{
    p->cycles = meter_read(p->gid, FUGU_METER_CYCLES);
}

/*
 * Messages for a process that has ended may take WASTE_MOST cycles of WASTE_TIME: a
 * tenth, as the scheduler's server may. A job that sends more is suspended as long
 * as WASTE_TIME.
 */
#define WASTE_TIME      500000
#define WASTE_MOST      50000

__attribute__((cold)) void debts_waste(struct process *p)
{
    uint64_t t = now();
    uint64_t cost = meter_read(p->gid, FUGU_METER_CYCLES) + p->waste_of_commands;

    if (t - p->waste_from > WASTE_TIME) {
        p->waste_from = t;
        p->waste_before = cost;
    }
    if (cost - p->waste_before > WASTE_MOST && !p->overflows) {
        p->overflows = true;
        p->waste_end = t + WASTE_TIME;
        chores_wait |= CHORE_OVERFLOW;
    }
}

void debts_charge(unsigned gid, uint64_t cycles)
{
    struct process *p = gid <= processes_last ? processes[gid] : NULL;

    if (p && process_has_ended(p)) {
        p->waste_of_commands += cycles;
        debts_waste(p);
    } else if (p && p != current) {
        p->charged += cycles;
    }
}

uint64_t debts_note(bool counts)
{
    uint64_t sum = 0;

    for (unsigned gid = 1; gid <= processes_last; gid++) {
        struct process *p = processes[gid];

        if (p && p != current && !process_has_ended(p)) {
            uint64_t before = p->cycles, spent;

            debts_leave(p);
            spent = counts ? p->cycles - before + p->charged : 0;
            p->debt += spent;
            sum += spent;
        }
        if (p) {
            p->charged = 0;
        }
    }
    return sum;
}

uint64_t debts_pay(struct process *p, uint64_t most)
{
    uint64_t paid = p->debt < most ? p->debt : most;

    p->debt -= paid;
    return paid;
}

void debts_forget(void)
{
    for (unsigned gid = 1; gid <= processes_last; gid++) {
        if (processes[gid]) {
            processes[gid]->debt = 0;
        }
    }
}
