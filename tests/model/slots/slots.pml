/*
 * Message slots of a node: two slots, the handlers of two processes, pages that go out
 * and come back, and the ends of processes
 * (guest-os/kernel/services/mm/message_slots.c, segments.c).
 *
 * Messages come at any time. A handler accesses one page of its process. Pages that are
 * not shared may go out, come back or be unmapped at any time. A process may end, and
 * when its memory has been given back another one gets its GID. A page that is not in
 * memory is another process's: no slot may reach it.
 *
 * Process 1 shares its pages, and ends only by mistakes of its handlers, so it shows
 * what the other one does to it.
 *
 * The bounds are set by -D of spin: MESSAGES that come at each priority, for each of the
 * two processes; OUTS: how often a page goes out; UNMAPS: how often one is unmapped;
 * ENDS: how often process 0 ends by itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

#define NONE            255
#define PROCESSES       2
#define PAGES           2
#define PRIORITIES      2

c_decl {
    \#include <stdlib.h>
}

byte broken;

/* ---- State ---------------------------------------------------------------- */

/* Messages: GID, the job that has sent it, and the page that its handler accesses. */
chan queue[PRIORITIES] = [2] of { byte, byte, byte };
byte more[4] = MESSAGES;        /* that come, by process and priority */
byte taken[PRIORITIES];         /* messages of process 1 */
byte more_outs = OUTS, more_unmaps = UNMAPS, more_ends = ENDS;

/* Processes. A page is in memory, in backing store, has not been touched yet, or is none
 * of the process's. */
mtype = { IN, OUT, FRESH, UNMAPPED }
mtype page[4];                  /* by process and page */
bit known[4];                   /* the MMU may know the entry */
mtype = { LIVE, ENDS_SOON, ENDED }
mtype process[PROCESSES] = LIVE;
byte job[PROCESSES];            /* of those that had the GID, the number of this one */
bit open[PROCESSES] = 1;        /* its address space */

/* Slots. */
mtype = { ON, FAULT, STUCK }
mtype slot[PRIORITIES] = ON;
byte gid[PRIORITIES] = NONE;    /* of its MMU context */
byte in_job[PRIORITIES];        /* whose text its pc is in */
byte wants[PRIORITIES] = NONE;  /* page of the current message; NONE: it waits */

byte i;                         /* scratch */

#define PAGE(g, n)      page[PAGES * (g) + (n)]
#define KNOWN(g, n)     known[PAGES * (g) + (n)]
#define HAS_ENDED(g)    (process[g] != LIVE)

/* ---- Slots ---------------------------------------------------------------- */

/* Takes a message. `jmp %g6` is fetched from the text of the last one's process. */
inline take(s)
{
    if
    :: gid[s] != NONE && !open[gid[s]] -> slot[s] = FAULT
    :: else ->
        assert(gid[s] == NONE || in_job[s] == job[gid[s]]);
        queue[s]?gid[s], in_job[s], wants[s];
        taken[s] = taken[s] + (gid[s] == 1 -> 1 : 0)
    fi
}

/* The handler's access. */
inline access(s)
{
    if
    :: open[gid[s]] && PAGE(gid[s], wants[s]) == IN ->
        KNOWN(gid[s], wants[s]) = 1;
        assert(in_job[s] == job[gid[s]]);
        wants[s] = NONE
    :: else ->
        assert(!KNOWN(gid[s], wants[s]));       /* or an old entry leads to another's page */
        slot[s] = FAULT
    fi
}

inline slot_goes_on(s)
{
    if
    :: slot[s] == ON && wants[s] == NONE && len(queue[s]) > 0 -> take(s)
    :: slot[s] == ON && wants[s] != NONE -> access(s)
    fi
}

/* ---- The kernel ----------------------------------------------------------- */

/* K_MM_START: the rest of the current message is dropped. */
inline begin(s)
{
    slot[s] = ON;
    wants[s] = NONE;
    gid[s] = NONE;
    in_job[s] = 0;
    if
    :: !KEEP(DROPS_ONE) && len(queue[s]) > 0 -> queue[s]?_, _, _
    :: else
    fi
}

inline end_job(g)
{
    process[g] = (process[g] == LIVE -> ENDS_SOON : process[g])
}

/* message_slots_interrupt() */
inline serve(s)
{
    if
    :: gid[s] != NONE && !HAS_ENDED(gid[s]) && wants[s] != NONE ->
        if
        :: PAGE(gid[s], wants[s]) == IN -> slot[s] = ON
        :: PAGE(gid[s], wants[s]) == FRESH && KEEP(FILLS) ->
            PAGE(gid[s], wants[s]) = IN;
            slot[s] = ON
        :: PAGE(gid[s], wants[s]) == OUT && !KEEP(NEVER_WAITS) -> slot[s] = STUCK
        :: else -> end_job(gid[s]); begin(s)
        fi
    :: else ->
        if
        :: KEEP(DROPS_FOR_ENDED) -> begin(s)
        :: else -> slot[s] = STUCK
        fi
    fi
}

/* What may happen to a page of a process that lives. Process 1 has shared its own. */
inline changes(g, n)
{
    if
    :: more_outs > 0 && PAGE(g, n) == IN && !HAS_ENDED(g) &&
       (g == 0 || !KEEP(SHARED_STAYS)) ->
        more_outs--;
        PAGE(g, n) = OUT;
        KNOWN(g, n) = (KEEP(OUT_FLUSHES) -> 0 : KNOWN(g, n))
    :: (PAGE(g, n) == OUT || PAGE(g, n) == FRESH) && !HAS_ENDED(g) ->
        PAGE(g, n) = IN         /* its own program touches it */
    :: more_unmaps > 0 && g == 0 && PAGE(g, n) != UNMAPPED && !HAS_ENDED(g) ->
        more_unmaps--;
        PAGE(g, n) = UNMAPPED;
        KNOWN(g, n) = (KEEP(UNMAP_FLUSHES) -> 0 : KNOWN(g, n))
    fi
}

/* message_slots_end() */
inline reap(g)
{
    process[g] = ENDED;
    if
    :: KEEP(CLOSES_FIRST) ->
        open[g] = 0;
        for (i : 0 .. PAGES - 1) {
            KNOWN(g, i) = 0
        }
        i = 0
    :: else
    fi;
    for (i : 0 .. PRIORITIES - 1) {
        if
        :: gid[i] == g && (wants[i] != NONE || KEEP(BEGINS_WAITING)) -> begin(i)
        :: else
        fi
    }
    i = 0
}

#define HAS_MESSAGES(g) (queue[0]??[eval(g), _, _] || queue[1]??[eval(g), _, _] || \
                         (gid[0] == g && wants[0] != NONE) || \
                         (gid[1] == g && wants[1] != NONE))
#define IS_FREED(g)     (PAGE(g, 0) == UNMAPPED && PAGE(g, 1) == UNMAPPED)

/* The end of a process, and the next one with its GID, which may itself end. */
inline ends(g)
{
    if
    :: g == 0 && more_ends > 0 && process[g] == LIVE -> more_ends--; end_job(g)
    :: process[g] == ENDS_SOON -> reap(g)
    :: process[g] == ENDED && PAGE(g, 0) != UNMAPPED -> PAGE(g, 0) = UNMAPPED
    :: process[g] == ENDED && PAGE(g, 1) != UNMAPPED -> PAGE(g, 1) = UNMAPPED
    :: process[g] == ENDED && IS_FREED(g) && (!HAS_MESSAGES(g) || !KEEP(DRAINED_FIRST)) &&
       job[g] == 0 ->
        job[g]++;
        process[g] = LIVE;
        open[g] = 1;
        PAGE(g, 0) = IN;
        PAGE(g, 1) = FRESH
    fi
}

/* ---- The network ---------------------------------------------------------- */

/* A process of another node sends: it may have ended here. */
inline comes(g, s)
{
    more[PRIORITIES * g + s]--;
    if
    :: queue[s]!g, job[g], 0
    :: queue[s]!g, job[g], 1
    fi
}

#define MORE            (more[0] + more[1] + more[2] + more[3])
#define IDLE(s)         (slot[s] == ON && wants[s] == NONE && len(queue[s]) == 0)

active proctype node()
{
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    d_step {
        for (i : 0 .. PROCESSES - 1) {
            PAGE(i, 0) = IN;
            PAGE(i, 1) = FRESH
        }
        i = 0
    };
    do
    :: atomic { slot_goes_on(0) }
    :: atomic { slot_goes_on(1) }
    :: atomic { slot[0] == FAULT -> serve(0) }
    :: atomic { slot[1] == FAULT -> serve(1) }
    :: atomic { changes(0, 0) }
    :: atomic { changes(0, 1) }
    :: atomic { changes(1, 0) }
    :: atomic { changes(1, 1) }
    :: atomic { ends(0) }
    :: atomic { more[0] > 0 && nfull(queue[0]) -> comes(0, 0) }
    :: atomic { more[1] > 0 && nfull(queue[1]) -> comes(0, 1) }
    :: atomic { more[2] > 0 && nfull(queue[0]) -> comes(1, 0) }
    :: atomic { more[3] > 0 && nfull(queue[1]) -> comes(1, 1) }
    :: atomic {
        MORE == 0 && IDLE(0) && IDLE(1) ->
        assert(process[1] == LIVE);
        assert(taken[0] == MESSAGES && taken[1] == MESSAGES);   /* it has lost none */
        break
       }
    od
}
