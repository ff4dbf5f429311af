/*
 * Waits for memory on one node: two jobs, and one page frame too few for both.
 *
 * Each job executes instructions for ever. An instruction needs two pages at
 * once, or, if it is a system call, a frame for the kernel. What is missing, the
 * job waits for, and then begins the instruction again. The pager brings pages and
 * makes frames free (guest-os/kernel/policy/). One page is on its way at a time.
 *
 * Transfers take any time, but longer than an instruction: a transfer is not over
 * while a job could run that has not. Then the pager may take from a job that has
 * its pages, and does not run.
 *
 * An entry into the kernel that has no time for a step of the pager leaves it to the next
 * one, which does it first (kernel_begins()). So a job may execute PUT_OFF instructions
 * before the step.
 *
 * Job 0 may wait for a message, MESSAGES times: the other job sends it with its next
 * instruction. Meanwhile job 0 stays current, unless the other one can run.
 *
 * The bounds are set by -D of spin: PAGES of each job, FRAMES of the node, CALLS and
 * MESSAGES of job 0, PUT_OFF. The frames of calls do not come back. BOUND is the most
 * transfers and ends of slots between two instructions of a job.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

#define JOBS            2
#define IDLE            JOBS
#define SLOT            2
#define NOTHING         255
#define FRAME           254     /* in wanted[]: a frame for the kernel */
#define MESSAGE         253     /* in need1[]: a wait for a message */
#define FIRST_MOST      4       /* pages that come for the first job */
#define AT(j, k)        ((j) * PAGES + (k))

c_decl {
    \#include <stdlib.h>
}

byte broken;

bit in[JOBS * PAGES];           /* the page is in memory */
byte free = FRAMES;
byte newest[JOBS] = NOTHING, second[JOBS] = NOTHING;  /* pages that came last */
byte need1[JOBS], need2[JOBS];  /* pages of the instruction; FRAME: a call */
byte calls, messages;           /* of job 0 */
bit asleep;                     /* job 0 waits for a message */
bit granted[JOBS];
byte wanted[JOBS] = NOTHING;    /* what the job waits for */
byte current = IDLE;
bit due;                        /* the current job has executed nothing yet */
byte ran;                       /* instructions in this slot */
bit note;                       /* the pager has to look */
byte put_off;                   /* instructions since then */
byte turn;                      /* the job that the pager serves first */
byte first, arrived;            /* evict.c: the first job, and its pages that
                                   have come */
bit busy, brings;               /* a page is on its way; in or out */
byte moved_job, moved_page;
byte watched;                   /* the job of which BOUND is checked */
byte since;                     /* transfers and slots since its last
                                   instruction */
byte j, k, i, q;                /* scratch */

#define WAITS(j)        (wanted[j] != NOTHING)
#define HAS_FRESH(j)    (newest[j] != NOTHING)
#define ASLEEP(j)       (asleep && (j) == 0)
#define CAN_RUN(j)      (!WAITS(j) && !ASLEEP(j))

/* The job waits for memory, or has pages with which it has not run. */
#define NEEDS(j)        (WAITS(j) || (HAS_FRESH(j) && !ASLEEP(j)))

/* The page is one of the n that came last. n is 0, 1 or 2. */
#define SPARED(n, j, k) (KEEP(SPARES) && ((n > 0 && newest[j] == (k)) || \
                                          (n > 1 && second[j] == (k))))

/* How many of them stay while pages of another job can go: none of one that waits for a
 * message. */
#define KEPT(j)         (ASLEEP(j) -> 0 : 2)

/* A page, or one of a job's pages, may go if the n newest stay. */
#define MAY_GO(n, j, k) (in[AT(j, k)] && !SPARED(n, j, k) && current != (j))
#define ANY(n, j)       (MAY_GO(n, j, 0) || MAY_GO(n, j, 1) || MAY_GO(n, j, 2))

inline count()                  /* a transfer or a slot is over */
{
    since++;
    assert(since <= BOUND)
}

inline choose()                 /* the next instruction of job j */
{
    if
    :: j == 0 && calls < CALLS -> calls++; need1[j] = FRAME
    :: j == 0 && messages < MESSAGES -> messages++; need1[j] = MESSAGE
    :: true ->
        select (k : 0 .. PAGES - 1);
        need1[j] = k;
        need2[j] = (k + 1) % PAGES
    fi;
    k = 0
}

/* process_switch() to another job, or to idle: job j leaves the processor. */
inline leave()
{
    if
    :: current < JOBS && !WAITS(current) && HAS_FRESH(current) ->
        newest[current] = NOTHING;
        second[current] = NOTHING;
        note = note || KEEP(NOTES_LEAVING)
    :: else
    fi;
    current = IDLE;
    ran = 0;
    due = 0
}

/* The other job gets the processor if it can run. */
inline slot_ends()
{
    q = (CAN_RUN(1 - current) -> 1 - current : current);
    if
    :: q != current || KEEP(SLOT_FORGETS) -> leave()
    :: else
    fi;
    current = q;
    due = 1;
    ran = 0;
    q = 0;
    if
    :: !busy -> count()         /* else the job waits for the transfer */
    :: else
    fi
}

/* ---- The current job, j -------------------------------------------------- */

inline wait_for(what)
{
    wanted[j] = what;
    note = 1;
    current = IDLE;
    ran = 0;
    due = 0
}

/* process_wait(): the job's newest pages may go now. */
inline sleep()
{
    asleep = 1;
    note = note || KEEP(NOTES_WAIT);
    since = (j == watched -> 0 : since);
    choose()
}

inline execute()
{
    due = 0;
    ran++;
    asleep = 0;                 /* only the other job is asleep */
    if
    :: need1[j] == MESSAGE -> sleep()
    :: need1[j] == FRAME && (granted[j] || free > 0) ->
        free = (granted[j] -> free : free - 1);
        granted[j] = 0;
        since = (j == watched -> 0 : since);
        choose()
    :: need1[j] == FRAME && !granted[j] && free == 0 -> wait_for(FRAME)
    :: need1[j] < PAGES && !in[AT(j, need1[j])] -> wait_for(need1[j])
    :: need1[j] < PAGES && in[AT(j, need1[j])] && !in[AT(j, need2[j])] ->
        wait_for(need2[j])
    :: need1[j] < PAGES && in[AT(j, need1[j])] && in[AT(j, need2[j])] ->
        since = (j == watched -> 0 : since);
        choose()
    fi
}

/* ---- evict.c ------------------------------------------------------------- */

inline send_out(x, y)
{
    busy = 1;
    brings = 0;
    moved_job = x;
    moved_page = y;
    in[AT(x, y)] = 0
}

/* The first one has had its pages, or needs none: another one is the first. */
inline settle_first()
{
    if
    :: KEEP(FIRST_CHANGES) && NEEDS(1 - first) &&
       (arrived >= FIRST_MOST || !NEEDS(first)) ->
        first = 1 - first;
        arrived = 0
    :: else
    fi
}

/* Sends out a page of job x, but none of the n newest. */
inline send_any(n, x)
{
    if
    :: MAY_GO(n, x, 0) -> send_out(x, 0)
    :: MAY_GO(n, x, 1) -> send_out(x, 1)
    :: MAY_GO(n, x, 2) -> send_out(x, 2)
    fi
}

/* get_frame() for job j: sets `served` if a frame is being made free. */
inline get_frame()
{
    if
    :: ANY(KEPT(0), 0) -> send_any(KEPT(0), 0); served = 1
    :: ANY(2, 1) -> send_any(2, 1); served = 1
    :: else ->
        if
        :: current != IDLE && KEEP(LEAVES) -> leave(); served = 1; note = 1
        :: else ->
            settle_first();
            if
            :: first == j && KEEP(FIRST_TAKES) && ANY(0, 1 - j) ->
                send_any(0, 1 - j);
                served = 1
            :: first != j && ANY(0, 1 - j)       /* j has to wait */
            :: else ->
                assert(current == IDLE && ANY(1, j));
                send_any(1, j);
                served = 1
            fi
        fi
    fi
}

/* ---- pager.c ------------------------------------------------------------- */

inline serve()                  /* job j */
{
    if
    :: WAITS(j) && wanted[j] == FRAME && free > 0 ->
        free = (KEEP(GRANTS) -> free - 1 : free);
        granted[j] = KEEP(GRANTS);
        wanted[j] = NOTHING;
        served = 1;
        turn = 1 - j
    :: WAITS(j) && wanted[j] != FRAME && free > 0 && !busy ->
        free--;
        busy = 1;
        brings = 1;
        moved_job = j;
        moved_page = wanted[j];
        served = 1;
        turn = 1 - j
    :: WAITS(j) && free == 0 && !busy ->
        get_frame();
        turn = (served -> (KEEP(TURN_LASTS) -> j : 1 - j) : turn)
    :: else
    fi
}

inline pager_step()
{
    note = 0;
    served = 0;
    j = turn;
    serve();
    if
    :: !served -> j = 1 - j; serve()
    :: else
    fi;
    note = note || served;
    served = 0;
    j = 0
}

inline transfer_ends()
{
    busy = 0;
    note = KEEP(NOTES_ARRIVAL);
    if
    :: brings ->
        in[AT(moved_job, moved_page)] = 1;
        second[moved_job] = newest[moved_job];
        newest[moved_job] = moved_page;
        arrived = (moved_job == first && arrived < FIRST_MOST -> arrived + 1
                                                             : arrived);
        wanted[moved_job] = NOTHING
    :: else -> free++
    fi;
    brings = 0;
    moved_job = 0;
    moved_page = 0;
    count()
}

active proctype node()
{
    bit served;

    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        select (watched : 0 .. JOBS - 1);
        for (j : 0 .. JOBS - 1) {
            choose()
        }
        j = 0
    };
    do
    :: atomic {
        if
        :: note -> put_off = 0; pager_step()
        :: note && put_off < PUT_OFF && current != IDLE && !ASLEEP(current) &&
           ran < SLOT ->
            put_off++;
            j = current;
            execute();
            j = 0
        :: !note && current != IDLE && !ASLEEP(current) && ran < SLOT ->
            j = current;
            execute();
            j = 0
        :: !note && current == IDLE && CAN_RUN(0) -> current = 0; due = 1
        :: !note && current == IDLE && CAN_RUN(1) -> current = 1; due = 1
        :: !note && current != IDLE && !due &&
           (!ASLEEP(current) || CAN_RUN(1 - current)) -> slot_ends()
        :: !note && busy && !due &&
           (current != IDLE || !(CAN_RUN(0) || CAN_RUN(1))) ->
            transfer_ends()
        fi
       }
    od
}
