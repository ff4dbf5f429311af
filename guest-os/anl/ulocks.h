/*
 * The names of IRIX's ulocks.h that programs with ANL macros use: arenas, locks
 * and barriers, as calls of the library shm. There is one arena, which
 * shm_malloc() serves.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ULOCKS_H
#define ULOCKS_H

#include "../include/lib/shm.h"     /* the program may have a shm.h */

typedef void usptr_t;
typedef struct shm_lock *ulock_t;
typedef struct shm_barrier barrier_t;

/* What usconfig() is asked to set. It sets nothing. */
enum { CONF_INITSIZE = 1, CONF_INITUSERS, CONF_ARENATYPE, CONF_LOCKTYPE };
enum { US_SHAREDONLY = 1, US_NODEBUG };

#define usconfig(...)           0
#define usinit(name)            ((usptr_t *)(name))
#define usmalloc(bytes, arena)  shm_malloc(bytes)
#define usfree(block, arena)    shm_free(block)

#define usnewlock(arena)        ((ulock_t)shm_malloc(sizeof(struct shm_lock)))
#define usfreelock(lock, arena) shm_free(lock)
#define usinitlock(lock)        (shm_lock_init(lock), 0)
#define ussetlock(lock)         (shm_lock(lock), 1)
#define usunsetlock(lock)       (shm_unlock(lock), 0)

#define new_barrier(arena)      ((barrier_t *)shm_malloc(sizeof(barrier_t)))
#define init_barrier(b)         shm_barrier_init(b)
#define free_barrier(b)         shm_free(b)
#define barrier(b, processes)   shm_barrier(b, processes)

#endif /* ULOCKS_H */
