/*
 * A GID that is used again: messages of a job that has gone, at both priorities, and
 * the markers that follow them (guest-os/kernel/policy/flush.h).
 *
 * Two nodes have a process of the job each. Programs send at priority 0, handlers of
 * priority 0 reply at 1. The processes end at any time. When both have ended, each node
 * sends markers to each node. Then the next job has the GID, and must get no message
 * of the first one.
 *
 * The bounds are set by -D of spin: REQUESTS of each program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

#define NODES           2
#define MARK            255
#define NET(from, to, p) net[4 * (p) + 2 * (from) + (to)]

c_decl {
    \#include <stdlib.h>
}

byte broken;

/* One network for each priority keeps order between two nodes: jobs. */
chan net[8] = [4] of { byte };
byte job[NODES] = 1;            /* of the process that has the GID */
bit ended[NODES];
byte left[NODES] = REQUESTS;
byte replies_to[NODES], reply_of[NODES];        /* the handler of priority 0; 255: none */
byte marks[NODES];              /* that have come */
bit marked[NODES];              /* the node has sent its markers */
bit flushes;

/* Sends a message of the job that the node has. Nothing leaves after its end. */
inline program(n, to)
{
    atomic {
        !ended[n] && left[n] > 0 && job[n] == 1 && nfull(NET(n, to, 0)) ->
        left[n]--;
        NET(n, to, 0)!job[n]
    }
}

/* The slot of priority p takes a message. */
inline takes(n, from, p)
{
    atomic {
        (p == 1 || replies_to[n] == 255) && nempty(NET(from, n, p)) ->
        NET(from, n, p)?m;
        if
        :: m == MARK -> marks[n]++
        :: m != MARK && ended[n] && KEEP(DROPS_AFTER_END)
        :: m != MARK && !(ended[n] && KEEP(DROPS_AFTER_END)) ->
            assert(m == job[n]);        /* the process is of the job that has sent it */
            if
            :: p == 0 -> replies_to[n] = from; reply_of[n] = m
            :: else
            fi
        fi;
        m = 0
    }
}

inline replies(n, to)
{
    atomic {
        replies_to[n] == to && nfull(NET(n, to, 1)) ->
        replies_to[n] = 255;
        NET(n, to, 1)!reply_of[n];
        reply_of[n] = 0
    }
}

/* message_slots_end(): a handler that runs goes no further. */
inline ends(n)
{
    atomic {
        !ended[n] && job[n] == 1 ->
        ended[n] = 1;
        if
        :: KEEP(STOPS_HANDLERS) -> replies_to[n] = 255; reply_of[n] = 0
        :: else
        fi
    }
}

#define HAVE_ENDED      (ended[0] && ended[1])
#define EACH            (KEEP(MARKS_ZERO) + KEEP(MARKS_ONE))    /* markers to a node */

inline begins()
{
    atomic {
        !flushes && job[0] == 1 &&
        (HAVE_ENDED || (!KEEP(AFTER_ALL_ENDS) && (ended[0] || ended[1]))) ->
        flushes = 1
    }
}

inline sends_markers(n)
{
    atomic {
        flushes && !marked[n] && nfull(NET(n, 0, 0)) && nfull(NET(n, 1, 0)) &&
        nfull(NET(n, 0, 1)) && nfull(NET(n, 1, 1)) ->
        marked[n] = 1;
        if
        :: KEEP(MARKS_ZERO) -> NET(n, 0, 0)!MARK; NET(n, 1, 0)!MARK
        :: else
        fi;
        if
        :: KEEP(MARKS_ONE) -> NET(n, 0, 1)!MARK; NET(n, 1, 1)!MARK
        :: else
        fi
    }
}

/* The next job begins. */
inline next_job()
{
    atomic {
        HAVE_ENDED && marked[0] && marked[1] && job[0] == 1 &&
        (!KEEP(AWAITS_MARKERS) ||
         (marks[0] == NODES * EACH && marks[1] == NODES * EACH)) ->
        job[0] = 2;
        job[1] = 2;
        ended[0] = 0;
        ended[1] = 0
    }
}

#define IS_EMPTY(from, to)  (empty(NET(from, to, 0)) && empty(NET(from, to, 1)))
#define QUIET           (IS_EMPTY(0, 0) && IS_EMPTY(0, 1) && IS_EMPTY(1, 0) && \
                         IS_EMPTY(1, 1) && replies_to[0] == 255 && replies_to[1] == 255)

active proctype machine()
{
    byte m;

    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    d_step { replies_to[0] = 255; replies_to[1] = 255 };
    do
    :: program(0, 0)
    :: program(0, 1)
    :: program(1, 0)
    :: program(1, 1)
    :: takes(0, 0, 0)
    :: takes(0, 1, 0)
    :: takes(0, 0, 1)
    :: takes(0, 1, 1)
    :: takes(1, 0, 0)
    :: takes(1, 1, 0)
    :: takes(1, 0, 1)
    :: takes(1, 1, 1)
    :: replies(0, 0)
    :: replies(0, 1)
    :: replies(1, 0)
    :: replies(1, 1)
    :: ends(0)
    :: ends(1)
    :: begins()
    :: sends_markers(0)
    :: sends_markers(1)
    :: next_job()
    :: job[0] == 2 && QUIET -> break
    od
}
