/*
 * FIFOE: no entry of a requester is lost, doubled or out of order.
 *
 * The bounds are set by -D of spin: REQUESTERS, ENTRIES of each, ROOM for entries
 * in the FIFO, WINDOW: entries of a requester that may be under way, PLAIN: entries
 * that others send by FIFO or SIGNAL, which have no order, and FUEL: how often a
 * requester tries again in vain. (After that it waits until it need not be in vain,
 * so that nothing goes round for ever.)
 *
 * Commands of a requester arrive in their order, and so do the replies. Each names
 * an epoch: a command the one that its requester knows, a reply the FIFO's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

c_decl {
    \#include <stdlib.h>
}

mtype = { fifoe, retry, pending, done, stops, stopped_, full_ };

byte broken;

chan command[REQUESTERS] = [WINDOW] of { mtype, byte, byte };
chan reply[REQUESTERS] = [WINDOW] of { mtype, byte, byte };

/* The FIFO: an entry is a requester and a number. PLAIN_ONE: a plain entry. */
#define PLAIN_ONE       REQUESTERS
chan fifo = [ROOM] of { byte, byte };
bool stopped;
byte epoch;                     /* how often the FIFO has gone on */
#define HAS_ROOM        (len(fifo) < ROOM)

byte expected[REQUESTERS];      /* the consumer's: the next entry of each */

/* ---- The target: fifo_check(), check_room() ------------------------------ */

inline on_command(r, kind, number, known)
{
    if
    :: kind == fifoe && ((stopped && (KEEP(STOPPED_REFUSES) || !HAS_ROOM)) ||
                         (known != epoch && KEEP(EPOCH_REFUSES)))
        -> reply[r]!(KEEP(ONE_STOPS) -> stopped_ : stops), number, epoch
    :: else ->
        if
        :: HAS_ROOM ->
            fifo!r, number;
            if
            :: stopped && KEEP(RETRY_GOES_ON) ->
                stopped = 0;
                epoch = epoch + KEEP(RETRY_BEGINS_EPOCH)
            :: else
            fi;
            reply[r]!done, number, epoch
        :: !HAS_ROOM && kind == retry -> reply[r]!full_, number, epoch
        :: !HAS_ROOM && kind == fifoe ->
            stopped = KEEP(FULL_STOPS);
            reply[r]!stops, number, epoch
        fi
    fi
}

proctype arrives(byte r)
{
    mtype kind;
    byte number, known;

end:
    do
    :: atomic {
        command[r]?kind, number, known -> on_command(r, kind, number, known);
        known = 0
       }
    od
}

/* Plain entries come at any time. One that finds no room is refused. */
proctype plain()
{
    byte left = PLAIN;

    do
    :: atomic {
        left > 0 && HAS_ROOM ->
        left--;
        fifo!PLAIN_ONE, 0;
        if
        :: KEEP(PLAIN_LEAVES_IT)
        :: else -> stopped = 0
        fi
       }
    :: left == 0 -> break
    :: left > 0 -> left--
    od
}

proctype consumer()
{
    byte r, number;

end:
    do
    :: atomic {
        fifo?r, number ->
        if
        :: r != PLAIN_ONE ->
            assert(number == expected[r]);
            expected[r]++
        :: else
        fi;
        r = 0;
        number = 0
       }
    od
}

/* ---- A requester --------------------------------------------------------- */

#define OF(number)      ((number) % WINDOW)

inline send_again()
{
    assert(status[OF(number)] != done);
    kind = (status[OF(number)] == stopped_ && KEEP(RETRY_AFTER_STOPS) -> fifoe
                                                                      : retry);
    status[OF(number)] = pending;
    command[r]!kind, number, known;
    under_way++
}

proctype requester(byte r)
{
    byte first, next, under_way, fuel = FUEL, k, number;
    byte known, latest;         /* epochs: that its commands name, of the last reply */
    mtype status[WINDOW];
    mtype kind;

    do
    :: atomic {
        next < ENTRIES && next - first < WINDOW ->
        status[OF(next)] = pending;
        command[r]!fifoe, next, known;
        under_way++;
        next++
       }
    :: atomic {
        reply[r]?kind, k, latest ->
        status[OF(k)] = kind;
        under_way--;
        known = (KEEP(ADOPTS_AGAIN) -> known : latest);
        do
        :: first < next && (status[OF(first)] == done ||
           (status[OF(first)] != pending && !KEEP(KEEPS_ENTRIES))) -> first++
        :: else -> break
        od;
        k = 0
       }
    :: atomic {                 /* the oldest is refused, all have replied */
        first < next && under_way == 0 && status[OF(first)] != done &&
        (fuel > 0 || (status[OF(first)] == stopped_ -> !stopped : HAS_ROOM)) ->
        if
        :: fuel > 0 -> fuel--
        :: else
        fi;
        k = 0;
        known = latest;
        if                      /* the RETRY begins an epoch */
        :: status[OF(first)] != stopped_ -> known++
        :: else
        fi;
        do
        :: k < next - first ->
            number = (KEEP(AGAIN_IN_ORDER) -> first + k : next - 1 - k);
            send_again();
            k++
        :: else -> break
        od;
        k = 0;
        number = 0
       }
    :: first == ENTRIES -> break
    od
}

init {
    byte i;

    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        for (i : 0 .. REQUESTERS - 1) {
            run requester(i);
            run arrives(i)
        };
        run consumer();
        run plain()
    };
    i = 0;
    do                          /* waits for ever if an entry is lost */
    :: expected[i] == ENTRIES ->
        i++;
        if
        :: i == REQUESTERS -> break
        :: else
        fi
    od
}
