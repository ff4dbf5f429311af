/*
 * Stacks of handlers, and handlers that become threads.
 *
 * Handlers run on the unit that the stack pointers in the upcall page name. A
 * handler that has ended its atomic section can be interrupted by another
 * handler, which runs on the spare unit. One spare unit is always ready.
 *
 * The stub frame of a handler's unit holds the context of the code that the
 * handler has interrupted. Normally the stub returns to that code. If another
 * thread has to run first, context_move() copies the context to the stack of
 * the thread to which it belongs. The thread then looks as if it had called
 * switch_to(), and the ready queue can hold it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "library.h"

static void handlers_run_on(struct udm_thread *unit)
{
    UPCALL->message.sp = (uintptr_t)unit_stub(unit);
    UPCALL->buffered.sp = (uintptr_t)unit_stub(unit);
    UPCALL->signal.sp = (uintptr_t)unit_stub(unit);     /* lib/mbcf */
}

static struct udm_thread *spare_unit(void)
{
    return unit_of(LIBRARY->spare);
}

/* Makes a fresh unit the spare one, because the old one is in use now. */
static void spare_take(void)
{
    struct udm_thread *unit = unit_take();

    if (!unit) {
        library_abort("no stack is left for handlers");
    }
    unit_clear(unit);
    LIBRARY->spare = (uintptr_t)unit_stub(unit);
}

/* N, Z, V and C are bits 3 to 0 of the index. No user's instruction sets N and
 * Z. Only tsubcc of two equal words with tags sets Z and V without C. */
static const struct flags flags[FLAGS] = {
    [0x0] = { 4, 0 },
    [0x1] = { 0xfff00004, 0x00100000 },
    [0x2] = { 1, 0 },                           /* 1 is a tag */
    [0x3] = { 0x80000004, 0x80000000 },
    [0x4] = { 0, 0 },
    [0x5] = { 0xfff00000, 0x00100000 },
    [0x6] = { 0, FLAGS_NONE },
    [0x7] = { 0x80000000, 0x80000000 },
    [0x8] = { 0x80000000, 0 },
    [0x9] = { 0xfffffffc, 0xfff00000 },
    [0xa] = { 0x7ffffffc, 0x00100000 },
    [0xb] = { 0xfffffffd, 0xfff00000 },         /* 1 is a tag */
    [0xc] = { 0, FLAGS_NONE },
    [0xd] = { 0, FLAGS_NONE },
    [0xe] = { 0, FLAGS_NONE },
    [0xf] = { 0, FLAGS_NONE },
};

void handler_init(void)
{
    bool soft = glaze_info(GLAZE_I_SOFT);
    struct udm_thread *unit = unit_take();      /* never NULL for the first
                                                   unit */

    unit_clear(unit);
    handlers_run_on(unit);
    spare_take();
    for (unsigned k = 0; k < FLAGS; k++) {
        LIBRARY->flags[k].a = flags[k].a;
        LIBRARY->flags[k].b = flags[k].b;
    }
    handler_end_want(false);
    UPCALL->message.entry = (uintptr_t)(soft ? trapping_stub : message_stub);
    UPCALL->buffered.entry = (uintptr_t)buffered_stub;
}

/* ---- Interrupted contexts ----------------------------------------------- */

/* Returns the address of word k of the output window. */
static volatile uint32_t *out_word(unsigned k)
{
    return (volatile uint32_t *)(FUGU_NI_USER_BASE + FUGU_U_OUT) + k;
}

/*
 * Saves the words of the output window, which describe a message that is not
 * complete. A handler that sends a message overwrites these words.
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

/* Restores the parts of the context that the stub's window does not hold. */
void context_restore(struct stub_frame *frame)
{
    faults_hide();
    for (uint32_t k = 0; k < (frame->extra & EXTRA_DESCRIPTOR); k++) {
        *out_word(k) = frame->descriptor[k];
    }
    if (frame->extra & EXTRA_FPU) {
        UPCALL->fp.valid = 0;   /* drops a handler's values */
        glaze_fp_load(&frame->fp);
    }
    frame->extra = 0;
    faults_show();
}

/*
 * Returns where the window of the stub on `unit` is in memory, if the code on the
 * unit runs, or was interrupted, with the stack pointer `sp`. That is in the
 * stub's frame, with one exception: a handler that calls no function runs in the
 * stub's window, and may have moved its %sp. Then the window is at `sp`, and
 * shows it: its %fp points to the stack of the code that the stub has
 * interrupted. Caller must have flushed the windows.
 */
static struct window *stub_window(struct udm_thread *unit, uint32_t sp)
{
    struct window *window = (struct window *)sp;

    return unit_holds(unit, window->fp) ? &unit_stub(unit)->window : window;
}

/*
 * Moves the values that the interrupted code had in the FPU to the frame.
 *
 * If a handler uses the FPU, the kernel moves these values to the upcall page
 * and restores them at the upcall's end. But the upcall page has room for one
 * upcall only, so the library keeps them when a second one comes, or when
 * another thread is to run. `psr` is the interrupted code's.
 */
static void fp_keep(struct stub_frame *frame, uint32_t psr)
{
    if (!(psr & PSR_EF)) {
        return;
    }
    if (frame->extra & EXTRA_FPU) {
        /* The frame holds these values already. Those in the upcall page are a
         * handler's, and are dropped. */
    } else if (UPCALL->fp.valid) {
        frame->fp = UPCALL->fp;
    } else {
        glaze_fp_save(&frame->fp);
    }
    frame->extra |= EXTRA_FPU;
    UPCALL->fp.valid = 0;
}

/*
 * Copies the frame of a stub, without the members that `extra` says hold
 * nothing. A memcpy() of the whole frame would take 500 cycles.
 */
static void frame_copy(struct stub_frame *to, const struct stub_frame *from)
{
    window_copy(&to->window, &from->window);
    to->extra = from->extra;
    if (from->extra & EXTRA_DESCRIPTOR) {
        memcpy(to->descriptor, from->descriptor, sizeof(to->descriptor));
    }
    if (from->extra & EXTRA_FPU) {
        to->fp = from->fp;
    }
}

/*
 * Moves the context that the handler on `unit` has interrupted to the stack of
 * that context, and makes it the context of `thread`, which becomes ready. `stub`
 * is the window of the unit's stub.
 */
static void context_move(struct udm_thread *unit, const struct window *stub,
                         struct udm_thread *thread)
{
    struct stub_frame *from = unit_stub(unit);
    struct stub_frame *to = (struct stub_frame *)stub->fp - 1;

    fp_keep(from, stub->l[0]);
    if (stub != &from->window) {
        window_copy(&from->window, stub);
    }
    frame_copy(to, from);
    to->kind = 0;
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

/* ---- Called by stub_special --------------------------------------------- */

/*
 * Before the handler: saves a half-described message. If the stub has taken
 * the spare unit, because it has interrupted another handler, later handlers
 * run on this unit too.
 */
void handler_special(struct stub_frame *frame)
{
    struct udm_thread *unit = unit_of((uintptr_t)frame);

    faults_hide();
    descriptor_save(frame);
    if ((uintptr_t)frame == LIBRARY->spare) {
        unit->below = unit_of(UPCALL->message.sp);
        windows_flush();
        fp_keep(unit_stub(unit->below),
                stub_window(unit->below, frame->window.fp)->l[0]);
        handlers_run_on(unit);
        spare_take();
    }
    faults_show();
}

/*
 * After the handler: if the handler has interrupted another one, gives its
 * unit back. Otherwise lets a thread of higher rank run, as handler_end()
 * does.
 */
void handler_special_end(struct stub_frame *frame)
{
    struct udm_thread *unit = unit_of((uintptr_t)frame);

    /* The handler may have closed its atomic section. */
    UDM_BEGINATOM(FUGU_UAC_USER);
    if (!in_handler()) {
        return;                 /* the handler became a thread; it ends now */
    }
    faults_hide();
    if (unit->below) {          /* back to a handler: no thread may run */
        handlers_run_on(unit->below);
        /*
         * The stub of the interrupted handler has to go through stub_resume if
         * its frame holds more to restore. So want its handler_end(): the stub
         * looks later, or LOOK_AGAIN sends the stub back to the look.
         */
        if (unit_stub(unit->below)->extra) {
            handler_end_want(true);
        }
        unit->below = NULL;
        unit_free(unit);        /* no thread runs before we have left it */
    } else if (handler_end_wanted()) {
        handler_end();          /* returns if no thread is to run first */
    }
    faults_show();
}

/* ---- Handlers that become threads --------------------------------------- */

/*
 * Makes a thread of a unit with a handler on it. No thread can join the new
 * thread. The window of the handler's stub changes: when the handler returns
 * to the stub, GLAZE_TRAP_RETURN continues at thread_end.
 */
static void become_thread(struct udm_thread *unit, struct window *stub)
{
    stub->l[1] = (uintptr_t)thread_end;
    stub->l[2] = (uintptr_t)thread_end + 4;
    stub->l[6] = 0;             /* ends buffered_stub's loop */
    stub->fp = (uintptr_t)unit - FRAME;         /* the base frame */
    stub->i7 = 0;
    unit->priority = UDM_HIGH;
    unit->joinable = false;
    unit->below = NULL;
}

/*
 * Moves all contexts that the handler on `unit` has interrupted, directly or
 * not, to the threads to which they belong. Each interrupted handler becomes a
 * thread. The first of them has interrupted the current thread. `stub` is the
 * window of the unit's stub.
 */
static void move_all_below(struct udm_thread *unit, const struct window *stub)
{
    struct udm_thread *below = unit->below;

    if (below) {
        struct window *window = stub_window(below, stub->fp);

        move_all_below(below, window);
        become_thread(below, window);
    }
    context_move(unit, stub, below ? below : LIBRARY->current);
    unit->below = NULL;
}

void handler_detach(uint32_t sp)
{
    struct udm_thread *unit = unit_of(UPCALL->message.sp);
    struct window *stub;

    windows_flush();
    stub = stub_window(unit, sp);
    move_all_below(unit, stub);
    become_thread(unit, stub);
    LIBRARY->current = unit;
    handlers_run_on(spare_unit());
    spare_take();
}

/* ---- A thread of higher rank after a handler ---------------------------- */

/*
 * Called by the stub after its handler, when handler_end_wanted(). If a thread of
 * higher rank is ready, makes the interrupted thread ready and switches to the
 * thread of higher rank; the unit stays the handlers' unit. Otherwise returns,
 * and the interrupted thread continues.
 */
void handler_end(void)
{
    struct udm_thread *unit = unit_of(UPCALL->message.sp), *next;

    /* The handler may have closed its atomic section. */
    UDM_BEGINATOM(FUGU_UAC_USER);
    if (!in_handler()) {
        return;                 /* the handler became a thread; it ends now */
    }
    faults_hide();
    handler_end_want(false);
    next = ready_take(LIBRARY->current->priority + 1);
    if (next) {
        windows_flush();
        move_all_below(unit, &unit_stub(unit)->window);
        current_set(next);
        context_continue(&next->context);       /* nothing needs the stub's
                                                   context any more */
    }
    faults_show();
}
