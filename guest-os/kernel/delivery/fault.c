/*
 * Page-fault upcalls: a page comes from backing store while the process goes
 * on with other work.
 *
 * The pages that the process has asked for are in a queue. They come one after
 * the other, and the library matches the count of arrivals with its queue of
 * threads. Only faults on pages of program and heap become upcalls: a page of
 * a stack may be needed to save the faulting context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "delivery/delivery.h"
#include "delivery/fault.h"
#include "delivery/upcall.h"
#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/gids.h"
#include "buffer/end.h"
#include "machine/ni.h"
#include "delivery/control.h"
#include "memory/space.h"

static void reflect(uint32_t page, uint32_t word)
{
    struct registers *r = &current->registers;

    if (upcall_begin(GLAZE_U_FAULT, FUGU_UAC_INTERRUPT_DISABLE)) {
        r->out[0] = page;
        r->out[1] = word;
    }
}

static bool takes_faults(const struct process *p)
{
    return process_upcall(p)->fault.entry;
}

bool fault_reflect(uint32_t address)
{
    uint32_t word = 0;

    if (!takes_faults(current) || address < GLAZE_PROGRAM ||
        address >= GLAZE_PROGRAM_END || current->faults == FAULTS_MAX) {
        return false;
    }
    if (!upcall_room()) {
        return false;           /* first the page of the stack has to come */
    }
    delivery_free_network(GLAZE_IN_FAULT);
    current->fault[current->faults++] = address & ~(GLAZE_PAGE - 1);
    gids_add(&processes_needy, current->gid);
    chores_wait |= CHORE_PAGER;
    if (ni_uac() & DELIVERY_SECTION) {
        word = delivery_suspend();
    }
    reflect(address & ~(GLAZE_PAGE - 1), word);
    return true;
}

bool fault_arrived(const struct process *p)
{
    return p->info->arrivals != process_upcall(p)->arrivals;
}

void fault_came(struct process *p)
{
    while (p->faults && !space_is_out(p, p->fault[0])) {
        p->faults--;
        memmove(&p->fault[0], &p->fault[1], p->faults * sizeof(p->fault[0]));
        p->info->arrivals++;
        process_wake(p);
    }
}

bool fault_stop(struct process *p)
{
    if (p != current || p->state == PROCESS_PAGING) {
        return false;
    }
    process_wake(p);
    process_wait_for_page(p, p->fault[0]);
    chores_wait |= CHORE_PAGER;
    process_switch(idle);
    return true;
}

void fault_settle(void)
{
    uint32_t uac = ni_uac();

    if (!fault_arrived(current)) {
        return;
    }
    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        ni_set_uac(uac | FUGU_UAC_ATOMICITY_EXTEND);
    } else if (takes_faults(current)) {
        reflect(0, 0);
    }
}

void fault_resume(void)
{
    uint32_t word = current->registers.out[0];

    if (word && !delivery_may_resume(word)) {
        job_fault(current, "no atomic section to resume behind a page fault");
    } else if (upcall_leave()) {
        if (word) {
            delivery_resume(word);
        } else {
            delivery_endatom(FUGU_UAC_USER);
        }
    }
}
