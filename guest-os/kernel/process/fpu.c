/*
 * The floating-point unit.
 *
 * A process gets it with its first instruction for it, and keeps it. What an
 * upcall interrupts may have values in it: the upcall begins with the FPU
 * off, and a handler that wants it brings us here, to put them aside.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fpu.h"
#include "hardware.h"
#include "memory.h"
#include "ni.h"
#include "upcall.h"

/* fpu.S */
void fp_save(struct glaze_fp *fp);
void fp_load(const struct glaze_fp *fp);
void fp_queue(uint32_t queue[2]);

static struct process *owner;   /* NULL: nobody has used it yet */

/*
 * Once anybody has used the FPU, it holds values of the process that runs and
 * of no other: users can set EF without asking (upcall.S).
 */
void fpu_switch(struct process *p)
{
    if (owner && owner != p && p->gid != GID_NONE) {
        fp_save(&owner->fp);
        fp_load(&p->fp);
        owner = p;
    }
}

/* What it has left there is nobody's, and goes to where nobody looks. */
void fpu_forget(struct process *p)
{
    owner = owner == p ? idle : owner;
}

/* The first use of the current process, which finds zeros. */
static void take(void)
{
    if (!current->fp.valid) {
        current->fp.valid = 1;
        fp_load(&current->fp);
        owner = current;
    }
}

enum memory_result fpu_save(uint32_t address)
{
    struct glaze_fp fp = { .valid = 1 };

    take();
    fp_save(&fp);
    return memory_write(current, address, &fp, sizeof(fp));
}

enum memory_result fpu_load(uint32_t address)
{
    struct glaze_fp fp;
    enum memory_result result = memory_read(current, &fp, address,
                                            sizeof(fp));
    uint32_t none = 0;

    if (result == MEMORY_OK && fp.valid) {
        result = memory_write(current, address, &none, sizeof(none));
    }
    if (result == MEMORY_OK && fp.valid) {
        take();
        fp_load(&fp);
    }
    return result;
}

uint32_t fpu_register(unsigned number)
{
    struct glaze_fp fp;

    fp_save(&fp);
    return fp.f[number];
}

uint32_t fpu_status(void)
{
    struct glaze_fp fp;

    fp_save(&fp);
    return fp.fsr;
}

/*
 * Finds the PSR that the upcall on this stack has interrupted; 0 if the stack
 * is not an upcall's. Returns MEMORY_LATER if the PSR is in a page that is not
 * in memory.
 *
 * The upcall's window has the stack pointer that the upcall page names. While
 * it is the current one it may run a leaf function, which has moved %sp: then
 * its %fp, which is the interrupted code's %sp, tells.
 */
static enum memory_result interrupted_psr(uint32_t *psr)
{
    const struct registers *r = &current->registers;
    uint32_t base = process_upcall(current)->message.sp;

    *psr = 0;
    if ((r->out[6] ^ base) >= GLAZE_STACK_SIZE) {
        return MEMORY_OK;
    }
    if ((r->window[0].in[6] ^ base) >= GLAZE_STACK_SIZE) {
        *psr = r->window[0].local[0];
        return MEMORY_OK;
    }
    for (unsigned k = 1; k < r->windows; k++) {
        if (registers_sp(r, k) == base) {
            *psr = r->window[k].local[0];
            return MEMORY_OK;
        }
    }
    return memory_read(current, psr, base, sizeof(*psr));
}

/* The values are the interrupted code's, in the pinned upcall page. */
static void put_aside(void)
{
    struct glaze_fp *fp = &process_upcall(current)->fp;

    fp_save(fp);
    fp->valid = 1;
    /* The upcall's end must come to C, to undo this. */
    ni_set_uac(ni_uac() | FUGU_UAC_ATOMICITY_EXTEND);
}

void fpu_use(void)
{
    uint32_t psr;

    if (!current->fp.valid) {
        take();
    } else if (interrupted_psr(&psr) == MEMORY_LATER) {
        return;
    } else if (psr & PSR_EF && !fpu_put_aside()) {
        put_aside();
    }
    current->registers.psr |= PSR_EF;
}

bool fpu_put_aside(void)
{
    return process_upcall(current)->fp.valid;
}

void fpu_upcall_end(void)
{
    struct glaze_fp *fp = &process_upcall(current)->fp;

    if (fp->valid) {
        take();
        fp_load(fp);
        fp->valid = 0;
    }
}

void fpu_exception(void)
{
    uint32_t queue[2] __attribute__((aligned(8)));

    fp_queue(queue);
    current->registers.pc = queue[0];
}
