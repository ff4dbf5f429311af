/*
 * Threads, as udm-thread.h describes them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "library.h"

void thread_run(void) __attribute__((noreturn));        /* called by switch.S */

udm_thread_t *udm_thread_create(void *(*start)(void *), void *argument,
                                enum udm_priority priority)
{
    uint32_t uac = library_enter();
    struct udm_thread *thread = unit_take_spare();

    library_leave(uac);
    if (!thread) {
        return NULL;
    }
    unit_clear(thread);
    thread->priority = priority;
    thread->start = start;
    thread->argument = argument;
    thread->joinable = true;
    thread->context.sp = (uintptr_t)thread - FRAME;     /* the base frame */
    thread->context.pc = (uintptr_t)thread_begin - 8;
    uac = library_enter();
    ready_put(thread);
    if (priority > LIBRARY->current->priority) {
        handler_end_want(true);
    }
    library_leave(uac);
    return thread;
}

/* A thread's first function. thread_begin calls it in an atomic section. */
void thread_run(void)
{
    struct udm_thread *self = LIBRARY->current;

    library_leave(0);
    udm_thread_exit(self->start(self->argument));
}

void udm_thread_exit(void *result)
{
    uint32_t uac = library_enter();
    struct udm_thread *self = thread_here(&uac);

    if (self == &first_thread) {
        exit(0);
    }
    if (uac & FUGU_UAC_INTERRUPT_DISABLE) {
        library_abort("a thread ends in an atomic section");
    }
    self->result = result;
    for (;;) {
        struct udm_thread *next;

        if (self->joiner) {
            thread_wake(self->joiner);
            self->joiner = NULL;
        }
        faults_look();
        next = ready_take(0);
        if (next) {
            /* No thread can free or take our stack before we have left it. */
            self->done = true;
            if (!self->joinable) {
                unit_free(self);
            }
            switch_to(next);
        }
        idle(false);
    }
}

void *udm_thread_join(udm_thread_t *thread)
{
    uint32_t uac = library_enter();
    void *result;

    while (!thread->done) {
        thread->joiner = thread_here(&uac);
        if (thread->joiner == thread) {
            library_abort("a thread joins itself");
        }
        thread_wait(uac);
    }
    result = thread->result;
    unit_free(thread);
    library_leave(uac);
    return result;
}

udm_thread_t *udm_thread_self(void)
{
    return in_handler() ? NULL : LIBRARY->current;
}

void udm_thread_yield(void)
{
    uint32_t uac = library_enter();
    struct udm_thread *self = thread_here(&uac);
    struct udm_thread *next;

    faults_look();
    next = ready_take(self->priority);
    if (next) {
        hand_over(next, uac, ready_put);
    }
    library_leave(uac);
}

void udm_thread_block(void)
{
    uint32_t uac = library_enter();
    struct udm_thread *self = LIBRARY->current;

    if (in_handler()) {
        library_abort("a handler waits to be woken, and no thread knows it");
    }
    if (!self->token) {
        self->parked = true;
        thread_wait(uac);
        self->parked = false;
    }
    self->token = false;
    library_leave(uac);
}

void udm_thread_wake(udm_thread_t *thread)
{
    uint32_t uac = library_enter();

    thread->token = true;
    if (thread->parked) {
        thread_wake(thread);
    }
    library_leave(uac);
}
