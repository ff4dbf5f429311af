/*
 * Upcalls of a library that sets the rights to views of pages; alarms.
 *
 * entry/denied.S makes the rights upcall of a load or store outside of atomic
 * sections. All others come here: memory_touch() has noted what was denied.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/delivery.h"
#include "delivery/rights.h"
#include "delivery/upcall.h"
#include "machine/hardware.h"
#include "buffer/end.h"
#include "machine/ni.h"

/* Begins an upcall with the FPU as the interrupted code has it. */
static bool rights_begin(unsigned which)
{
    struct registers *r = &current->registers;

    if (!upcall_begin(which, FUGU_UAC_INTERRUPT_DISABLE)) {
        return false;
    }
    r->psr |= r->window[0].local[0] & PSR_EF;
    return true;
}

static void deny(void)
{
    uint32_t address = current->denied_address, word = 0;

    current->rights &= ~RIGHTS_DENIED;
    if (!upcall_room()) {
        if (current->rights & RIGHTS_DENIED) {  /* the stack is a view */
            current->rights &= ~RIGHTS_DENIED;
            job_fault_at(current, "stack overflow, or bad stack pointer",
                         current->denied_address & ~GLAZE_RIGHTS_STORE);
        }
        return;                 /* the access is tried again, and denied */
    }
    if (ni_uac() & DELIVERY_SECTION) {
        word = delivery_suspend();
    }
    if (rights_begin(GLAZE_U_RIGHTS)) {
        current->registers.out[0] = address;
        current->registers.out[1] = word;
    }
}

static void alarm(void)
{
    uint32_t uac = ni_uac();

    if (uac & DELIVERY_SECTION) {
        ni_set_uac(uac | FUGU_UAC_ATOMICITY_EXTEND);
    } else if (!process_upcall(current)->alarm.entry ||
               rights_begin(GLAZE_U_ALARM)) {
        current->rights &= ~RIGHTS_DUE;
    }
}

static void signal(void)
{
    uint32_t uac = ni_uac();

    if (uac & DELIVERY_SECTION) {
        ni_set_uac(uac | FUGU_UAC_ATOMICITY_EXTEND);
    } else if (!process_upcall(current)->signal.entry ||
               upcall_begin(GLAZE_U_SIGNAL, FUGU_UAC_INTERRUPT_DISABLE)) {
        current->rights &= ~RIGHTS_SIGNAL;
    }
}

void rights_work(void)
{
    if (current->rights & RIGHTS_DENIED) {
        deny();
    }
    if (current->rights & RIGHTS_ALARM && now() >= current->alarm) {
        current->rights ^= RIGHTS_ALARM | RIGHTS_DUE;
    }
    if (current->rights & RIGHTS_DUE) {
        alarm();
    }
    if (current->rights & RIGHTS_SIGNAL) {
        signal();
    }
}
