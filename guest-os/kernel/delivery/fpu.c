/*
 * The floating-point unit.
 *
 * A process gets the FPU with its first FPU instruction, and keeps it. The
 * code that an upcall interrupts may have values in the FPU. So an upcall
 * begins with the FPU off. A handler that uses the FPU traps, and the kernel
 * puts those values aside.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>

#include "delivery/upcall.h"
#include "machine/hardware.h"
#include "machine/ni.h"
#include "delivery/fpu.h"
#include "memory/memory.h"

/* fpu.S */
_Static_assert(offsetof(struct glaze_fp, fsr) == 4 &&
               offsetof(struct glaze_fp, f) == 8, "as fpu.S writes it");
void fp_save(struct glaze_fp *fp);
void fp_load(const struct glaze_fp *fp);
void fp_queue(uint32_t queue[2]);

static struct process *owner;   /* NULL: no process has used the FPU yet */

/*
 * Once a process has used the FPU, the FPU holds only values of the process
 * that runs, because users can set EF without the kernel (vectors.S).
 */
void fpu_switch(struct process *p)
{
    if (owner && owner != p && p->gid != GID_NONE) {
        fp_save(&owner->fp);
        fp_load(&p->fp);
        owner = p;
    }
}

/* The contents are dead: makes idle the owner. */
void fpu_forget(struct process *p)
{
    owner = owner == p ? idle : owner;
}

/*
 * If the current process has not used the FPU yet, gives it one full of zeros.
 */
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
 * Finds the window of the message upcall on the current stack: its locals and
 * ins are the PSR and the outs of the interrupted code. Returns NULL if the stack
 * is not a message upcall's, or if the window is in a page that is not in memory:
 * then *late is set. `space` is for a window that is on the stack.
 *
 * The upcall's window is the one with the stack pointer that the upcall page
 * names. If the upcall's window is the current one, a leaf function may have
 * moved %sp. Then %fp, the interrupted code's %sp, shows that the window is
 * the upcall's: it points to another stack.
 */
static const struct window *upcall_window(struct window *space, bool *late)
{
    const struct registers *r = &current->registers;
    uint32_t base = process_upcall(current)->message.sp;

    *late = false;
    if ((r->out[6] ^ base) >= GLAZE_STACK_SIZE) {
        return NULL;
    }
    if ((r->window[0].in[6] ^ base) >= GLAZE_STACK_SIZE) {
        return &r->window[0];
    }
    for (unsigned k = 1; k < r->windows; k++) {
        if (registers_sp(r, k) == base) {
            return &r->window[k];
        }
    }
    switch (memory_read(current, space, base, sizeof(*space))) {
    case MEMORY_OK:
        return space;
    case MEMORY_LATER:
        *late = true;
        return NULL;
    default:
        return NULL;
    }
}

/*
 * Saves the values of the code that this upcall has interrupted in the upcall
 * page, which is pinned.
 */
static void put_aside(const struct window *upcall)
{
    struct glaze_fp *fp = &process_upcall(current)->fp;

    fp_save(fp);
    fp->valid = 1;
    current->aside_sp = upcall->in[6];
    /* The upcall's end must come to C, which loads them again. */
    ni_set_uac(ni_uac() | FUGU_UAC_ATOMICITY_EXTEND);
}

void fpu_use(void)
{
    struct window space;
    const struct window *upcall;
    bool late;

    if (!current->fp.valid) {
        take();
    } else {
        upcall = upcall_window(&space, &late);
        if (late) {
            return;
        }
        if (upcall && upcall->local[0] & PSR_EF && !fpu_put_aside()) {
            put_aside(upcall);
        }
    }
    current->registers.psr |= PSR_EF;
    process_upcall(current)->ends |= PSR_S;
}

bool fpu_put_aside(void)
{
    return process_upcall(current)->fp.valid;
}

/*
 * The values belong to the code with the stack pointer that was noted. An alarm
 * or a signal may have interrupted a handler that has ended its section: the
 * values stay aside until that handler ends.
 */
void fpu_upcall_end(void)
{
    struct glaze_fp *fp = &process_upcall(current)->fp;

    if (fp->valid && current->registers.out[6] == current->aside_sp) {
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
