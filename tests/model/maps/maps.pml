/*
 * Maps between two kernels: a source and a target, each with processes that come and
 * go, packets on their way, and the second network, which keeps order in each
 * direction but none with the packets (guest-os/kernel/services/shrimp/).
 *
 * A target's process has one page, whose contents are its number: a packet that is
 * stored must have been sent to this process, while one of its grants stands. The
 * source's process maps, sends, and unmaps or ends; the target's exports, ends its
 * export or itself. Both may do so at any time.
 *
 * The bounds are set by -D of spin: BIRTHS of processes on each side, SENDS of the
 * source in all, MAPS of a process, GRANTS of a process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

#define NONE            255

c_decl {
    \#include <stdlib.h>
}

byte broken;

/* Messages. */
mtype = { ASK, SOURCE_ENDS, ANSWER, WAIT, REFUSED, RETRY, END, ENDED }
chan to_target = [3] of { mtype, byte, byte };          /* source's process, grant */
chan to_source = [4] of { mtype, byte, byte, byte };    /* and target's process */

/* Packets, by the target's process for which they are. */
chan outgoing = [2] of { byte };
chan incoming = [2] of { byte };
byte sent, entered, stored;     /* so many */

/* ---- State ---------------------------------------------------------------- */

/* The source's process, and its mapping. */
mtype = { FREE, ASKS, PARKED, LIVE, DEAD, FENCES, TELLS }
byte source = 1;                /* its number */
bit source_gone;                /* it ends */
mtype map = FREE;
byte maps;                      /* it has made */
byte map_grant = NONE, map_target;      /* entry of the NIPT: the target's process */
bit entry;
byte fence;
bit end_waits;                  /* the target asks for an end: */
byte end_source, end_grant, end_fence;
bit end_fences;
mtype answer = FREE;            /* has come, and has not been taken */
byte answer_grant, answer_target;

/* The target's process, and its grants. */
mtype = { GRANTED, ENDING, TOLD, DRAINS_FIRST, DRAINING }
byte target = 1;
bit target_gone;
bit exported;
bit waits, retries;             /* the source waits for an export; it is to be told */
mtype grant[GRANTS] = FREE;
byte grant_source[GRANTS];
byte grant_entered[GRANTS];
bit told;                       /* an END has no answer yet, for: */
byte told_grant;

byte i;                         /* scratch */

#define HAS_GRANTS      (grant[0] != FREE || grant[GRANTS - 1] != FREE)
#define MAPPED_IN       HAS_GRANTS

/* ---- The source ----------------------------------------------------------- */

inline clear()
{
    entry = (KEEP(CLEARS_FIRST) -> 0 : entry);
    fence = sent;
    map = FENCES
}

inline source_events()
{
    if
    :: map == FREE && !source_gone && maps < MAPS && source <= BIRTHS ->
        maps++;
        map_grant = NONE;
        map = ASKS;
        to_target!ASK(source, NONE)
    :: entry && sent < SENDS && nfull(outgoing) ->      /* by the engine */
        sent++;
        outgoing!map_target
    :: map == LIVE && !source_gone -> clear()
    :: map == DEAD && !source_gone -> entry = 0; map = FREE
    :: map == FENCES && (!KEEP(FENCES_UNMAP) || entered >= fence) ->
        entry = 0;
        map = TELLS;
        to_target!SOURCE_ENDS(source, map_grant)
    :: !source_gone && source <= BIRTHS -> source_gone = 1
    :: source_gone && map == PARKED -> map = FREE
    :: source_gone && map == LIVE -> clear()
    :: source_gone && map == DEAD -> entry = 0; map = FREE
    :: source_gone && (map == FREE || (map == ASKS && !KEEP(AWAITS_REPLY))) ->
        source++;
        source_gone = 0;
        maps = 0;
        map = FREE
    fi
}

/* Takes the answer to ASK or SOURCE_ENDS that has come. */
inline take_answer()
{
    if
    :: answer == ANSWER ->
        assert(map == ASKS);
        map_grant = answer_grant;
        map_target = answer_target;
        entry = 1;
        map = LIVE
    :: answer == WAIT ->
        assert(map == ASKS);
        map = PARKED
    :: answer == REFUSED ->
        assert(map == ASKS || map == TELLS);
        map = FREE
    :: else
    fi;
    answer = FREE;
    answer_grant = 0;
    answer_target = 0
}

/* What comes from the target. Its answers, and the end of a mapping, are noted for the
 * chore; RETRY is taken at once. */
inline source_message()
{
    if
    :: to_source?ANSWER(_, answer_grant, answer_target) -> answer = ANSWER
    :: to_source?WAIT(_, _, _) -> answer = WAIT
    :: to_source?REFUSED(_, _, _) -> answer = REFUSED
    :: to_source?RETRY(_, _, _) ->
        if
        :: KEEP(ANSWER_FIRST) -> take_answer()
        :: else
        fi;
        if
        :: map == PARKED -> map = ASKS; to_target!ASK(source, NONE)
        :: else
        fi
    :: to_source?END(end_source, end_grant, _) -> end_waits = 1
    fi
}

/* Answers have been taken before. */
inline source_ends()
{
    if
    :: end_waits && !end_fences && answer == FREE && len(to_source) == 0 ->
        if
        :: map == LIVE && ((end_source == source && end_grant == map_grant) ||
                           !KEEP(NAMES_GRANT)) ->
            assert(grant[map_grant] == TOLD);   /* it was asked for */
            entry = 0;
            map = DEAD
        :: else
        fi;
        end_fence = sent;
        end_fences = 1
    :: end_fences && (!KEEP(FENCES_END) || entered >= end_fence) ->
        end_fences = 0;
        end_waits = 0;
        end_fence = 0;
        to_target!ENDED(0, 0)
    fi
}

/* ---- The target ----------------------------------------------------------- */

inline free_grant(g)
{
    grant[g] = FREE;
    grant_entered[g] = 0;
    grant_source[g] = 0
}

inline answer_ask(s)
{
    if
    :: target > BIRTHS || target_gone ->
        to_source!REFUSED(s, 0, 0)
    :: else ->
        if
        :: !exported -> waits = 1; to_source!WAIT(s, 0, 0)
        :: else ->
            i = (grant[0] == FREE -> 0 : (grant[GRANTS - 1] == FREE -> GRANTS - 1
                                                                    : NONE));
            if
            :: i == NONE -> to_source!REFUSED(s, 0, 0)
            :: else ->
                grant[i] = GRANTED;
                grant_source[i] = s;
                to_source!ANSWER(s, i, target)
            fi;
            i = 0
        fi
    fi
}

inline target_message()
{
    byte s, g;

    if
    :: to_target?ASK(s, _) -> answer_ask(s)
    :: to_target?SOURCE_ENDS(s, g) ->
        if
        :: grant[g] == GRANTED || grant[g] == ENDING -> grant[g] = DRAINS_FIRST
        :: else
        fi;
        to_source!REFUSED(s, 0, 0)
    :: to_target?ENDED(_, _) ->
        grant[told_grant] = DRAINS_FIRST;
        told = 0
    fi;
    s = 0;
    g = 0
}

inline end_all()
{
    for (i : 0 .. GRANTS - 1) {
        grant[i] = (grant[i] == GRANTED -> ENDING : grant[i])
    }
    i = 0
}

inline target_events()
{
    if
    :: !exported && !target_gone && target <= BIRTHS ->      /* or another export */
        exported = 1;
        retries = waits && KEEP(RETRIES)
    :: exported && !target_gone -> exported = 0; end_all()
    :: !target_gone && target <= BIRTHS ->
        exported = 0;
        target_gone = 1;
        retries = (KEEP(RETRIES_AT_END) -> waits : retries);
        end_all()
    :: retries && nfull(to_source) ->
        retries = 0;
        waits = 0;
        to_source!RETRY(0, 0, 0)
    :: target_gone && !retries && (!HAS_GRANTS || !KEEP(ENDS_GRANTS)) ->
        target++;               /* the page is another process's now */
        target_gone = 0;
        waits = 0
    fi
}

inline grant_events(g)
{
    if
    :: grant[g] == ENDING && !told && nfull(to_source) ->
        told = 1;
        told_grant = g;
        grant[g] = TOLD;
        to_source!END(grant_source[g], g, target)
    :: grant[g] == DRAINS_FIRST -> grant_entered[g] = entered; grant[g] = DRAINING
    :: grant[g] == DRAINING && (!KEEP(DRAINS) || stored >= grant_entered[g]) ->
        free_grant(g)
    fi
}

/* ---- The network ---------------------------------------------------------- */

inline network()
{
    byte to;

    if
    :: len(outgoing) > 0 && nfull(incoming) -> outgoing?to; entered++; incoming!to
    :: incoming?to ->
        stored++;
        /* A page that is not mapped in drops it, but not one that the sender has been
         * promised: what a live mapping sends arrives. */
        assert(!MAPPED_IN || to == target);
        assert(MAPPED_IN || map != LIVE)
    fi;
    to = 0
}

#define QUIET           (len(to_target) == 0 && len(to_source) == 0 && \
                         len(outgoing) == 0 && len(incoming) == 0 && answer == FREE)
#define OVER            (source > BIRTHS && target > BIRTHS && QUIET && !end_waits)

/* Nothing that has been promised is forgotten. */
inline check()
{
    assert(!(map == PARKED && exported && QUIET && !retries && !source_gone));
    assert(!(map == PARKED && target > BIRTHS && QUIET && !retries && !source_gone));
    assert(!(OVER && (HAS_GRANTS || entry)))
}

active proctype nodes()
{
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    do
    :: atomic { source_events(); check() }
    :: atomic { source_message(); check() }
    :: atomic { answer != FREE -> take_answer(); check() }
    :: atomic { source_ends(); check() }
    :: atomic { len(to_target) > 0 && len(to_source) < 3 -> target_message(); check() }
    :: atomic { target_events(); check() }
    :: atomic { grant_events(0); check() }
    :: atomic { grant_events(1); check() }
    :: atomic { len(outgoing) > 0 || len(incoming) > 0 -> network(); check() }
    :: OVER -> break
    od
}
