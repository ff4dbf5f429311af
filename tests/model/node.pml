/*
 * Two-case delivery on one node: all interleavings within the bounds.
 *
 * The bounds are set by -D of spin: PROCESSES (1 or 2), THREADS of each
 * process, MESSAGES in all, FUEL of each process (user.pml), QUANTA that end
 * while there is work, REQUESTS (GLAZE_DIVERT), MISTAKES (wrong programs),
 * FLOATS (contexts that begin to use the FPU), PAGES that are out, STARVES
 * (insertions that find no page frame).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "rules.h"
#include "state.pml"
#include "ni.pml"
#include "udm.pml"
#include "fpu.pml"
#include "memory.pml"
#include "kernel.pml"
#include "ends.pml"
#include "user.pml"

c_decl {
    \#include <stdlib.h>
}

/* Whether process x, which does not run, could do anything. */
#define WORK(x) (!paging[x] && \
    (ready[x] > 0 || length[x] > 0 || inside[SCHEDULER(x)] || \
     (cur[x] != SCHEDULER(x) && (!polls[cur[x]] || ALL_READ(x)))))

#define WAKE(n)   :: WAKEABLE(n) -> h = n; step_wake()
#define RESUME(n) :: RESUMABLE(n) -> h = SCHED + n

/* A page arrives, and its process can run. */
#define COMES(x) \
        :: paging[x] -> paging[x] = 0 \
        :: idles && !paging[x] -> h = x; switch_to(PAGE_UPCALLS)

/* Nothing more can happen: nothing may be left to do. */
inline check_end()
{
    assert(unsent == 0 && queued == 0);
    for (p : 0 .. PROCESSES - 1) {
        assert(extracted[p] == sent[p]);    /* none lost, none waits */
        assert(length[p] == 0);
        assert(held[p] == 0);
        assert(aside[p] == 0 && !paging[p]);
        assert(cur[p] == SCHEDULER(p) && !inside[cur[p]] && ready[p] == 0);
        assert(mode[p] == FAST || asked[p])     /* not still in buffered mode */
    }
}

active proctype node()
{
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        for (p : 0 .. PROCESSES - 1) {
            fuel[p] = FUEL;
            cur[p] = SCHEDULER(p) + 1;
            for (c : SCHEDULER(p) + 1 .. SCHEDULER(p) + THREADS) {
                state[c] = READY;
                ready[p]++
            }
            ready[p]--;
            state[cur[p]] = LIVE
        };
        p = 0;
        c = 0
    };
    do
    :: atomic {
        if
        /* the network and devices */
        :: unsent > 0 && queued < QUEUE -> arrive(0)
#if PROCESSES > 1
        :: unsent > 0 && queued < QUEUE -> arrive(1)
#endif
        :: busy -> busy = 0
        WAKE(1) WAKE(2) WAKE(3) WAKE(4) WAKE(5) WAKE(6) WAKE(7)
        WAKE(8) WAKE(9) WAKE(10) WAKE(11) WAKE(12) WAKE(13)

        /* interrupts */
        :: GOES_ON && AVAILABLE && !(uac & ID) ->
            running(); message_available()
        :: MISMATCH && (!starved || !KEEP(STARVED_WAITS)) ->
            running(); insert()
        :: EXPIRES && GOES_ON -> running(); revoke()
#if PROCESSES > 1
        :: !idles && !paging[1 - runs] &&
           (quanta > 0 || (!WORK(runs) && WORK(1 - runs))) ->
            running(); switch_process()
#endif

        /* page frames and pages */
        :: starved && KEEP(STARVED_WAITS) -> running(); room()
        COMES(0)
#if PROCESSES > 1
        COMES(1)
#endif

        /* a thread or handler, outside of sections and inside */
        :: OUTSIDE && HAS_FUEL -> step_beginatom()
        :: OUTSIDE && HAS_FUEL -> step_block()
        :: OUTSIDE && !IS_HANDLER(CUR) -> step_thread_ends()
        :: INSIDE && seen[CUR] == 0 && SHOWS -> step_look()
        :: INSIDE && (seen[CUR] != 0 || DARES) -> step_dispose()
        :: INSIDE && (!owes[CUR] || DARES) -> step_endatom()
        :: INSIDE && HAS_FUEL && (uac & TF) && !owes[CUR] ->
            step_endatom_timer()
        :: HAS_FUEL && mode[runs] == FAST &&
           (INSIDE || (REQUESTS && OUTSIDE)) ->
            step_fault()
        :: INSIDE && HAS_FUEL -> step_hold()
        :: INSIDE && HAS_FUEL && !owes[CUR] -> step_yield()
        :: INSIDE && HAS_FUEL && !owes[CUR] && seen[CUR] == 0 &&
           !ALL_READ(runs) ->
            step_poll()
        :: PROGRAM && IS_HANDLER(CUR) && (!owes[CUR] || DARES) ->
            step_handler_ends()
        :: INSIDE && IS_HANDLER(CUR) && (!owes[CUR] || DARES) ->
            step_handler_ends_slowly()
        :: GOES_ON && next[CUR] -> step_next()
        :: GOES_ON && ends[CUR] -> step_return()
        :: PROGRAM && floats > 0 && !uses[CUR] -> step_float()
        :: OUTSIDE && aside[runs] != 0 -> step_alarm()
        :: PROGRAM && pages > 0 -> step_page()

        /* polling until a message comes */
        :: GOES_ON && polls[CUR] && (SHOWS || ALL_READ(runs)) ->
            step_poll_ends()
        :: GOES_ON && polls[CUR] && !SHOWS && !MAY_READ(runs) &&
           ready[runs] > 0 && KEEP(POLL_GIVES_WAY) ->
            step_give_way()

        /* the library's scheduler */
        :: GOES_ON && CUR == SCHED && !inside[SCHED] && ready[runs] > 0 ->
            step_schedule()
        :: GOES_ON && CUR == SCHED && inside[SCHED] && ready[runs] == 0 ->
            step_idle()
        :: GOES_ON && CUR == SCHED && inside[SCHED] && ready[runs] > 0 ->
            running();
            if
            RESUME(1) RESUME(2) RESUME(3) RESUME(4) RESUME(5) RESUME(6)
            fi;
            step_resume()
        fi;
        kernel_exit();
        running();
        if
        :: GOES_ON -> check_view()
        :: else
        fi;
        p = 0;
        c = 0
       }
    :: timeout -> break
    od;
    check_end();
stop:
    skip
}
