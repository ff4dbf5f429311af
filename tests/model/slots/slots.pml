/*
 * Message slots of a node: two slots, the handlers of two processes, pages that go out
 * and come back, and the ends of processes (guest-os/kernel/services/mm/message_slots.c,
 * policy/pager.c).
 *
 * Messages come at any time. A handler accesses one page of its process. Pages may go
 * out, come back or be unmapped at any time. A process may end, and when its memory has
 * been given back another one gets its GID. A page that is not in memory is another
 * process's: no slot may reach it.
 *
 * Process 1 ends only by mistakes of its handlers, so it shows what the other one does
 * to it.
 *
 * The bounds are set by -D of spin: MESSAGES that come at each priority, for each of the
 * two processes; OUTS: how often a page goes out; UNMAPS: how often one is unmapped;
 * ENDS: how often process 0 ends by itself; FAILS: whether the disk may fail.
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

/* Processes. A page is in memory, in backing store, on its way from there, or none of
 * the process's. */
mtype = { IN, OUT, COMES, UNMAPPED }
mtype page[4];                  /* by process and page */
bit known[4];                   /* the MMU may know the entry */
mtype = { LIVE, ENDS_SOON, ENDED }
mtype process[PROCESSES] = LIVE;
byte job[PROCESSES];            /* of those that had the GID, the number of this one */
bit open[PROCESSES] = 1;        /* its address space */
bit lost[PROCESSES];            /* a page cannot be read */
byte remote[PROCESSES] = NONE;  /* page that the pager brings for a slot */
bit came;                       /* the chore has to look at the slots */

/* Slots. */
mtype = { ON, FAULT, HELD }
mtype slot[PRIORITIES] = ON;
byte gid[PRIORITIES] = NONE;    /* of its MMU context */
byte in_job[PRIORITIES];        /* whose text its pc is in */
byte wants[PRIORITIES] = NONE;  /* page of the current message; NONE: it waits */
byte held_for[PRIORITIES] = NONE;       /* GID */

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
    held_for[s] = NONE;
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

inline ask_for_page(g, n)
{
    remote[g] = (remote[g] == NONE -> n : remote[g])
}

/* message_slots_interrupt() */
inline serve(s)
{
    if
    :: gid[s] != NONE && !HAS_ENDED(gid[s]) && wants[s] != NONE ->
        if
        :: PAGE(gid[s], wants[s]) == IN -> slot[s] = ON
        :: PAGE(gid[s], wants[s]) == UNMAPPED -> end_job(gid[s]); begin(s)
        :: else ->
            slot[s] = HELD;
            held_for[s] = gid[s];
            ask_for_page(gid[s], wants[s])
        fi
    :: else ->
        if
        :: KEEP(DROPS_FOR_ENDED) -> begin(s)
        :: else -> slot[s] = HELD
        fi
    fi
}

/* message_slots_step(), for one slot. */
inline step(s)
{
    if
    :: held_for[s] == NONE
    :: held_for[s] != NONE && lost[held_for[s]] && KEEP(LOST_ENDS) ->
        end_job(held_for[s]);
        begin(s)
    :: held_for[s] != NONE && !(lost[held_for[s]] && KEEP(LOST_ENDS)) ->
        if
        :: PAGE(held_for[s], wants[s]) == OUT || PAGE(held_for[s], wants[s]) == COMES ||
           (PAGE(held_for[s], wants[s]) == UNMAPPED && !KEEP(TRIES_AGAIN)) ->
            /* Or the pager would be asked for ever. */
            assert(PAGE(held_for[s], wants[s]) != UNMAPPED && !lost[held_for[s]]);
            if
            :: KEEP(ASKS_IN_TURN) -> ask_for_page(held_for[s], wants[s])
            :: else
            fi
        :: else ->
            if
            :: KEEP(GOES_ON) -> held_for[s] = NONE; slot[s] = ON
            :: else
            fi
        fi
    fi
}

inline remote_came(g)
{
    remote[g] = NONE;
    came = 1
}

/* serve_remote(). The disk brings one page at a time. */
inline pager(g)
{
    if
    :: remote[g] != NONE && !HAS_ENDED(g) &&
       (lost[g] || PAGE(g, remote[g]) == IN || PAGE(g, remote[g]) == UNMAPPED) ->
        remote_came(g)
    :: remote[g] != NONE && !HAS_ENDED(g) && !lost[g] && PAGE(g, remote[g]) == OUT &&
       page[0] != COMES && page[1] != COMES && page[2] != COMES && page[3] != COMES ->
        PAGE(g, remote[g]) = COMES
    fi
}

/* A page that has been read; its process may have ended, or the page been unmapped. */
inline disk(g, n)
{
    if
    :: PAGE(g, n) == COMES ->
        if
        :: FAILS && g == 0 -> PAGE(g, n) = OUT; lost[g] = 1
        :: PAGE(g, n) = IN
        fi;
        if
        :: !HAS_ENDED(g) && remote[g] == n && PAGE(g, n) == IN -> remote_came(g)
        :: else
        fi
    fi
}

/* What may happen to a page of a process that lives. Process 1 unmaps none. */
inline changes(g, n)
{
    if
    :: more_outs > 0 && PAGE(g, n) == IN && !HAS_ENDED(g) ->
        more_outs--;
        PAGE(g, n) = OUT;
        KNOWN(g, n) = (KEEP(OUT_FLUSHES) -> 0 : KNOWN(g, n))
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
    remote[g] = NONE;
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
        :: gid[i] == g && (wants[i] == NONE -> KEEP(BEGINS_WAITING)
                                            : (slot[i] != HELD || KEEP(BEGINS_HELD))) ->
            begin(i)
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
    :: process[g] == ENDED && PAGE(g, 0) != UNMAPPED && PAGE(g, 0) != COMES ->
        PAGE(g, 0) = UNMAPPED
    :: process[g] == ENDED && PAGE(g, 1) != UNMAPPED && PAGE(g, 1) != COMES ->
        PAGE(g, 1) = UNMAPPED
    :: process[g] == ENDED && IS_FREED(g) && (!HAS_MESSAGES(g) || !KEEP(DRAINED_FIRST)) &&
       job[g] == 0 ->
        job[g]++;
        process[g] = LIVE;
        open[g] = 1;
        lost[g] = 0;
        PAGE(g, 0) = IN;
        PAGE(g, 1) = IN
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
        for (i : 0 .. PROCESSES * PAGES - 1) {
            page[i] = IN
        }
        i = 0
    };
    do
    :: atomic { slot_goes_on(0) }
    :: atomic { slot_goes_on(1) }
    :: atomic { slot[0] == FAULT -> serve(0) }
    :: atomic { slot[1] == FAULT -> serve(1) }
    :: atomic { came -> came = 0; step(0); step(1) }
    :: atomic { pager(0) }
    :: atomic { pager(1) }
    :: atomic { disk(0, 0) }
    :: atomic { disk(0, 1) }
    :: atomic { disk(1, 0) }
    :: atomic { disk(1, 1) }
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
