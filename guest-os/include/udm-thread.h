/*
 * User-level threads: what a program does while it waits for messages.
 *
 * All threads of a process share its one processor. The library switches
 * threads only where the running thread waits, yields or ends, and at the end
 * of a handler that has woken a thread of higher priority. Handlers outrank
 * all threads. docs/udm.md is the reference.
 *
 * Handlers may call all of these functions, except where a comment says
 * otherwise. A handler that has to wait becomes a thread (paper, section 3):
 * the code that it interrupted continues, and the handler's atomic section
 * ends. The handler must have disposed of its message before.
 *
 * A thread that waits in an open atomic section keeps the section: no handler
 * starts until the thread has continued and closed the section (section 4.2).
 * Such a thread must wait for another thread, and not for a message.
 *
 * A thread takes from main() what handlers bring:
 *
 *     #include <stdio.h>
 *     #include "udm-thread.h"
 *
 *     static udm_thread_t *main_thread;
 *     static volatile uint32_t answers;
 *
 *     static void on_answer(void)
 *     {
 *         udm_dispose();
 *         answers++;
 *         udm_thread_wake(main_thread);
 *     }
 *
 *     static void on_question(void)
 *     {
 *         uint32_t node = udm_source();
 *
 *         udm_dispose();
 *         udm_inject(node, on_answer);
 *     }
 *
 *     int main(void)
 *     {
 *         main_thread = udm_thread_self();
 *         for (uint32_t node = 0; node < udm_nodes(); node++) {
 *             udm_inject(node, on_question);
 *         }
 *         while (answers < udm_nodes()) {
 *             udm_thread_block();         // a wake before it is remembered
 *         }
 *         if (udm_node() == 0) {
 *             printf("%lu answers\n", (unsigned long)answers);
 *         }
 *         return 0;
 *     }
 *
 * On four nodes it prints "4 answers".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_THREAD_H
#define UDM_THREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "udm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Priorities. Of the ready threads, the first one of the highest priority runs. */
enum udm_priority {
    UDM_NORMAL,                 /* the thread of main() */
    UDM_HIGH,                   /* handlers that have become threads */
    UDM_PRIORITIES,
};

/* A thread: the library's own memory, from its creation until it is joined. */
typedef struct udm_thread udm_thread_t;

/*
 * Creates a thread that runs start(argument), and returns it. The new thread
 * goes to the end of the queue of ready threads of its priority. Returns NULL
 * if no stack is left: a process has 4096 stacks of GLAZE_STACK_SIZE bytes less
 * one page (60 KiB), and handlers use some of them. The program has to join
 * the thread, or its stack stays taken.
 *
 *   start     what it runs; its result is for udm_thread_join()
 *   argument  anything, also NULL
 *   priority  UDM_NORMAL or UDM_HIGH; it is not checked
 *
 * Errors: NULL.
 */
udm_thread_t *udm_thread_create(void *(*start)(void *), void *argument,
                                enum udm_priority priority);

/*
 * Ends the calling thread with a result for udm_thread_join(). The thread of
 * main() ends the process, as exit(0) does.
 *
 * Errors: ends the job (118) if any other thread has an atomic section open.
 */
void udm_thread_exit(void *result) __attribute__((noreturn));

/*
 * Waits until the thread ends, frees it, and returns its result: what start()
 * has returned, or what the thread has passed to udm_thread_exit(). Join each
 * thread once, and from one thread; neither is checked.
 *
 * Errors: a thread that joins itself ends the job (118). A thread that never ends makes
 * the caller wait for ever: once all nodes wait, the run ends as a deadlock (125).
 */
void *udm_thread_join(udm_thread_t *thread);

/* Returns the calling thread; NULL in a handler that is no thread yet. Errors: none. */
udm_thread_t *udm_thread_self(void);

/*
 * Lets all ready threads of the caller's priority or above run before the
 * caller continues. Errors: ends the job (118) in a handler that has not disposed of
 * its message.
 */
void udm_thread_yield(void);

/*
 * udm_thread_block() waits until a thread or handler calls udm_thread_wake()
 * for the calling thread, `thread`. One wake that comes before the block is
 * remembered: the block then returns at once, so that no wake is lost between the
 * caller's test of its condition and the block.
 *
 * Errors: a handler that blocks ends the job (118), because no udm_thread_t names it
 * before it becomes a thread. A thread that has been joined must not be woken; that is
 * not checked.
 */
void udm_thread_block(void);
void udm_thread_wake(udm_thread_t *thread);

/*
 * Selects what waits when a thread touches a page that is in backing store
 * (docs/paging.md). If `on` is false, the default, the whole process waits. If
 * `on` is true, only that thread waits, and other threads run. A handler that
 * touches such a page becomes a thread. Other handlers run meanwhile only if
 * the access was neither in a handler nor in an atomic section.
 *
 * If `on` is true, the library may switch threads at any access to data or
 * heap, except within malloc(): data that threads share then needs a mutex.
 * For a page of a stack the whole process always waits.
 *
 * Errors: none.
 */
void udm_thread_switch_on_fault(bool on);

/* ---- Mutexes and conditions --------------------------------------------- */

struct udm_queue_ {
    udm_thread_t *first, *last;
};

/*
 * udm_mutex_t: a mutex, unlocked if it is all zero. udm_cond_t: a condition, without
 * waiting threads if it is all zero. Neither needs another initialisation.
 */
typedef struct {
    bool locked;
    struct udm_queue_ waiting;
} udm_mutex_t;

typedef struct {
    struct udm_queue_ waiting;
} udm_cond_t;

/*
 * udm_mutex_lock() waits until the mutex is unlocked, and locks it. Waiting
 * threads get the mutex in the order in which they have asked for it. A mutex
 * is not recursive: a thread that locks a mutex twice waits for ever.
 * udm_mutex_trylock() does not wait: it returns true if it has locked the
 * mutex, and false if the mutex was locked already.
 *
 * Errors: a handler that waits and has not disposed of its message ends the job (118).
 */
void udm_mutex_lock(udm_mutex_t *mutex);
bool udm_mutex_trylock(udm_mutex_t *mutex);

/*
 * Unlocks the mutex, and hands it to the thread that has waited longest. Which thread
 * has locked it is not checked. Errors: ends the job (118) if `mutex` is not locked.
 */
void udm_mutex_unlock(udm_mutex_t *mutex);

/*
 * udm_cond_wait() unlocks the mutex and starts to wait in one step. After a
 * signal or broadcast, and only then, it locks the mutex again and returns.
 * Test the condition in a loop nevertheless: another thread may have run
 * first and made it false again. udm_cond_signal() wakes the thread that has
 * waited longest for `cond`, udm_cond_broadcast() wakes all that wait.
 *
 * Errors: udm_cond_wait() ends the job (118) if `mutex` is not locked, or in a handler
 * that has not disposed of its message. The others: none.
 */
void udm_cond_wait(udm_cond_t *cond, udm_mutex_t *mutex);
void udm_cond_signal(udm_cond_t *cond);
void udm_cond_broadcast(udm_cond_t *cond);

/* ---- Waiting for a handler: two ways ------------------------------------- */

/*
 * Libraries let the program choose between two ways.
 *
 *     static udm_waiter_t waiter;
 *     static volatile bool done;
 *
 *     done = true;                        in the handler, after it disposed
 *     udm_waiter_wake(&waiter);
 *
 *     udm_wait_until(&waiter, how, done); in the thread
 *
 * UDM_WAIT_SPIN takes the processor, UDM_WAIT_BLOCK gives it away:
 */
enum udm_wait {
    /*
     * The thread reads a word in a loop, with interrupts enabled. This is the
     * fastest way. Other threads of the process do not run, except handlers
     * that have become threads, and the process keeps its slot to the end.
     */
    UDM_WAIT_SPIN,
    /*
     * The thread blocks: other threads of the process run, and when all of
     * them wait, other jobs get the rest of the slot. Messages that arrive
     * then come out of the buffer. A udm_thread_wake() of the program for the
     * waiting thread may be lost: the thread should test what it waits for
     * before it calls udm_thread_block().
     */
    UDM_WAIT_BLOCK,
};

/* The thread that waits, if it blocks. All zero: none. One thread at a time. */
typedef struct {
    udm_thread_t *volatile thread;
} udm_waiter_t;

/*
 * Wakes the thread that has blocked, if one has. To be called in a handler or
 * an atomic section, after each change that may make the condition true for which a
 * thread waits with this `waiter`. 5 cycles if no thread has blocked. Errors: none.
 */
UDM_INLINE void udm_waiter_wake(udm_waiter_t *waiter)
{
    udm_thread_t *thread = waiter->thread;

    if (thread) {
        waiter->thread = NULL;
        udm_thread_wake(thread);
    }
}

/*
 * Ends a wait. A handler wakes the thread at most once for each time that
 * waiter->thread is set. The last wake may come when the thread has stopped
 * waiting. The block takes that wake, so that no later udm_thread_block() of
 * the program returns because of it.
 */
UDM_INLINE void udm_waiter_end_(udm_waiter_t *waiter)
{
    bool woken;

    udm_beginatom();
    woken = !waiter->thread;
    waiter->thread = NULL;
    udm_endatom();
    if (woken) {
        udm_thread_block();             /* returns at once */
    }
}

/*
 * udm_wait_until(waiter, how, condition): waits until the condition is true.
 * For threads, outside of atomic sections. Memory that handlers have changed is read
 * anew afterwards.
 *
 *   waiter     udm_waiter_t *: for one thread at a time
 *   how        UDM_WAIT_SPIN or UDM_WAIT_BLOCK; any other value spins
 *   condition  an expression that a handler makes true; it must read volatile
 *              variables, and is evaluated many times
 *
 * Errors: with UDM_WAIT_BLOCK, ends the job (118) in a handler. In an atomic section
 * no handler makes the condition true: the caller waits for ever.
 */
#define udm_wait_until(waiter, how, condition) \
    do { \
        if ((how) == UDM_WAIT_BLOCK && !(condition)) { \
            for (;;) { \
                (waiter)->thread = udm_thread_self(); \
                if (condition) { \
                    break; \
                } \
                udm_thread_block(); \
            } \
            udm_waiter_end_(waiter); \
        } \
        while (!(condition)) { \
            /* a handler will make it true */ \
        } \
        asm volatile ("" : : : "memory"); \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif /* UDM_THREAD_H */
