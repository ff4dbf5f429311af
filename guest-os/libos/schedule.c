/*
 * Which thread runs: the first of those that are ready, of the highest
 * priority. Switched is only where a thread waits, yields or ends, and behind
 * a handler that made a better one ready.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

static struct udm_queue_ ready[UDM_PRIORITIES];
struct udm_thread first_thread;

void schedule_init(void)
{
    UPCALL->current = &first_thread;
}

/* ---- Queues ------------------------------------------------------------------ */

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

void ready_put(struct udm_thread *thread)
{
    struct udm_queue_ *queue = &ready[thread->priority];

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
    struct udm_queue_ *queue = &ready[thread->priority];

    thread->ready = true;
    thread->next_ready = queue->first;
    if (!queue->first) {
        queue->last = thread;
    }
    queue->first = thread;
}

struct udm_thread *ready_take(void)
{
    for (int priority = UDM_PRIORITIES - 1; priority >= 0; priority--) {
        struct udm_thread *thread = ready[priority].first;

        if (thread) {
            ready[priority].first = thread->next_ready;
            thread->ready = false;
            return thread;
        }
    }
    return NULL;
}

bool ready_better(void)
{
    for (int priority = UDM_PRIORITIES - 1;
         priority > (int)UPCALL->current->priority; priority--) {
        if (ready[priority].first) {
            return true;
        }
    }
    return false;
}

/* ---- Switching ---------------------------------------------------------------- */

void switch_to(struct udm_thread *next)
{
    struct udm_thread *current = UPCALL->current;

    UPCALL->current = next;
    context_switch(&current->context, &next->context);
}

/* Behind whatever may have made a better thread ready. */
void library_leave(uint32_t uac)
{
    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        return;                 /* the caller's atomic section goes on */
    }
    if (UPCALL->wanted && !in_handler()) {
        UPCALL->wanted = 0;
        if (ready_better()) {
            ready_put_first(UPCALL->current);
            switch_to(ready_take());
        }
    }
    UDM_ENDATOM(FUGU_UAC_USER);
}

/* ---- Waiting ------------------------------------------------------------------ */

/*
 * Nobody is ready. The current thread lets messages in until one of their
 * handlers has changed that. It may be put among the ready ones meanwhile,
 * where a handler that it was interrupted by has become a thread.
 */
void idle(bool atomic)
{
    if (atomic || glaze_info(GLAZE_I_HOLD)) {
        library_abort("all threads wait, one of them in an atomic section, "
                      "so no handler can ever wake one");
    }
    glaze_wait();               /* in an atomic section: none is overlooked */
    UDM_ENDATOM(FUGU_UAC_USER); /* here it is handled */
    udm_beginatom();
}

/*
 * A thread with an atomic section of its own takes it along: the kernel keeps
 * all messages in the buffer until it is back.
 */
void hand_over(struct udm_thread *next, uint32_t uac)
{
    if (next == UPCALL->current) {
        return;
    }
    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        uint32_t section = glaze_suspend();

        switch_to(next);
        glaze_resume(section);
    } else {
        switch_to(next);
    }
}

void thread_wait(uint32_t uac)
{
    struct udm_thread *self = UPCALL->current;

    while (!self->woken) {
        struct udm_thread *next = ready_take();

        if (next) {
            hand_over(next, uac);
        } else {
            idle(uac & FUGU_UAC_INTERRUPT_DISABLE);
        }
    }
    self->woken = false;
}

void thread_wake(struct udm_thread *thread)
{
    thread->woken = true;
    if (!thread->ready && thread != UPCALL->current) {
        ready_put(thread);
        if (thread->priority > UPCALL->current->priority) {
            UPCALL->wanted = 1;
        }
    }
}

struct udm_thread *thread_here(uint32_t *uac)
{
    if (in_handler()) {
        if (*uac & FUGU_UAC_DISPOSE_PENDING) {
            library_abort("a handler waits and has not disposed of its message");
        }
        handler_detach();
        *uac = 0;
    }
    return UPCALL->current;
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
