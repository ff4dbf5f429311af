/*
 * Threads that wait for pages of backing store.
 *
 * When code touches a page that is in backing store, the kernel starts
 * fault_stub on the stack of that code. If an atomic section is open, the
 * kernel suspends the section. The stub puts the code's thread into a queue and
 * runs other threads. If the code is a handler, it becomes a thread first.
 * Pages come in the order in which the faults have asked for them, so each page
 * that comes wakes the first thread of the queue.
 *
 * In three cases the whole process waits for the page instead: the page belongs
 * to a stack; the program has not called udm_thread_switch_on_fault(true); or
 * the library works on its threads, or runs a handler of faults_pause(). In the last
 * two cases the entry of fault upcalls is 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

static struct udm_queue_ faulted;       /* threads, in the order of pages */
const char *faults_stub;        /* fault_stub, or NULL while the whole process is to
                                   wait */

void udm_thread_switch_on_fault(bool on)
{
    uint32_t uac = library_enter();

    faults_stub = on ? fault_stub : NULL;
    UPCALL->fault.sp = UPCALL->message.sp;      /* the kernel needs a valid
                                                   address; the stub does not
                                                   use it */
    library_leave(uac);
}

void faults_show(void)
{
    UPCALL->fault.entry = (uintptr_t)faults_stub;
}

void faults_resume(const char *stub)
{
    if (stub) {
        faults_stub = stub;
        library_leave(library_enter());         /* pages may have come */
    }
}

bool faults_wait(void)
{
    return faulted.first;
}

bool faults_arrived(void)
{
    return UPCALL->arrivals != glaze_info(GLAZE_I_ARRIVALS);
}

void faults_look(void)
{
    while (faults_arrived()) {
        UPCALL->arrivals++;
        queue_wake(&faulted);
    }
}

/*
 * Saves those parts of the interrupted context that a handler or another
 * thread may change: register windows, a half-described message, the FPU.
 */
static void context_keep(struct stub_frame *frame)
{
    windows_flush();      /* fills in frame->window, too */
    descriptor_save(frame);
    frame->kind = 0;
    if (frame->window.l[0] & PSR_EF) {
        glaze_fp_save(&frame->fp);
        frame->extra |= EXTRA_FPU;
    }
}

/* Waits until the page has come that the code which `frame` shows has touched. */
static void page_wait(const struct stub_frame *frame, uint32_t section)
{
    struct udm_thread *self;

    if (in_handler()) {
        handler_detach(frame->window.fp);
    }
    self = LIBRARY->current;
    self->section = section;
    queue_put(&faulted, self);
    thread_wait(0);
    self->section = 0;
}

/*
 * Does the work of fault_stub. `page` is the address of a page that is on its
 * way, or 0 if a page has come. `section` is the word for the atomic section
 * that the kernel has suspended, or 0. Returns the word with which
 * GLAZE_TRAP_RESUME is to resume the interrupted code.
 */
uint32_t fault_wait(struct stub_frame *frame, uint32_t page, uint32_t section)
{
    /*
     * With a page on its way, faults_look() has to wait until page_wait() has
     * queued this thread. The page may have come already, and faults_look()
     * would wake another thread.
     */
    if (!page) {
        faults_look();
        if (in_handler() || !ready_better()) {
            /*
             * While a handler runs, no thread may run. The handler's stub will
             * run the thread of higher rank: the stub looks later
             * whether that is wanted, or LOOK_AGAIN sends the stub back to the
             * look.
             */
            if (in_handler()) {
                handler_end_want(true);
            }
            faults_show();
            return 0;
        }
    }
    context_keep(frame);
    if (page) {
        page_wait(frame, section);
    } else {
        hand_over(ready_take(0), 0, ready_put_first);
    }
    context_restore(frame);
    return section;
}
