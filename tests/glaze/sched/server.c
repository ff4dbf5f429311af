/*
 * A server in place of the scheduler's own. The run's first input file says
 * what it does, and test_sched.py what the results must be:
 *
 *      errors  tries all mistakes that its calls can make
 *      events  prints the events of the processes of node 0
 *      shares  gives job 1 three quarters of the time, and job 2 the rest
 *      gang    the same, and job 1 runs in its slots alone
 *      early   the same, but job 2 runs in its slots alone, and starts later
 *      gaps    gives job 1 a quarter of the time, and no job the rest
 *      starve  gives all time to job 1
 *      late    installs a table that holds from cycle 3,000,000 on, then
 *              another one that holds from cycle 2,000,000 on
 *      phase   installs a table whose periods begin in the middle of those that
 *              would begin at cycle 0
 *      spin    never waits
 *      timed   waits for a time, and then computes for longer than it may
 *      busy    as spin, with a table in which both jobs run in their slots
 *              alone, with time between them
 *      calm    that table, and waits
 *      poll    never waits: looks for events until it can start the last job,
 *              and goes on computing
 *      fault   loads from address 0, on node 1
 *      exit    ends with status 3, on node 1
 *      hoard   takes as much memory as it gets, on node 1
 *      pages   needs another page after others have been woken, and waits again
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

#define PERIOD          100000

static struct glaze_table table = { .period = PERIOD };

static void slot(uint32_t from, uint32_t to, uint32_t gid, uint32_t flags)
{
    table.slot[table.count++] =
        (struct glaze_slot) { from, to, gid, flags };
}

static void forever(void)
{
    struct glaze_event event;

    for (;;) {
        glaze_event(0, &event, GLAZE_NEVER);
    }
}

static unsigned failures;

static void check(const char *what, int32_t got, int32_t want)
{
    if (got != want) {
        printf("FAIL %s: got %ld, want %ld\n", what, (long)got, (long)want);
        failures++;
    }
}

static void bad_table(const char *what)
{
    check(what, glaze_schedule(&table), -EINVAL);
}

static void bad_tables(void)
{
    const struct glaze_table good = table;

#define BAD(what, change) do { change; bad_table(what); table = good; } while (0)
    BAD("count", table.count = GLAZE_SLOTS_MAX + 1);
    BAD("period", table.period = GLAZE_SLOT_LEAST - 1; table.count = 0);
    BAD("long period", table.period = (1ull << 62) + 1);
    BAD("origin", table.origin = (1ull << 62) + 1);
    BAD("short", table.slot[0].to = GLAZE_SLOT_LEAST - 1);
    BAD("backwards", table.slot[0].from = 30000; table.slot[0].to = 20000);
    BAD("beyond", table.slot[1].to = PERIOD + 1);
    BAD("overlap", table.slot[1].from--);
    BAD("order", table.slot[1].from = 0; table.slot[1].to = 1000);
    BAD("GID 0", table.slot[1].gid = 0);
    BAD("GID 63", table.slot[1].gid = 63);
    BAD("empty", table.slot[0].to = table.slot[0].from);
    BAD("flag", table.slot[0].flags = 2);
#undef BAD
}

/* The first and last values that each part of a table may have. */
static void good_tables(void)
{
    const struct glaze_table good = table;

#define GOOD(what, change) \
    do { change; check(what, glaze_schedule(&table), 0); table = good; } while (0)
    GOOD("no slot", table.count = 0);
    GOOD("least period", table.period = GLAZE_SLOT_LEAST; table.count = 0);
    GOOD("longest period", table.period = 1ull << 62);
    GOOD("last origin", table.origin = 1ull << 62);
    GOOD("shortest slot", table.slot[0].to = GLAZE_SLOT_LEAST);
    GOOD("GID 62", table.slot[1].gid = 62);
    table.count = 0;
    for (uint32_t k = 0; k < GLAZE_SLOTS_MAX; k++) {
        slot(k * GLAZE_SLOT_LEAST, (k + 1) * GLAZE_SLOT_LEAST, 1 + k % 3, 0);
    }
    GOOD("most slots", );
#undef GOOD
    check("good", glaze_schedule(&table), 0);
}

static void errors(void)
{
    struct glaze_plan plan = { 1, 2, 3 };
    struct glaze_event event;
    struct glaze_job job;
    uint32_t bad = 0xf0000000;

    slot(0, 50000, 1, 0);
    slot(50000, PERIOD, 3, 0);
    bad_tables();
    good_tables();
    check("SCHEDULE", glaze_call(GLAZE_SCHEDULE, 0, 0, 0), -EFAULT);
    check("EVENT", glaze_call4(GLAZE_EVENT, GLAZE_E_BEGUN, bad, 0, 0),
          -EFAULT);
    check("EVENT, none", glaze_event(0, &event, 0), 0);
    check("PLAN, none", glaze_plan(&plan), 0);
    check("PLAN, none, nowhere", glaze_call(GLAZE_PLAN, bad, 0, 0), 0);
    check("ANNOUNCE", glaze_call(GLAZE_ANNOUNCE, 0, 0, 0),
          udm_node() ? -EINVAL : -EFAULT);
    check("JOB", glaze_call(GLAZE_JOB, 1, bad, 0), -EFAULT);
    check("JOB 0", glaze_job(0, &job), -ENOENT);
    check("JOB 4", glaze_job(4, &job), -ENOENT);
    check("JOB 63", glaze_job(63, &job), -ENOENT);
    check("JOB max", glaze_job(0xffffffff, &job), -ENOENT);
    check("JOB 1", glaze_job(1, &job), 0);
    check("JOB 1: state", job.state, GLAZE_JOB_RUNS);
    check("JOB 1: begins", job.begins, 0);
    check("JOB 3", glaze_job(3, &job), 0);
    check("JOB 3: state", job.state, GLAZE_JOB_WAITS);
    check("JOB 3: begins", job.begins, 123456789);
    if (udm_node() != 0) {
        check("START elsewhere", glaze_start(3), -EINVAL);
        check("ANNOUNCE elsewhere", glaze_announce(&plan), -EINVAL);
        check("EVENT, a plan", glaze_event(0, &event, GLAZE_NEVER), 0);
        check("EVENT, a plan waits", glaze_event(0, &event, GLAZE_NEVER), 0);
        check("PLAN", glaze_call(GLAZE_PLAN, bad, 0, 0), -EFAULT);
        plan = (struct glaze_plan) { 0 };
        check("PLAN", glaze_plan(&plan), 1);
        check("PLAN: its words", plan.origin == 1ull << 40 && plan.jobs == 2 &&
              plan.gang == 3, true);
        check("PLAN, no other", glaze_plan(&plan), 0);
        printf("server: %u failures\n", failures);
        forever();
    }
    plan.origin <<= 40;
    check("ANNOUNCE", glaze_announce(&plan), 0);
    check("PLAN of its own", glaze_plan(&plan), 0);
    check("START 0", glaze_start(0), -ENOENT);
    check("START 4", glaze_start(4), -ENOENT);
    check("START 63", glaze_start(63), -ENOENT);
    check("START 1", glaze_start(1), -EEXIST);
    check("START 3", glaze_start(3), 3);
    check("START 3 again", glaze_start(3), -EEXIST);
    check("JOB 3", glaze_job(3, &job), 0);
    check("JOB 3: starts", job.state >= GLAZE_JOB_STARTS, true);
    do {
        check("EVENT", glaze_event(GLAZE_E_GONE, &event, GLAZE_NEVER) >= 0, 1);
        glaze_job(3, &job);
    } while (job.state != GLAZE_JOB_GONE);
    printf("server: %u failures\n", failures);
    forever();
}

static void events(void)
{
    struct glaze_event event;

    for (;;) {
        if (glaze_event(GLAZE_E_ALL, &event, GLAZE_NEVER) == 1 &&
            udm_node() == 0) {
            printf("event: job %lu: 0x%02lx, %lu\n", (unsigned long)event.gid,
                   (unsigned long)event.events,
                   (unsigned long)event.can_run);
        }
    }
}

/* The table is in force before job 2 begins. */
static void early(void)
{
    slot(0, PERIOD / 4, 2, GLAZE_SLOT_GANG);
    slot(PERIOD / 4, PERIOD, 1, 0);
    check("table", glaze_schedule(&table), 0);
    if (udm_node() == 0) {
        struct glaze_event event;

        while (udm_cycles() < 1000000) {
            glaze_event(0, &event, 1000000);
        }
        check("START", glaze_start(2), 2);
    }
    forever();
}

static void compute(void)
{
    for (;;) {
        /* no call */
    }
}

static void timed(void)
{
    struct glaze_event event;
    uint32_t start;

    for (;;) {
        glaze_event(0, &event, udm_cycles() + 1000);
        start = udm_cycles32();
        while (udm_cycles32() - start < 2000000) {
            /* no call */
        }
    }
}

static void hoard(void)
{
    uint32_t heap = 0x20000000;

    glaze_map(heap, 1 << 24);
    for (uint32_t at = 0; at < 1 << 24; at += GLAZE_PAGE) {
        *(volatile char *)(heap + at) = 1;
    }
}

/* The kernel's own table stays in force. */
static void pages(void)
{
    const uint32_t heap = 0x20000000, bytes = 12 * GLAZE_PAGE;
    struct glaze_event event;

    glaze_map(heap, bytes);
    for (uint32_t at = 0; ; at = (at + GLAZE_PAGE) % bytes) {
        *(volatile char *)(heap + at) = 1;
        while (glaze_event(GLAZE_E_WOKEN, &event, 0) == 1) {
        }
        glaze_event(GLAZE_E_WOKEN, &event, GLAZE_NEVER);
    }
}

static void poll(void)
{
    struct glaze_event event;
    struct glaze_job job;
    uint32_t last = 0;

    while (!glaze_job(last + 1, &job)) {
        last++;
    }
    do {
        glaze_event(GLAZE_E_GONE, &event, 0);
    } while (udm_node() || glaze_start(last) < 0);
    compute();
}

int main(void)
{
    struct glaze_file file;
    const char *what = glaze_file(0, &file) ? "" : (char *)(uintptr_t)file.address;

    if (!strcmp(what, "errors")) {
        errors();
    } else if (!strcmp(what, "events")) {
        events();
    } else if (!strcmp(what, "shares") || !strcmp(what, "gang")) {
        uint32_t flags = *what == 'g' ? GLAZE_SLOT_GANG : 0;

        slot(0, PERIOD / 4, 2, 0);
        slot(PERIOD / 4, PERIOD, 1, flags);
    } else if (!strcmp(what, "gaps")) {
        slot(PERIOD / 2, 3 * PERIOD / 4, 1, 0);
    } else if (!strcmp(what, "starve")) {
        slot(0, PERIOD, 1, 0);
    } else if (!strcmp(what, "late")) {
        slot(0, PERIOD, 1, 0);
        table.origin = 3000000;
        check("first", glaze_schedule(&table), 0);
        table.slot[0].gid = 2;
        table.origin = 2000000;
    } else if (!strcmp(what, "phase")) {
        slot(0, PERIOD / 4, 1, 0);
        slot(PERIOD / 4, PERIOD, 2, 0);
        table.origin = 10 * PERIOD + PERIOD / 2;
    } else if (!strcmp(what, "spin")) {
        compute();
    } else if (!strcmp(what, "timed")) {
        timed();
    } else if (!strcmp(what, "early")) {
        early();
    } else if (!strcmp(what, "poll")) {
        poll();
    } else if (!strcmp(what, "pages")) {
        pages();
    } else if (!strcmp(what, "busy") || !strcmp(what, "calm")) {
        table.period = 10 * PERIOD;
        slot(0, 3 * PERIOD, 1, GLAZE_SLOT_GANG);
        slot(6 * PERIOD, 8 * PERIOD, 2, GLAZE_SLOT_GANG);
        check("table", glaze_schedule(&table), 0);
        if (*what == 'b') {
            compute();
        }
        forever();
    } else if (udm_node() == 1 && !strcmp(what, "fault")) {
        *(volatile uint32_t *)0;
    } else if (udm_node() == 1 && !strcmp(what, "hoard")) {
        hoard();
    } else if (udm_node() == 1 && !strcmp(what, "exit")) {
        return 3;
    }
    check("table", glaze_schedule(&table), 0);
    forever();
}
