/*
 * Upcalls made from C. receive.S does in registers what this file does in the
 * process's page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "delivery/upcall.h"
#include "machine/hardware.h"
#include "buffer/end.h"
#include "machine/ni.h"
#include "memory/memory.h"

uint32_t atomicity_timeout = 10000;

void registers_skip(struct registers *r)
{
    r->pc = r->npc;
    r->npc += 4;
}

uint32_t registers_sp(const struct registers *r, unsigned k)
{
    return k ? r->window[k - 1].in[6] : r->out[6];
}

/*
 * Returns whether a copy from or to a stack has worked. Ends the job if that
 * cannot work later either.
 */
static bool stack_ok(enum memory_result result, uint32_t sp)
{
    if (result == MEMORY_OK && !(sp & 7)) {
        return true;
    }
    if (result != MEMORY_LATER) {
        job_fault_at(current, sp & 7 ? "stack pointer not a multiple of 8"
                                     : "stack overflow, or bad stack pointer",
                     sp);
    }
    return false;
}

bool registers_spill(void)
{
    struct registers *r = &current->registers;
    unsigned oldest = r->windows - 1;
    uint32_t sp = registers_sp(r, oldest);

    if (!stack_ok(memory_write(current, sp & ~7u, &r->window[oldest],
                               sizeof(r->window[0])), sp)) {
        return false;
    }
    r->windows = oldest;
    return true;
}

bool registers_refill(void)
{
    struct registers *r = &current->registers;
    uint32_t sp = registers_sp(r, r->windows);

    if (!stack_ok(memory_read(current, &r->window[r->windows], sp & ~7u,
                              sizeof(r->window[0])), sp)) {
        return false;
    }
    r->windows++;
    return true;
}

/* Six windows at most: a user has seven, and one of them is the upcall's. */
bool upcall_room(void)
{
    return current->registers.windows < NWINDOWS - 1 || registers_spill();
}

bool upcall_begin(unsigned which, uint32_t bits)
{
    struct registers *r = &current->registers;
    const struct glaze_upcall *upcall =
        (struct glaze_upcall *)((uint32_t)process_upcall(current) + which);
    uint32_t uac = ni_uac();

    if (!upcall_room()) {
        return false;
    }
    memmove(&r->window[1], &r->window[0], r->windows * sizeof(r->window[0]));
    r->windows++;
    r->window[0].local[0] = r->psr | PSR_SPARCLE;     /* as the hardware's */
    r->window[0].local[1] = r->pc;
    r->window[0].local[2] = r->npc;
    memcpy(r->window[0].in, r->out, sizeof(r->out));
    r->out[6] = upcall->sp;
    r->out[7] = upcall->entry;
    r->psr &= ~PSR_EF;
    r->pc = r->out[7] & ~3u;
    r->npc = r->pc + 4;
    ni_set_uac(uac | bits);
    return true;
}

void upcall_message(unsigned which)
{
    upcall_begin(which, FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_TIMER_FORCE |
                        FUGU_UAC_DISPOSE_PENDING);
}

bool upcall_leave(void)
{
    struct registers *r = &current->registers;
    struct window *upcall = &r->window[0];

    if (r->windows == 1 && !registers_refill()) {
        return false;
    }
    r->psr = (r->psr & ~(PSR_ICC | PSR_EF)) |
             (upcall->local[0] & (PSR_ICC | PSR_EF));
    r->pc = upcall->local[1] & ~3u;
    r->npc = upcall->local[2] & ~3u;
    memcpy(r->out, upcall->in, sizeof(r->out));
    r->windows--;
    memmove(&r->window[0], &r->window[1], r->windows * sizeof(r->window[0]));
    return true;
}
