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

#include "../include/lib/shm.h"     /* the program may have a shm.h */

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

/* The library drops the order of writes if no source of the program has the word
 * volatile: cc --anl defines ANL_VOLATILE if one has. */
#ifdef ANL_VOLATILE
__asm__ (".weak shm_program_volatile\n\t.set shm_program_volatile, 1");
#else
__asm__ (".weak shm_program_plain\n\t.set shm_program_plain, 1");
#endif

/* The forms of CREATE. GCC's class of a value says whether it is a pointer. */
#define ANL_POINTER             5
#define anl_create(function) shm_create((void (*)(void))(function))
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
        shm_create_with((void (*)(void *))function, (void *)value);
    } else {
        anl_start_with(function, NULL, (int)value);
    }
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

#endif /* ANL_H */
