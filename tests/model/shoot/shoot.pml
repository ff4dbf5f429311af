/*
 * Shoot-downs between two kernels: each has a page that is mapped to the other's, both
 * ways (guest-os/kernel/services/shrimp/). Each stores into its own page, and sends it
 * by the engine; each may take its page out at any time, and bring it back.
 *
 * A page that goes out is shot down: the other node clears its entry for it, and
 * answers when its packets have entered the FIFO here. The page's own entry is cleared
 * as well. Both entries are set again when the next store has faulted and the other
 * node has named the frame.
 *
 * Packets name a frame, of which each node has two: one is the page's, and the other a
 * stranger's. A packet that is stored must find the page's frame, mapped in. Packets of
 * other mappings never end: the Incoming FIFO is never empty.
 *
 * The bounds are set by -D of spin: STORES of a node, and its EVICTIONS.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

#define NONE            255
#define STRANGE         2       /* a packet of another mapping */

c_decl {
    \#include <stdlib.h>
}

byte broken;

/* The second network keeps order. What has come is noted for the chore. */
mtype = { ASK, ANSWER, SHOOT, SHOT }
chan to_0 = [4] of { mtype, byte };     /* and frame */
chan to_1 = [4] of { mtype, byte };

/* Packets, by frame. */
chan outgoing_0 = [2] of { byte };
chan outgoing_1 = [2] of { byte };
chan incoming_0 = [3] of { byte };
chan incoming_1 = [3] of { byte };


/* ---- State, by node ------------------------------------------------------- */

mtype = { IN, TELLS, DRAINS_FIRST, DRAINING, OUT }
mtype page[2] = IN;
bit frame[2];                   /* the page's */
bit mapped_in[2] = 1;           /* that frame is */
byte drain[2];                  /* packets to store before it may go */
byte stores[2], evictions[2];   /* so many were */

mtype = { LIVE, CLEARED, ASKS }
mtype map[2] = LIVE;
bit entry[2] = 1;               /* of the NIPT, for a frame of the other: */
bit entry_frame[2];
bit writable[2] = 1;            /* and its command page is there */
byte open[2] = NONE;            /* the open packet: its frame */
byte engine[2] = NONE;          /* the engine's command: its frame */
bit wants[2];                   /* a store has faulted */

/* What has come from the other. */
bit asked[2];
byte answer[2] = NONE;          /* frame */
bit shoot[2];                   /* and is at work: */
bit fences[2];

byte scratch;

/* ---- Stores --------------------------------------------------------------- */

inline store(n, out)
{
    if
    :: stores[n] < STORES && !wants[n] && (open[n] == NONE || engine[n] == NONE) ->
        if
        :: writable[n] ->
            assert(entry[n]);           /* or the other never sees it */
            if
            :: open[n] == NONE -> open[n] = entry_frame[n]; stores[n]++
            :: engine[n] == NONE -> engine[n] = entry_frame[n]; stores[n]++
            fi
        :: else -> wants[n] = 1
        fi
    :: open[n] != NONE && nfull(out) -> out!open[n]; open[n] = NONE
    :: engine[n] != NONE && nfull(out) -> out!engine[n]; engine[n] = NONE
    fi
}

/* ---- The way out ---------------------------------------------------------- */

/* The entry goes, and with it what lets the program use it. */
inline clear(n)
{
    writable[n] = (KEEP(PROTECTS) -> 0 : writable[n]);
    entry[n] = 0;
    map[n] = (map[n] == LIVE -> CLEARED : map[n])
}

inline way_out(n, other, out, in)
{
    if
    :: page[n] == IN && evictions[n] < EVICTIONS && nfull(other) &&
       (!KEEP(CLOSES_OWN) || open[n] == NONE || nfull(out)) ->
        evictions[n]++;
        page[n] = TELLS;
        if
        :: KEEP(CLEARS_OWN) -> clear(n)
        :: else
        fi;
        if
        :: KEEP(CLOSES_OWN) && open[n] != NONE -> out!open[n]; open[n] = NONE
        :: else
        fi;
        other!SHOOT(0)
    :: page[n] == DRAINS_FIRST ->
        drain[n] = (KEEP(DRAINS) -> len(in) : 0);
        page[n] = DRAINING
    :: page[n] == DRAINING && (KEEP(COUNTS) -> drain[n] == 0 : len(in) == 0) &&
       (!KEEP(ENGINE_OWN) || engine[n] == NONE) ->
        mapped_in[n] = 0;
        drain[n] = 0;
        page[n] = OUT;
        /* Its frame is another's: */
        assert(!entry[n] && open[n] == NONE && engine[n] == NONE)
    :: page[n] == OUT && (wants[n] || asked[n]) ->
        frame[n] = 1 - frame[n];
        page[n] = IN
    fi
}

/* ---- Messages ------------------------------------------------------------- */

inline message(n, own)
{
    if
    :: own?ASK(_) -> asked[n] = 1
    :: own?ANSWER(scratch) -> answer[n] = scratch
    :: own?SHOOT(_) -> shoot[n] = 1
    :: own?SHOT(_) -> assert(page[n] == TELLS); page[n] = DRAINS_FIRST
    fi;
    scratch = 0
}

inline take_answer(n)
{
    assert(map[n] == ASKS);
    if
    :: page[n] == IN || !KEEP(DISCARDS) ->
        entry[n] = 1;
        entry_frame[n] = answer[n];
        writable[n] = 1;
        wants[n] = 0;
        map[n] = LIVE
    :: else -> map[n] = CLEARED
    fi;
    answer[n] = NONE
}

/* ---- The chore ------------------------------------------------------------ */

inline chore(n, other, out)
{
    if
    :: wants[n] && page[n] == IN && map[n] == CLEARED && nfull(other) ->
        map[n] = ASKS;
        other!ASK(0)
    :: wants[n] && page[n] == IN && map[n] == LIVE -> wants[n] = 0
    :: asked[n] && (page[n] == IN || (!KEEP(ANSWERS_IN) && page[n] != OUT)) &&
       nfull(other) ->
        asked[n] = 0;
        mapped_in[n] = 1;
        other!ANSWER(frame[n])
    :: answer[n] != NONE -> take_answer(n)
    :: shoot[n] && !fences[n] && (KEEP(BOTH_SIDES) || page[n] == IN || page[n] == OUT) &&
       (!KEEP(CLOSES) || open[n] == NONE || nfull(out)) ->
        if
        :: KEEP(ANSWER_FIRST) && answer[n] != NONE -> take_answer(n)
        :: else
        fi;
        clear(n);
        if
        :: KEEP(CLOSES) && open[n] != NONE && nfull(out) ->
            out!open[n];
            open[n] = NONE
        :: else
        fi;
        fences[n] = 1
    :: fences[n] == 1 && (!KEEP(CLOSES) || open[n] == NONE) &&
       (!KEEP(FENCES_ENGINE) || engine[n] == NONE) &&
       (!KEEP(FENCES) || len(out) == 0) && nfull(other) ->
        fences[n] = 0;
        shoot[n] = 0;
        other!SHOT(0)
    fi
}

/* ---- The network ---------------------------------------------------------- */

/* To node n. A stranger's packet is always behind. It comes when the one before is
 * waited for: if more came, a state in which nothing else goes on would not be found. */
inline network(n, out, in)
{
    if
    :: len(out) > 0 && nfull(in) -> out?scratch; in!scratch
    :: len(in) == 0 || (len(in) == 1 && (in?[0] || in?[1] || drain[n] > 0)) -> in!STRANGE
    :: len(in) > 1 ->
        in?scratch;
        drain[n] = (drain[n] > 0 -> drain[n] - 1 : 0);
        assert(scratch == STRANGE || (scratch == frame[n] && mapped_in[n]))
    fi;
    scratch = 0
}

#define DONE(n)         (stores[n] == STORES && !wants[n] && \
                         !asked[n] && !shoot[n] && answer[n] == NONE && open[n] == NONE && \
                         engine[n] == NONE && (page[n] == IN || page[n] == OUT))
#define OVER            (DONE(0) && DONE(1) && len(to_0) + len(to_1) == 0 && \
                         len(outgoing_0) + len(outgoing_1) == 0)

active proctype nodes()
{
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    do
    :: atomic { store(0, outgoing_0) }
    :: atomic { store(1, outgoing_1) }
    :: atomic { way_out(0, to_1, outgoing_0, incoming_0) }
    :: atomic { way_out(1, to_0, outgoing_1, incoming_1) }
    :: atomic { message(0, to_0) }
    :: atomic { message(1, to_1) }
    :: atomic { chore(0, to_1, outgoing_0) }
    :: atomic { chore(1, to_0, outgoing_1) }
    :: atomic { network(1, outgoing_0, incoming_1) }
    :: atomic { network(0, outgoing_1, incoming_0) }
    :: OVER -> break
    od
}
