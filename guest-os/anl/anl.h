/*
 * What the ANL macros of anl.m4 need besides the library shm. `./run.sh cc
 * --anl` includes this file before each source, so the macros' declarations
 * work wherever they stand.
 *
 * The sources are of 1989 and earlier. So this file includes no header whose
 * declarations could contradict a source's own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ANL_H
#define ANL_H

#include <float.h>                  /* the next two have nothing but macros */
#include <limits.h>

#include "../include/lib/shm.h"     /* the program may have a shm.h */

/* The size of a page, which IRIX and BSD define in headers that sources of that
 * time include by way of others. */
#ifndef PAGE_SIZE
#define PAGE_SIZE               4096
#endif

#ifdef __sparc__
/* A keyword of C99 that was a name in 1989 (complex.h gives it back), and the tag of
 * FILE in System V's stdio.h. */
#define _Complex                anl_complex
#define _iobuf                  __sFILE
#endif

/* Types of BSD's <sys/types.h>, for sources that do not include it. */
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
#define _BSDTYPES_DEFINED

/* WAIT_FOR_END without a number. */
#define ANL_ALL                 0x7fffffff

/* A time_t has 64 bits, and these sources give time() the address of a long, or
 * take the difference of two. So they call anl_time() and its like (time.c), unless
 * they include <time.h>. */
#if __SIZEOF_LONG__ == 4
#pragma redefine_extname time anl_time
#pragma redefine_extname ctime anl_ctime
#pragma redefine_extname gmtime anl_gmtime
#pragma redefine_extname localtime anl_localtime
#pragma redefine_extname difftime anl_difftime
#endif

/* Many sources call these without a header. Without a declaration, C takes
 * their results for int. */
double atof();
double strtod();
double drand48();
double erand48();
double difftime();
char *initstate();
char *setstate();

/* The library drops the order of writes if no source of the program has the word
 * volatile: cc --anl defines ANL_VOLATILE if one has. */
#ifdef ANL_VOLATILE
__asm__ (".weak shm_program_volatile\n\t.set shm_program_volatile, 1");
#else
__asm__ (".weak shm_program_plain\n\t.set shm_program_plain, 1");
#endif

/* The forms of CREATE. GCC's class of a value says whether it is a pointer. */
#define ANL_POINTER             5
#ifdef ANL_WATCH
void anl_watch(void);           /* cc --anl --check-globals: watch.h */
#else
#define anl_watch()             ((void)0)
#endif
#define anl_create(function) \
    (anl_watch(), shm_create((void (*)(void))(function)))
#define anl_create_2(function, value) \
    anl_start((void *)(function), \
              __builtin_classify_type(value) == ANL_POINTER, \
              (unsigned long)(value))
#define anl_create_3(function, argument, processes) \
    anl_start_with((void *)(function), (void *)(argument), processes)

/* Starts processes - 1 processes that call function(argument), and calls it. */
static __inline__ void anl_start_with(void *function, void *argument,
                                      int processes)
{
    void (*call)(void *) = (void (*)(void *))function;
    int i;

    anl_watch();
    for (i = 1; i < processes; i++) {
        shm_create_with(call, argument);
    }
    call(argument);
}

/*
 * Starts one process that calls function(value) if `value` is an argument.
 * Otherwise `value` is a number of processes, all of which call function(): this
 * process is one of them.
 */
static __inline__ void anl_start(void *function, int is_argument,
                                 unsigned long value)
{
    if (is_argument) {
        anl_watch();
        shm_create_with((void (*)(void *))function, (void *)value);
    } else {
        anl_start_with(function, NULL, (int)value);
    }
}

/* The compiler moves no access to memory over it. */
static __inline__ void anl_fence(void)
{
    __asm__ volatile ("" : : : "memory");
}

static __inline__ void anl_locks_init(struct shm_lock *locks, int number)
{
    int i;

    for (i = 0; i < number; i++) {
        shm_lock_init(&locks[i]);
    }
}

static __inline__ void anl_flags_init(struct shm_flag *flags, int number)
{
    int i;

    for (i = 0; i < number; i++) {
        shm_flag_init(&flags[i]);
    }
}

/*
 * A condition of SPLASH-3: processes wait for its signals. Its variable is read and
 * written, so it must be in shared memory.
 */
struct anl_condition {
    int waiting;                /* processes that no signal is for yet */
    struct shm_lock lock;       /* of `waiting`: a signal may come without the
                                   program's lock */
    struct shm_flag turn;       /* set: one process may go on */
};

static __inline__ void anl_condition_init(struct anl_condition *condition)
{
    condition->waiting = 0;
    shm_lock_init(&condition->lock);
    shm_flag_init(&condition->turn);
}

/* Opens `lock`, which the caller has taken, waits for a signal that comes after that,
 * and takes the lock again. */
static __inline__ void anl_condition_wait(struct anl_condition *condition,
                                          struct shm_lock *lock)
{
    shm_lock(&condition->lock);
    condition->waiting++;
    shm_unlock(&condition->lock);
    shm_unlock(lock);
    shm_flag_take(&condition->turn);
    shm_lock(lock);
}

/* Lets one process that waits go on, or all of them. */
static __inline__ void anl_condition_signal(struct anl_condition *condition,
                                            int all)
{
    int number;

    shm_lock(&condition->lock);
    number = all || condition->waiting == 0 ? condition->waiting : 1;
    condition->waiting -= number;
    shm_unlock(&condition->lock);
    while (number-- > 0) {
        shm_flag_put(&condition->turn);
    }
}

#endif /* ANL_H */
