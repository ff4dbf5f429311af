/*
 * Maps over the network: what all files of this folder use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/chores.h"
#include "machine/hardware.h"
#include "services/shrimp/state.h"

struct shrimp_node *shrimp;

uint32_t shrimp_paging = SHRIMP_PIN;

/* Cycles until the chore looks again for what does not interrupt: credits, the Incoming
 * FIFO, a page that another node has asked for before. */
#define POLL            600

void shrimp_note(void)
{
    chores_wait |= CHORE_SHRIMP;
}

void shrimp_poll(void)
{
    chores_later(CHORE_SHRIMP, now() + POLL);
}

void shrimp_wait_for(unsigned what)
{
    process_wait();
    current->waits_for = what;
}

void shrimp_wake(struct process *p, unsigned what)
{
    if (p->waits_for == what) {
        process_wake(p);
    }
}

struct process *shrimp_of_job(uint32_t number)
{
    for (unsigned gid = 1; gid <= processes_last; gid++) {
        if (processes[gid] && processes[gid]->number == number) {
            return processes[gid];
        }
    }
    return NULL;
}

void shrimp_arrive(struct process *p)
{
    p->shrimp->arrived = true;
    shrimp_wake(p, SHRIMP_WAITS_UPDATE);
}
