/*
 * User-level threads: what a program does while it waits for messages.
 *
 * Threads of a process share its one processor and are switched only where
 * they wait, yield or end, and behind a handler that woke one of higher
 * priority. Handlers outrank them all. docs/udm.md is the reference.
 *
 * All of this may be called in handlers. A handler that has to wait becomes a
 * thread (paper, section 3): what it interrupted goes on, and its atomic
 * section ends, so it must have disposed of its message before. A thread that
 * waits with an atomic section open keeps it: until it has gone on and closed
 * it, no handler starts (section 4.2), so it must wait for a thread and not
 * for a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_THREAD_H
#define UDM_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/* Of a thread; a ready one of higher priority goes first. */
enum udm_priority {
    UDM_NORMAL,                 /* the first thread's */
    UDM_HIGH,                   /* of handlers that have become threads */
    UDM_PRIORITIES,
};

typedef struct udm_thread udm_thread_t;

/*
 * A new thread that runs start(argument), behind those that are ready. NULL if
 * there is no stack left: 4096 of them exist, of GLAZE_STACK_SIZE bytes less
 * one page. Somebody has to join it.
 */
udm_thread_t *udm_thread_create(void *(*start)(void *), void *argument,
                                enum udm_priority priority);

/* Ends the calling thread. In the first thread: the process, as exit(0). */
void udm_thread_exit(void *result) __attribute__((noreturn));

/* Waits for its end; what it returned, or passed to udm_thread_exit(). The
 * thread is gone then: once each, and not the caller itself. */
void *udm_thread_join(udm_thread_t *thread);

/* The calling thread; NULL in a handler that is none yet. */
udm_thread_t *udm_thread_self(void);

/* Lets all other threads of this priority that are ready go first. */
void udm_thread_yield(void);

/*
 * Waits until somebody wakes the calling thread with udm_thread_wake(). One
 * wake that comes before is remembered, so nothing is lost between a test and
 * the wait. A handler has no name before it is a thread: it cannot.
 */
void udm_thread_block(void);
void udm_thread_wake(udm_thread_t *thread);

/*
 * Whether other threads run while one waits for a page of backing store, and
 * handlers unless it waits in an atomic section, or in a handler, which is a
 * thread from there on. They may then come at any access to data or heap that
 * is not within malloc(): what threads share needs a mutex. Off at first: the
 * process waits. A page of a stack is always waited for so.
 */
void udm_thread_switch_on_fault(bool on);

/* ---- Mutexes and conditions -------------------------------------------------- */

struct udm_queue_ {
    udm_thread_t *first, *last;
};

/* All zero is an unlocked mutex, and a condition for which nobody waits. */
typedef struct {
    bool locked;
    struct udm_queue_ waiting;
} udm_mutex_t;

typedef struct {
    struct udm_queue_ waiting;
} udm_cond_t;

/* Not recursive. Handed on in the order in which it was asked for. */
void udm_mutex_lock(udm_mutex_t *mutex);
bool udm_mutex_trylock(udm_mutex_t *mutex);     /* false: it is locked */

/* Ends the job if it is not locked. */
void udm_mutex_unlock(udm_mutex_t *mutex);

/* Unlocks and waits in one, and locks again. Woken by nothing but a signal,
 * or a broadcast; test in a loop all the same: others may come first. */
void udm_cond_wait(udm_cond_t *cond, udm_mutex_t *mutex);
void udm_cond_signal(udm_cond_t *cond);         /* the first who waits */
void udm_cond_broadcast(udm_cond_t *cond);      /* all */

#endif /* UDM_THREAD_H */
