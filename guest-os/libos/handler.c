/*
 * Stacks of handlers, and handlers that become threads.
 *
 * Handlers run on the unit that the upcalls' stack pointers name. One unit
 * more is kept ready for a handler that interrupts another, which has ended
 * its atomic section. What a handler interrupted lies beneath it, in its
 * stub's frame. If anything but the handler's return is to come next, that
 * context is moved to the stack of the thread that it belongs to, and is then
 * like that of a thread which has been switched away from.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

static void handlers_run_on(struct udm_thread *unit)
{
    UPCALL->message.sp = (uintptr_t)unit_stub(unit);
    UPCALL->buffered.sp = (uintptr_t)unit_stub(unit);
}

static struct udm_thread *spare_unit(void)
{
    return unit_of(UPCALL->spare);
}

/* Another spare unit than the one that is being used. */
static void spare_take(void)
{
    struct udm_thread *unit = unit_take();

    if (!unit) {
        library_abort("no stack is left for handlers");
    }
    unit_clear(unit);
    UPCALL->spare = (uintptr_t)unit_stub(unit);
}

void handler_init(void)
{
    struct udm_thread *unit = unit_take();      /* the first always exists */

    unit_clear(unit);
    handlers_run_on(unit);
    spare_take();
    UPCALL->message.entry = (uintptr_t)message_stub;
    UPCALL->buffered.entry = (uintptr_t)buffered_stub;
}

/* ---- Interrupted contexts ----------------------------------------------- */

/* Word k of the message that is being described. */
static volatile uint32_t *out_word(unsigned k)
{
    return (volatile uint32_t *)(FUGU_NI_USER_BASE + FUGU_U_OUT) + k;
}

/*
 * Half a message has been described. A handler that sends one of its own
 * writes over it, and launches no more than it has written itself.
 */
void descriptor_save(struct stub_frame *frame)
{
    uint32_t length;

    UDM_LOAD_(FUGU_U_DESC_LEN, length);
    for (uint32_t k = 0; k < length; k++) {
        frame->descriptor[k] = *out_word(k);
    }
    frame->extra = length;
}

/* What the stub does not bring back by itself. */
void context_restore(struct stub_frame *frame)
{
    faults_hide();
    for (uint32_t k = 0; k < (frame->extra & EXTRA_DESCRIPTOR); k++) {
        *out_word(k) = frame->descriptor[k];
    }
    if (frame->extra & EXTRA_FPU) {
        UPCALL->fp.valid = 0;   /* by a handler, after fp_keep() */
        glaze_fp_load(&frame->fp);
    }
    frame->extra = 0;
    faults_show();
}

/*
 * Moves values that the interrupted code had in the FPU to the frame. The
 * kernel puts them into the upcall page by itself if a handler uses the FPU,
 * and brings them back at its end, but it knows of one upcall alone. Caller
 * must have flushed the windows.
 */
static void fp_keep(struct stub_frame *frame)
{
    if (!(frame->window.l[0] & PSR_EF)) {
        return;
    }
    if (frame->extra & EXTRA_FPU) {
        /* Kept already; what has been put aside since is a handler's. */
    } else if (UPCALL->fp.valid) {
        frame->fp = UPCALL->fp;
    } else {
        glaze_fp_save(&frame->fp);
    }
    frame->extra |= EXTRA_FPU;
    UPCALL->fp.valid = 0;
}

/*
 * Moves the context that this unit's handler interrupted to the stack that it
 * ran on, and makes it that of `thread`, which is ready. Caller must have
 * flushed the windows.
 */
static void context_move(struct udm_thread *unit, struct udm_thread *thread)
{
    struct stub_frame *from = unit_stub(unit);
    struct stub_frame *to = (struct stub_frame *)from->window.fp - 1;

    fp_keep(from);
    *to = *from;
    if (from->kind) {
        to->window.l[6] = from->g4;
        to->window.l[7] = from->y;
    }
    from->extra = 0;
    to->extra |= EXTRA_FAULTS;
    thread->context.sp = (uintptr_t)to;
    thread->context.pc = (uintptr_t)stub_resume - 8;
    ready_put_first(thread);
}

/* ---- What stub_special asks for ----------------------------------------- */

void handler_special(struct stub_frame *frame)
{
    struct udm_thread *unit = unit_of((uintptr_t)frame);

    faults_hide();
    descriptor_save(frame);
    if ((uintptr_t)frame == UPCALL->spare) {
        unit->below = unit_of(UPCALL->message.sp);
        glaze_flush_windows();  /* that stub's among them */
        fp_keep(unit_stub(unit->below));
        handlers_run_on(unit);
        spare_take();
    }
    faults_show();
}

void handler_special_end(struct stub_frame *frame)
{
    struct udm_thread *unit = unit_of((uintptr_t)frame);

    UDM_BEGINATOM(FUGU_UAC_USER);       /* the handler may have ended it */
    if (!in_handler()) {
        return;                 /* it had become a thread, which ends now */
    }
    faults_hide();
    if (unit->below) {          /* a handler, which outranks all threads */
        handlers_run_on(unit->below);
        /* By its stub, which has yet to look, or is made to look again. */
        UPCALL->wanted |= unit_stub(unit->below)->extra;
        unit->below = NULL;
        unit_free(unit);        /* we leave it before anybody can take it */
    } else if (UPCALL->wanted) {
        handler_end();          /* back again if it was for nothing */
    }
    faults_show();
}

/* ---- Handlers that become threads --------------------------------------- */

/*
 * A unit with a handler on it becomes a thread that nobody joins. When the
 * handler returns, its stub "returns" to the thread's end.
 */
static void become_thread(struct udm_thread *unit)
{
    struct window *stub = &unit_stub(unit)->window;

    stub->l[1] = (uintptr_t)thread_end;
    stub->l[2] = (uintptr_t)thread_end + 4;
    stub->l[6] = 0;             /* buffered_stub's bound: its loop ends */
    stub->fp = (uintptr_t)unit - FRAME;         /* the base frame */
    stub->i7 = 0;
    unit->priority = UDM_HIGH;
    unit->joinable = false;
    unit->below = NULL;
}

/*
 * All that lies beneath the handler on this unit: handlers that have been
 * interrupted become threads, what the first of them interrupted is the
 * current thread's.
 */
static void move_all_below(struct udm_thread *unit)
{
    struct udm_thread *below = unit->below;

    if (below) {
        move_all_below(below);
        become_thread(below);
    }
    context_move(unit, below ? below : UPCALL->current);
    unit->below = NULL;
}

void handler_detach(void)
{
    struct udm_thread *unit = unit_of(UPCALL->message.sp);

    glaze_flush_windows();
    move_all_below(unit);
    become_thread(unit);
    UPCALL->current = unit;
    handlers_run_on(spare_unit());
    spare_take();
}

/* ---- A handler's end that another thread has waited for ----------------- */

/*
 * The handler has returned to its stub, whose frame is our caller's; its unit
 * stays the handlers'. Returns if the interrupted thread is to go on.
 */
void handler_end(void)
{
    struct udm_thread *unit = unit_of(UPCALL->message.sp);

    UDM_BEGINATOM(FUGU_UAC_USER);       /* it may have ended it */
    if (!in_handler()) {
        return;                 /* it had become a thread, which ends now */
    }
    faults_hide();
    UPCALL->wanted = 0;
    if (!ready_better()) {
        faults_show();
        return;
    }
    glaze_flush_windows();
    move_all_below(unit);
    UPCALL->current = unit;     /* its context will be forgotten */
    switch_to(ready_take(0));
}
