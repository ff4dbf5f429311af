/*
 * Threads that wait for pages of backing store.
 *
 * What faults goes on in the upcall's stub, on its own stack, as a thread
 * that waits (a handler becomes one), and its atomic section is suspended.
 * Pages come in the order in which they have been asked for.
 *
 * While the library works on what it keeps of threads, the entry of fault
 * upcalls is 0: then the process waits for its page, as it does for pages of
 * stacks, and as it always does in a program that has not asked for this.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

static struct udm_queue_ faulted;
static const char *stub;        /* NULL: not asked for */

void udm_thread_switch_on_fault(bool on)
{
    uint32_t uac = library_enter();

    stub = on ? fault_stub : NULL;
    UPCALL->fault.sp = UPCALL->message.sp;      /* the stub takes its own */
    library_leave(uac);
}

void faults_show(void)
{
    UPCALL->fault.entry = (uintptr_t)stub;
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

/* What a handler or another thread may change meanwhile. */
static void context_keep(struct stub_frame *frame)
{
    glaze_flush_windows();      /* the stub's among them */
    descriptor_save(frame);
    frame->kind = 0;
    if (frame->window.l[0] & PSR_EF) {
        glaze_fp_save(&frame->fp);
        frame->extra |= EXTRA_FPU;
    }
}

static void page_wait(uint32_t section)
{
    struct udm_thread *self;

    if (in_handler()) {
        handler_detach();
    }
    self = UPCALL->current;
    self->section = section;
    queue_put(&faulted, self);
    thread_wait(0);
    self->section = 0;
}

/*
 * page: on its way; 0: one has come, while this ran. Returns what the end of
 * the upcall is to bring back.
 */
uint32_t fault_wait(struct stub_frame *frame, uint32_t page, uint32_t section)
{
    if (!page) {                /* else: not before this is in the queue */
        faults_look();
        if (in_handler() || !ready_better()) {
            /* By its stub, which has yet to look, or is made to look again. */
            UPCALL->wanted |= in_handler();
            faults_show();
            return 0;
        }
    }
    context_keep(frame);
    if (page) {
        page_wait(section);
    } else {
        hand_over(ready_take(0), 0, ready_put_first);
    }
    context_restore(frame);
    return section;
}
