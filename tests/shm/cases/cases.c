/*
 * shm-cases NAME [PROCESSES]: what shm.h promises, case by case. Each process but
 * the first checks and counts in shared memory; the first prints. By default, each
 * node has a process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

int count;
struct shm_lock lock;
struct shm_barrier barrier;
struct shm_flag flag[4];
struct shared *s;

int self(void)
{
    int me;

    shm_lock(&lock);
    me = s->next++;
    shm_unlock(&lock);
    return me;
}

/* For a process that has locked `lock`. */
static void expect_locked(int got, int want)
{
    if (got != want) {
        printf("node %d: got %d, want %d\n", shm_node(), got, want);
        s->wrong++;
    }
}

void expect(int got, int want)
{
    if (got != want) {
        shm_lock(&lock);
        expect_locked(got, want);
        shm_unlock(&lock);
    }
}

void all(void (*work)(void))
{
    for (int k = 1; k < count; k++) {
        shm_create(work);
    }
    work();
    shm_wait_for_end(count - 1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        { "locks", case_locks }, { "barriers", case_barriers },
        { "bytes", case_bytes }, { "first-touch", case_first_touch },
        { "first-read", case_first_read }, { "flags", case_flags },
        { "getsub", case_getsub }, { "busy", case_busy },
        { "busy-locks", case_busy_locks },
        { "open-page", case_open_page }, { "late-alarm", case_late_alarm },
        { "readers", case_readers },
        { "blocked-home", case_blocked_home },
        { "blocked-writer", case_blocked_writer },
        { "busy-thread", case_busy_thread }, { "kept-wake", case_kept_wake },
        { "busy-exchange", case_busy_exchange }, { "log", case_log },
        { "log-barrier", case_log_barrier }, { "log-flag", case_log_flag },
        { "forks", case_forks }, { "memory", case_memory },
        { "reuse", case_reuse }, { "merge", case_merge },
        { "lock-init", case_lock_init },
        { "some", case_some }, { "lots", case_lots }, { "chain", case_chain },
        { "stranger", case_stranger },
        { "first-writers", case_first_writers }, { "pressure", case_pressure },
        { "fpu", case_fpu }, { "operands", case_operands },
        { "lock-deadlock", case_lock_deadlock },
        { "in-section", case_in_section },
        { "handler-touches", case_handler_touches },
        { "handler-opens", case_handler_opens },
        { "handler-calls", case_handler_calls },
        { "section-calls", case_section_calls }, { "launches", case_launches },
        { "two-threads", case_two_threads }, { "twice", case_twice },
        { "not-locked", case_not_locked }, { "beyond", case_beyond },
        { "beyond-read", case_beyond_read },
        { "next-page", case_next_page }, { "next-page-away", case_next_page_away },
        { "bad-free", case_bad_free },
        { "double-free", case_double_free }, { "too-many", case_too_many },
        { "none", case_none }, { "numbers", case_numbers },
        { "numbers-late", case_numbers_late },
        { "two-barriers", case_two_barriers }, { "weave", case_weave },
        { "deadlock", case_deadlock }, { "bad-child", case_bad_child },
        { "crowd", case_crowd }, { "generations", case_generations },
    };

    shm_init();
    count = argc == 3 ? atoi(argv[2]) : shm_nodes();
    s = shm_malloc(sizeof(*s));
    for (unsigned k = 0; argc >= 2 && k < sizeof(cases) / sizeof(cases[0]);
         k++) {
        if (!strcmp(argv[1], cases[k].name)) {
            cases[k].run();
            printf("%s: %d wrong\n", argv[1], s->wrong);
            return s->wrong != 0;
        }
    }
    return 2;
}
