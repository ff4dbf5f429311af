/*
 * Mutexes and conditions. Both have a queue of waiting threads. The functions
 * change the queues in atomic sections.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

/*
 * Locks the mutex, perhaps after a wait. unlock() hands the mutex over to the
 * thread that it wakes: `locked` stays true in between.
 */
static void lock(udm_mutex_t *mutex, uint32_t *uac)
{
    if (mutex->locked) {
        queue_wait(&mutex->waiting, uac);
    }
    mutex->locked = true;
}

static void unlock(udm_mutex_t *mutex)
{
    if (!mutex->locked) {
        library_abort("a mutex is unlocked that is not locked");
    }
    mutex->locked = queue_wake(&mutex->waiting);
}

void udm_mutex_lock(udm_mutex_t *mutex)
{
    uint32_t uac = library_enter();

    lock(mutex, &uac);
    library_leave(uac);
}

bool udm_mutex_trylock(udm_mutex_t *mutex)
{
    uint32_t uac = library_enter();
    bool taken = !mutex->locked;

    mutex->locked = true;
    library_leave(uac);
    return taken;
}

void udm_mutex_unlock(udm_mutex_t *mutex)
{
    uint32_t uac = library_enter();

    unlock(mutex);
    library_leave(uac);
}

void udm_cond_wait(udm_cond_t *cond, udm_mutex_t *mutex)
{
    uint32_t uac = library_enter();

    unlock(mutex);
    queue_wait(&cond->waiting, &uac);
    lock(mutex, &uac);
    library_leave(uac);
}

void udm_cond_signal(udm_cond_t *cond)
{
    uint32_t uac = library_enter();

    queue_wake(&cond->waiting);
    library_leave(uac);
}

void udm_cond_broadcast(udm_cond_t *cond)
{
    uint32_t uac = library_enter();

    while (queue_wake(&cond->waiting)) {
        /* queue_wake() has woken the next thread */
    }
    library_leave(uac);
}
