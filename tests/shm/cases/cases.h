/*
 * What the files of shm-cases share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_CASES_H
#define SHM_CASES_H

#include <stdint.h>

#include "shm.h"
#include "udm.h"

#define MOST    64

extern int count;               /* processes */
extern struct shm_lock lock;
extern struct shm_barrier barrier;
extern struct shm_flag flag[4];

/* In shared memory. */
extern struct shared {
    int next;                   /* number of the next process */
    int sum, wrong;
    int by[MOST];
    int page[MOST][1024];
    char bytes[8192];
    struct shm_lock locks[2];
    volatile int busy, data[4096];
} *s;

/* Returns 0 to the first process that calls self(), 1 to the next one, and so on. */
int self(void);

/* Prints a value that is not the wanted one, and counts it in s->wrong. */
void expect(int got, int want);

/* Runs work() on all nodes, and waits for the others. */
void all(void (*work)(void));

/* Computes for so many cycles. */
static inline void pause_for(uint32_t cycles)
{
    uint64_t start = udm_cycles();

    while (udm_cycles() - start < cycles) {
    }
}

/* Computes until a cycle. All nodes have the same clock. */
static inline void compute_until(uint64_t cycle)
{
    while (udm_cycles() < cycle) {
    }
}

/* ---- Cases, by file. The first process calls them. ------------------------------ */

/* calls.c */
void case_locks(void);
void case_barriers(void);
void case_flags(void);
void case_getsub(void);
void case_some(void);
void case_lots(void);
void case_chain(void);
void case_stranger(void);
void case_lock_init(void);

/* writes.c */
void case_bytes(void);
void case_first_touch(void);
void case_weave(void);
void case_first_read(void);
void case_first_writers(void);

/* busy.c */
void case_busy(void);
void case_busy_exchange(void);
void case_busy_locks(void);
void case_open_page(void);
void case_late_alarm(void);
void case_readers(void);

/* blocks.c */
void case_blocked_home(void);
void case_blocked_writer(void);
void case_busy_thread(void);
void case_kept_wake(void);

/* logs.c */
void case_log(void);
void case_log_barrier(void);
void case_log_flag(void);

/* memory.c */
void case_forks(void);
void case_memory(void);
void case_reuse(void);
void case_merge(void);
void case_pressure(void);

/* faults.c */
void case_fpu(void);
void case_operands(void);

/* mistakes.c */
void case_twice(void);
void case_not_locked(void);
void case_beyond(void);
void case_beyond_read(void);
void case_next_page(void);
void case_next_page_away(void);
void case_bad_free(void);
void case_double_free(void);
void case_too_many(void);
void case_none(void);
void case_numbers(void);
void case_numbers_late(void);
void case_two_barriers(void);
void case_deadlock(void);
void case_lock_deadlock(void);
void case_in_section(void);
void case_handler_opens(void);
void case_handler_touches(void);
void case_handler_calls(void);
void case_section_calls(void);
void case_launches(void);
void case_two_threads(void);
void case_bad_child(void);
void case_crowd(void);
void case_generations(void);

#endif /* SHM_CASES_H */
