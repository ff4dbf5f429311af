/*
 * A wait for a word without the processor: the page of the word is closed meanwhile
 * (guest-os/kernel/services/mm/guard.c).
 *
 * Slots of both priorities store to the word and to another one of its page. A store to
 * a closed page stops the slot, and the kernel opens the page when it takes that
 * interrupt: not while it serves the process's own call. The page is shared, so it stays
 * in memory. The process may be woken by something else at any time, and may store there
 * itself.
 *
 * The bounds are set by -D of spin: STORES of each slot; OTHERS: how often something
 * else wakes the process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

c_decl {
    \#include <stdlib.h>
}

byte broken;

byte word;                      /* grows with each store to it */
bit closed;                     /* the page */
bit guarded;
bit asleep;
bit in_kernel;                  /* no interrupt is taken */
bit stopped[2];                 /* slots at fault */
byte others = OTHERS;
byte faults;                    /* interrupts since then for stores to the page */

#define LAST            (2 * STORES)

inline unguard()
{
    if
    :: guarded ->
        closed = (KEEP(OPENS_PAGE) -> 0 : closed);
        guarded = 0
    :: else
    fi
}

/* A handler stores: to the word, or beside it. */
proctype slot(bit n)
{
    byte left = STORES;

    do
    :: atomic {
        left > 0 && !stopped[n] ->
        if
        :: closed -> stopped[n] = 1
        :: else -> left--; word++
        fi
       }
    :: left == 0 -> break
    od
}

/* message_slots_interrupt() */
inline serve(n)
{
    stopped[n] = 0;
    faults++;
    assert(faults <= 2);        /* few, however many stores come */
    if
    :: guarded && KEEP(STORE_WAKES) -> unguard(); asleep = 0
    :: else
    fi;
    assert(!closed)             /* it would stop again, and the page would stay closed */
}

active proctype kernel()
{
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    run slot(0);
    run slot(1);
end:
    do
    :: atomic { !in_kernel && stopped[0] -> serve(0) }
    :: atomic { !in_kernel && stopped[1] -> serve(1) }
    :: atomic { others > 0 && asleep -> others--; asleep = 0 }
    od
}

/* guard_look() and the sleep: interrupts are masked, and slots go on. */
inline wait_call(same)
{
    atomic { !stopped[0] && !stopped[1] -> in_kernel = 1; faults = 0 };
    if
    :: KEEP(CLOSES_BEFORE_LOOK) ->
        atomic { unguard(); closed = 1; guarded = 1 };
        differs = word != same
    :: else ->
        differs = word != same;
        atomic { unguard(); closed = 1; guarded = 1 }
    fi;
    atomic {
        if
        :: differs -> unguard()
        :: else -> asleep = 1
        fi;
        in_kernel = 0
    };
    !asleep
}

active proctype process()
{
    byte seen;
    bit differs;

    do
    :: word == LAST -> break
    :: else ->
        seen = word;
        if
        :: seen == LAST -> break
        :: else
        fi;
        wait_call(seen);
        /* The process stores to the page itself: memory_touch(). */
        atomic {
            if
            :: closed && KEEP(OWN_STORE_OPENS) -> unguard()
            :: else
            fi;
            assert(!closed)
        }
    od
}
