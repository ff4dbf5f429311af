/*
 * Each ANL macro in each of its forms, with the semicolons left out where sources
 * leave them out, in C of before 1989. more.C has the other half of the program.
 * A comment may say LOCK, CREATE, and it's no use of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <ulocks.h>
#include <values.h>
#include "macros.h"

MAIN_ENV

extern char *malloc();                  /* not as stdlib.h has it */
struct global *global;                  /* in more.C too, without extern */
LOCKDEC(lock_outside)                   /* not in shared memory */
BARDEC(barrier_outside);
PAUSEDEC(flag_outside)
int failures;
char letters[3];

int len(text)                           /* builtins of m4 */
    char *text;
{
    return index(text, 0) - text;
}

shift(a, b) { return a << b; }

right(is_right, what)
    char *what;
{
    printf("%s %s\n", is_right ? "ok" : "WRONG", what);
    failures += !is_right;
}

start_alone()                           /* CREATE(f) */
{
    int pid;

    GET_PID(pid)
    LOCK(global->lock)
    global->alone++;
    UNLOCK(global->lock)
    if (pid == 0 || pid != GET_PID_F) {
        exit(1);
    }
}

start_all()                             /* CREATE(f, n) */
{
    LOCK(lock_outside);
    global->all++;
    UNLOCK(lock_outside);
    BARRIER(barrier_outside, 3)
}

start_one(argument)                     /* CREATE(f, p) */
    int *argument;
{
    global->one += *argument;
}

start_many(argument)                    /* CREATE(f, p, n) */
    int *argument;
{
    NLOCK(global->nlock)
    global->many += *argument;
    NUNLOCK(global->nlock)
}

processes()
{
    int number = 100, i;

    for (i = 1; i < 3; i++)
        CREATE(start_alone)
    CREATE_LITE(start_alone)
    WAIT_FOR_END(3)
    right(global->alone == 3, "CREATE of a function, CREATE_LITE");
    CREATE(start_all, 3)
    WAIT_FOR_END(3)
    right(global->all == 3, "CREATE of some processes, a lock and a barrier outside shared memory");
    CREATE(start_one, &number)
    WAIT_FOR_END()
    right(global->one == 100, "CREATE with an argument");
    CREATE(start_many, &number, 3)
    WAIT_FOR_END(2);
    right(global->many == 300, "CREATE of some processes with an argument");
}

allocate()
{
    char *block = G_MALLOC(100)
    char *home = (char *) G_MALLOC(100, 1);
    char *near = (char *) NU_MALLOC(5000, 0)
    char *third = (char *) NU_MALLOC(16, 0, 1);
    char *f = G_MALLOC_F(4) ? (char *) NU_MALLOC_F(8, 2) : 0;

    right(block && home && near && third && f, "G_MALLOC, NU_MALLOC");
    right(((int) home & 15) == 0 && ((int) near & 4095) == 0, "alignment");
    right(near[4999] == 0 && block[0] == 0, "new memory is zero");
    G_FREE(block)
    G_FREE(home, 100);
    NU_FREE(near)
}

times()
{
    unsigned first, second;
    int i;

    CLOCK(first)
    for (i = 0; i < 1000; i++)
        CLOCK(second);
    right(second - first < 10000000, "CLOCK");
    right(atof("2.5") * 2 == 5 && strtod("1e3", (char **) 0) == 1000, "doubles without a header");
}

hints()
{
    AUG_ON AUG_OFF TRACE_ON TRACE_OFF REF_TRACE_ON REF_TRACE_OFF DYN_TRACE_ON
    DYN_TRACE_OFF DYN_REF_TRACE_ON DYN_REF_TRACE_OFF; DYN_SIM_ON DYN_SIM_OFF
    DYN_SCHED_ON DYN_SCHED_OFF
    AUG_DELAY(10) AUG_SET_LOLIMIT(1) AUG_SET_HILIMIT(2); ST_LOG("a") SET_HOME(global, 1)
    NEWPROC THREAD_INIT_FREE(); BARINCLUDE(barrier_outside); BARINCLUDE(barrier_outside)
}

irix()
{
    usptr_t *arena;
    ulock_t lock;
    barrier_t *meeting;

    usconfig(CONF_INITUSERS, 16);
    arena = usinit("/tmp/arena");
    lock = usnewlock(arena);
    meeting = new_barrier(arena);
    init_barrier(meeting);
    usinitlock(lock);
    ussetlock(lock);
    usunsetlock(lock);
    barrier(meeting, 1);
    right(usmalloc(8, arena) != 0, "ulocks.h");
    free_barrier(meeting);
    usfreelock(lock, arena);
    right(MAXINT == 2147483647 && MAXDOUBLE > 1e308 && BITS(short) == 16 && MAXFLOAT > 3e38, "values.h");
}

main(argc, argv)
    char **argv;
{
    MAIN_INITENV(, 4000 * (3 + 4), 99)
    MAIN_INITENV_LITE()
    global = (struct global *) G_MALLOC(sizeof(struct global))
    init();
    right(len("four") == 4 && shift(1, 2) == 4, "names that m4 has too");
    right(!strcmp("LOCK, CREATE", "LOC" "K, CREAT" "E"), "names in strings");
    letters['b' - 'a'] = 'c';
    processes();
    allocate();
    times();
    hints();
    irix();
    synchronise();
    if (failures) {
        exit(1);
    }
    printf("macros: done\n");
    MAIN_END
}

unused() { MAIN_END_LITE }
