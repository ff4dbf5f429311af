/*
 * The scheduler of threads: the first ready thread of the highest rank runs.
 * The library switches threads only where the running thread waits, yields or
 * ends, and after a handler that has made a thread of higher rank ready.
 * library.h says how schedule.c, handler.c and fault.c call each other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

/*
 * The rank of a ready thread is its priority (enum udm_priority), except for
 * threads whose atomic section is suspended. Those have the higher ranks here,
 * because no handler can start before all of them have continued.
 *
 * The reader is the thread that was in a handler or polling when its section
 * was suspended. It has the highest rank, because no other thread can read
 * messages before the reader has continued.
 */
enum {
    RANK_SECTION = UDM_PRIORITIES,
    RANK_READER,
    RANKS,
};

static struct udm_queue_ ready[RANKS];
static bool reader_woken;       /* this library call has woken the reader */
struct udm_thread first_thread;

void schedule_init(void)
{
    LIBRARY->current = &first_thread;
}

/* ---- Queues ------------------------------------------------------------- */

void queue_put(struct udm_queue_ *queue, struct udm_thread *thread)
{
    thread->next = NULL;
    if (queue->first) {
        queue->last->next = thread;
    } else {
        queue->first = thread;
    }
    queue->last = thread;
}

struct udm_thread *queue_take(struct udm_queue_ *queue)
{
    struct udm_thread *thread = queue->first;

    if (thread) {
        queue->first = thread->next;
    }
    return thread;
}

static unsigned rank(const struct udm_thread *thread)
{
    return thread->section & GLAZE_HOLD_READER ? RANK_READER
         : thread->section ? RANK_SECTION : thread->priority;
}

void ready_put(struct udm_thread *thread)
{
    struct udm_queue_ *queue = &ready[rank(thread)];

    thread->ready = true;
    thread->next_ready = NULL;
    if (queue->first) {
        queue->last->next_ready = thread;
    } else {
        queue->first = thread;
    }
    queue->last = thread;
}

void ready_put_first(struct udm_thread *thread)
{
    struct udm_queue_ *queue = &ready[rank(thread)];

    thread->ready = true;
    thread->next_ready = queue->first;
    if (!queue->first) {
        queue->last = thread;
    }
    queue->first = thread;
}

struct udm_thread *ready_take(unsigned least)
{
    for (unsigned k = RANKS; k-- > least; ) {
        struct udm_thread *thread = ready[k].first;

        if (thread) {
            ready[k].first = thread->next_ready;
            thread->ready = false;
            return thread;
        }
    }
    return NULL;
}

bool ready_any(const struct udm_thread *thread)
{
    for (unsigned k = RANKS; k-- > thread->priority; ) {
        if (ready[k].first) {
            return true;
        }
    }
    return false;
}

bool ready_better(void)
{
    for (unsigned k = RANKS; --k > LIBRARY->current->priority; ) {
        if (ready[k].first) {
            return true;
        }
    }
    return false;
}

/* ---- Switching ---------------------------------------------------------- */

void current_set(struct udm_thread *next)
{
    reader_woken = false;       /* a ready reader is `next`: highest rank */
    LIBRARY->current = next;
}

void switch_to(struct udm_thread *next)
{
    struct udm_thread *current = LIBRARY->current;

    current_set(next);
    context_switch(&current->context, &next->context);
}

void hand_over(struct udm_thread *next, uint32_t uac,
               void put(struct udm_thread *))
{
    struct udm_thread *self = LIBRARY->current;

    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        self->section = glaze_suspend();
    }
    if (put) {
        put(self);
    }
    switch_to(next);
    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        glaze_resume(self->section);
        self->section = 0;
    }
}

/*
 * Lets a thread of higher rank run, if one is ready. A caller that had an
 * atomic section open before the library call keeps the processor, with one
 * exception: if the call has woken the reader, the reader runs now. Only the
 * reader can read messages, and the caller may be about to poll for them.
 */
static void give_way(uint32_t uac)
{
    bool now = reader_woken;

    reader_woken = false;
    if (in_handler()) {
        return;
    }
    if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        now = handler_end_wanted() && ready_better();
        handler_end_want(false);
    }
    if (now) {
        hand_over(ready_take(0), uac, ready_put_first);
    }
}

void library_leave(uint32_t uac)
{
    bool atomic = uac & FUGU_UAC_INTERRUPT_DISABLE;

    do {
        faults_hide();
        faults_look();
        give_way(uac);
        faults_show();
    } while (faults_arrived());         /* later pages make an upcall */
    if (!atomic) {
        UDM_ENDATOM(FUGU_UAC_USER);
    }
}

/* ---- Waiting ------------------------------------------------------------ */

bool (*process_waits)(void);
void (*process_runs)(void);

/*
 * Handlers that run here may make threads ready. If such a handler becomes a
 * thread itself, handler_detach() puts the current thread into the ready
 * queue, although the current thread still waits in another queue.
 */
void idle(bool atomic)
{
    bool section = atomic || glaze_info(GLAZE_I_HOLD);

    if (section && !faults_wait()) {
        library_abort("all threads wait, one of them in an atomic section, "
                      "so no handler can ever wake one");
    }
    if (!section && process_waits && process_waits()) {
        return;
    }
    glaze_wait();               /* atomic section: misses no wake */
    if (!section) {
        faults_show();
        UDM_ENDATOM(FUGU_UAC_USER);     /* handlers run here */
        udm_beginatom();
        faults_hide();
    }
}

void thread_wait(uint32_t uac)
{
    struct udm_thread *self = LIBRARY->current;

    while (faults_look(), !self->woken) {
        struct udm_thread *next = ready_take(0);

        if (next && next != self) {
            hand_over(next, uac, NULL);
        } else if (!next) {
            idle(uac & FUGU_UAC_INTERRUPT_DISABLE);
        }
    }
    self->woken = false;
    if (self == &first_thread && process_runs) {
        process_runs();
    }
}

void thread_wake(struct udm_thread *thread)
{
    thread->woken = true;
    if (!thread->ready && thread != LIBRARY->current) {
        ready_put(thread);
        reader_woken |= rank(thread) == RANK_READER;
        if (rank(thread) > LIBRARY->current->priority) {
            handler_end_want(true);
        }
    }
}

struct udm_thread *thread_here(uint32_t *uac)
{
    if (in_handler()) {
        if (*uac & FUGU_UAC_DISPOSE_PENDING) {
            library_abort("a handler waits and has not disposed of its message");
        }
        handler_detach(UPCALL->message.sp);     /* it has called this */
        *uac = 0;
    }
    return LIBRARY->current;
}

void queue_wait(struct udm_queue_ *queue, uint32_t *uac)
{
    queue_put(queue, thread_here(uac));
    thread_wait(*uac);
}

bool queue_wake(struct udm_queue_ *queue)
{
    struct udm_thread *thread = queue_take(queue);

    if (thread) {
        thread_wake(thread);
    }
    return thread;
}
