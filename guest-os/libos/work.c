/*
 * Deferred work: the queue, and the thread that does what is in it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "udm-work.h"

static struct udm_work end;     /* next_ of the last piece of work */
static struct udm_work *first = &end, *last;
static struct udm_thread *worker;       /* NULL: none has been made yet */
static bool waits;              /* the worker waits for work */

/*
 * Waits for work, and takes it out of the queue. The report of a deadlock knows
 * this function by its name.
 */
__attribute__((noinline))
static struct udm_work *work_take(void)
{
    uint32_t uac = library_enter();
    struct udm_work *work;

    while (first == &end) {
        waits = true;
        thread_wait(uac);
    }
    work = first;
    first = work->next_;
    work->next_ = NULL;
    library_leave(uac);
    return work;
}

static void *udm_work_thread(void *unused)
{
    (void)unused;
    for (;;) {
        struct udm_work *work = work_take();

        work->run(work);
        if (udm_atomic()) {
            library_abort("deferred work returns in an atomic section");
        }
    }
}

void udm_defer_init(void)
{
    bool atomic = udm_atomic();

    udm_beginatom();            /* no handler makes a second thread */
    if (!worker) {
        worker = udm_thread_create(udm_work_thread, NULL, UDM_HIGH);
    }
    if (!worker) {
        library_abort("no stack is left for the thread of deferred work");
    }
    if (!atomic) {
        udm_endatom();
    }
}

bool udm_defer(struct udm_work *work)
{
    uint32_t uac;
    bool fresh;

    if (!worker) {
        udm_defer_init();
    }
    uac = library_enter();
    fresh = !work->next_;
    if (fresh) {
        work->next_ = &end;
        if (first == &end) {
            first = work;
        } else {
            last->next_ = work;
        }
        last = work;
    }
    if (waits) {
        waits = false;
        thread_wake(worker);
    }
    library_leave(uac);
    return fresh;
}

void udm_defer_run(void)
{
    library_leave(library_enter());
}
