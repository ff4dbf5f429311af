/*
 * Shared memory for programs that were written for it: pages that all nodes of
 * a job share, processes, locks, barriers, flags. Made for the ANL macros
 * (SPLASH-2 and the like), which expand to these calls; a program may also call
 * them itself. docs/shm.md is the reference.
 *
 * main() and constructors run on node 0 alone. shm_create() starts a process on
 * another node, with the memory that node 0's process has at that moment, as
 * fork() would. Private memory (globals, malloc(), stacks) is each process's
 * own from then on; what shm_malloc() returns is shared by all, at the same
 * address everywhere.
 *
 * What a process has written before it releases (unlocks, enters a barrier,
 * sets a flag, creates a process, frees memory, ends) is seen by the process
 * that acquires after that (locks, leaves the barrier, finds the flag set, is
 * created, gets that memory, has waited for the end). A word that a process
 * reads in a loop, without a lock, becomes new within SHM_VISIBLE cycles.
 *
 * The library knows a lock, a barrier, a flag or a counter by the address of
 * its variable, and neither reads nor writes the variable. So a variable may
 * lie in shared memory, or be a global at the same address in all processes.
 *
 * Handlers and atomic sections may neither call these functions nor touch
 * shared memory. A mistake ends the job with status 118 and a line that says
 * what was wrong, and where.
 *
 * The header is valid in C of 1989 too.
 *
 *     #include <stdio.h>
 *     #include "shm.h"
 *
 *     static struct shm_lock lock;            // known by its address
 *     static int *count;                      // in shared memory
 *
 *     static void work(void)
 *     {
 *         shm_lock(&lock);
 *         ++*count;
 *         shm_unlock(&lock);
 *     }
 *
 *     int main(void)                          // on node 0 alone
 *     {
 *         shm_init();
 *         count = shm_malloc(sizeof(*count));
 *         for (int process = 1; process < shm_nodes(); process++) {
 *             shm_create(work);               // with the memory as it is now
 *         }
 *         work();
 *         shm_wait_for_end(shm_nodes() - 1);
 *         printf("the count is %d\n", *count);
 *         return 0;
 *     }
 *
 * On four nodes it prints "the count is 4".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_H
#define SHM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Shared memory lies here, on all nodes: from SHM_START up to SHM_END. */
#define SHM_START               0xa0000000u
#define SHM_END                 0xb8000000u

/* Cycles after which another process sees a word that was written without a
 * release, at the latest, if its node has answered by then, and if the writer and the
 * reader have each had to send or to forget one page for it since the last such word.
 * The library spends a twentieth of a process's time on this: each further page
 * makes the next word come 250,000 cycles later. Where page faults take
 * longer than 20,000 cycles, it may be up to SHM_VISIBLE_LATER cycles later on the
 * writer's side, and as much on the reader's. The user can switch this off
 * (--shm-visits off): then only releases and acquires show what was written. */
#define SHM_VISIBLE             1200000
#define SHM_VISIBLE_LATER       2400000

/* ---- Processes ---------------------------------------------------------- */

/*
 * Starts the library: on node 0, before any other call. Further calls do
 * nothing. Programs with the ANL macros call it in MAIN_INITENV.
 *
 * Errors: none.
 */
void shm_init(void);

/*
 * Starts a process that calls function(), on the lowest node that is free. A
 * node is free when its process has ended. The new process has the memory of
 * the caller, the variables of main() and the strings of argv included, but
 * neither its open files nor its input. The caller must be node 0's process.
 * Waits while no node is free.
 *
 * The process ends when function() returns, or in exit(): exit() with a status
 * other than 0 ends the job, and exit(0) ends this process alone.
 *
 * Errors: ends the job if another process than node 0's calls it, if no process ends
 * for a long time while no node is free (the line names -n), or if the node has too
 * little memory for the process (the line names --ram).
 */
void shm_create(void (*function)(void));

/*
 * The same, for a function() with an `argument`, which may be anything. Errors: the
 * same.
 */
void shm_create_with(void (*function)(void *), void *argument);

/*
 * Waits until `processes` of the processes that were created, and not waited
 * for before, have ended; all of them if there are fewer, or if the number is below 0.
 * An acquire of what they have written.
 *
 * Errors: ends the job if another process than node 0's calls it.
 */
void shm_wait_for_end(int processes);

/* ---- Locks -------------------------------------------------------------- */

/* A lock. */
struct shm_lock {
    unsigned unused;            /* its address is what counts */
};

/*
 * Opens a lock, also one that another process has locked: memory that is used again
 * may have been freed so. No process may wait for it. A lock that has never been
 * locked is open without this. Errors: none.
 */
void shm_lock_init(struct shm_lock *lock);

/*
 * shm_lock() waits until the lock is open, and takes it: first come, first
 * served: an acquire. shm_unlock() opens it: a release; the caller must have taken it.
 *
 *   lock  any address; the lock is known by it
 *
 * Errors: end the job if the process locks a lock that it has, or unlocks one that it
 * has not.
 */
void shm_lock(struct shm_lock *lock);
void shm_unlock(struct shm_lock *lock);

/* ---- Barriers ----------------------------------------------------------- */

/* A barrier. */
struct shm_barrier {
    unsigned unused;
};

/* Does nothing with `barrier`: a barrier needs no beginning. Errors: none. */
void shm_barrier_init(struct shm_barrier *barrier);

/*
 * Returns when `processes` processes have called it for this barrier. All of
 * them pass the same number, from 1 to the number of nodes. They may enter the
 * barrier again at once. A release and an acquire.
 *
 * Errors: ends the job if the number is another one, if processes pass different
 * numbers for one barrier, or if all processes wait at several barriers.
 */
void shm_barrier(struct shm_barrier *barrier, int processes);

/* ---- Flags (PAUSE) ------------------------------------------------------ */

/* A flag. */
struct shm_flag {
    unsigned unused;
};

/* Both clear a `flag`. A flag is clear until a process sets it. Errors: none. */
void shm_flag_init(struct shm_flag *flag);
void shm_flag_clear(struct shm_flag *flag);

/* Sets a `flag`: a release. Errors: none. */
void shm_flag_set(struct shm_flag *flag);

/*
 * Returns when the flag is set: an acquire. The flag stays set. Errors: none; if nobody
 * sets it, the run ends as a deadlock (125) once all processes wait.
 */
void shm_flag_wait(struct shm_flag *flag);

/*
 * The same, and clears the flag: of several waiting processes, each
 * shm_flag_set() lets one go. Errors: the same.
 */
void shm_flag_take(struct shm_flag *flag);

/* Waits until the `flag` is clear, and sets it: a release. Errors: as shm_flag_wait().
 */
void shm_flag_put(struct shm_flag *flag);

/* Returns 1 if the flag is set (an acquire), else 0; does not wait. Errors: none. */
int shm_flag_test(struct shm_flag *flag);

/* ---- Counters (GETSUB) -------------------------------------------------- */

/* A counter. */
struct shm_counter {
    unsigned unused;
};

/* Sets a `counter` to its beginning: the next number is 0. Errors: none. */
void shm_counter_init(struct shm_counter *counter);

/*
 * Hands out the numbers 0 to `last`, each to one of `processes` processes: a
 * loop whose iterations the processes share. When all numbers are out, waits
 * until all processes have called once more, returns -1 to each of them, and
 * begins again. A release and an acquire.
 *
 *   counter    any address; the counter is known by it
 *   last       the last number, 0 or more, the same in all calls; -1: there is none
 *   processes  1 to the number of nodes, the same in all calls
 *
 * Errors: ends the job if the number of processes is another one.
 */
int shm_getsub(struct shm_counter *counter, int last, int processes);

/* ---- Memory ------------------------------------------------------------- */

/*
 * Returns `bytes` of shared memory, aligned to 16, all zero, also where it was
 * used before; NULL if the shared range is used up. A block of a page or more
 * begins at a page. Any process may call it. shm_free() frees a `block` for later
 * calls; NULL is allowed.
 *
 * Errors: NULL. shm_free() ends the job if shm_malloc() has not returned that address,
 * or the block has been freed.
 */
void *shm_malloc(size_t bytes);
void shm_free(void *block);

/* ---- Time --------------------------------------------------------------- */

/* Returns the microseconds since the machine has started, modulo 2^32. Errors: none. */
unsigned shm_clock(void);

/* ---- This process ------------------------------------------------------- */

/*
 * Returns the number of nodes, 1 to 1024: of processes that can run at the same time.
 * Errors: none.
 */
int shm_nodes(void);

/* Returns the node of this process, from 0. Errors: none. */
int shm_node(void);

/*
 * Ends this process, as exit(status) does. Errors: a status other than 0 ends the job
 * with it.
 */
void shm_exit(int status);

/* ---- Statistics --------------------------------------------------------- */

/* What this node has done since its first process began. */
struct shm_statistics {
    unsigned order;             /* whether the library keeps the order of writes for
                                   reads without a lock (docs/shm.md): */
#define SHM_ORDER_KEPT          1
#define SHM_ORDER_DROPPED       2
    unsigned read_faults;       /* pages that had to be fetched to be read */
    unsigned write_faults;      /* first writes to a page, and carried stores */
    unsigned carried_stores;    /* stores that a lock carries */
    unsigned fetches;           /* pages fetched, for either */
    unsigned twins;             /* pages copied before their first write */
    unsigned differences;       /* sent to homes */
    unsigned long long difference_bytes; /* in them */
    unsigned notices;           /* write notices received */
    unsigned collections;       /* times that the log of intervals was full, and
                                   lost its older half */
    unsigned locks;             /* locks taken */
    unsigned barriers;          /* barriers left */
    unsigned flags;             /* flags waited for */
    unsigned visits;            /* by the alarm: flushes of busy programs */
    unsigned long long fault_cycles;    /* waited for pages */
    unsigned long long lock_cycles;     /* in shm_lock() */
    unsigned long long barrier_cycles;  /* in shm_barrier() */
    unsigned long long flag_cycles;     /* in shm_flag_wait() and _take() */
    unsigned long long visit_cycles;    /* in visits */
};

/* Copies the statistics of this node to *statistics. Errors: none. */
void shm_statistics(struct shm_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif /* SHM_H */
