/*
 * A process that is about to wait: whatever it would get an upcall for comes at
 * any time, and the process does not sleep while something waits for it
 * (guest-os/kernel/delivery/wait.c).
 *
 * The bounds are set by -D of spin: EACH: how often each source has something;
 * MBCF: the process waits with MBCF_WAIT, for a word; LATE: the program takes
 * signals some time after it has begun; HELD: it waits for a page, with
 * suspended sections that keep all else back until the page has come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

c_decl {
    \#include <stdlib.h>
}

byte broken;

/* Sources of upcalls. */
#define HEAD            0       /* a message at the head of the network */
#define BUFFER          1       /* a message in the buffer */
#define PAGES           2
#define SIGNALS         3       /* an invocation waits, and is to be brought */
#define ALARM           4       /* is due */
#define SOURCES         5

bool is_there[SOURCES];
byte left[SOURCES];             /* how often each still comes */
byte early;                     /* invocations that are not to be brought yet */
bool takes_signals;
bool held;                      /* suspended sections */
bool asleep;

/* What a command with MBCF_WAKES does. */
byte word, wakes, more_wakes;

/* ---- The kernel ---------------------------------------------------------- */

#define LOOKS(s)        (is_there[s] && KEEP(LOOKS_AT_HEAD + s))
#define CAN_TAKE(s)     ((s) == PAGES || !held || !KEEP(PAGES_ALONE))

/* wait_for_upcall() */
inline wait_call(differs)
{
    atomic {
        if
        :: differs && KEEP(LOOKS_AT_WAKES)
        :: LOOKS(PAGES)
        :: CAN_TAKE(HEAD) && LOOKS(HEAD)
        :: CAN_TAKE(BUFFER) && LOOKS(BUFFER)
        :: CAN_TAKE(SIGNALS) && LOOKS(SIGNALS)
        :: CAN_TAKE(ALARM) && LOOKS(ALARM)
        :: else ->
            asleep = 1;
            /* Nothing would wake the process for an alarm that is due. */
            assert(held || !is_there[ALARM])
        fi
    };
    !asleep
}

/* A source has something. An alarm falls due only while the process runs. */
inline comes(s)
{
    atomic {
        left[s] > 0 && (s != ALARM || !asleep) && (s == PAGES || !is_there[s]) ->
        left[s]--;
        if
        :: s == SIGNALS && !takes_signals -> early++
        :: else ->
            is_there[s] = 1;
            if
            :: asleep && CAN_TAKE(s) && KEEP(HEAD_WAKES + s) -> asleep = 0
            :: else
            fi
        fi
    }
}

proctype source(byte s)
{
end:                            /* alarms may be left when the program ends */
    do
    :: comes(s)
    :: left[s] == 0 -> break
    od
}

proctype waker()
{
    do
    :: atomic {
        more_wakes > 0 ->
        more_wakes--;
        word++;
        wakes++;
        if
        :: asleep && KEEP(WAKES_WAKE) -> asleep = 0
        :: else
        fi
       }
    :: more_wakes == 0 -> break
    od
}

/* ---- The program --------------------------------------------------------- */

/* Outside of atomic sections each upcall comes. */
inline upcalls()
{
    atomic {
        for (s : 0 .. SOURCES - 1) {
            if
            :: is_there[s] && (s == PAGES || !held) ->
                is_there[s] = 0;
                had = 1;
                if
                :: s == PAGES -> held = 0
                :: else
                fi
            :: else
            fi
        };
        s = 0
    }
}

/* No process waits for an alarm alone: that does not end a wait. */
#define ALL_CAME    (left[HEAD] + left[BUFFER] + left[PAGES] + left[SIGNALS] == 0 && early == 0)
#define NOTHING     (!is_there[HEAD] && !is_there[BUFFER] && !is_there[PAGES] && !is_there[SIGNALS] && !is_there[ALARM])

/* Waits until the last upcall of each source but the alarm has come. */
proctype program()
{
    byte s, had;

    do
    :: takes_signals && ALL_CAME && NOTHING -> break
    :: else ->
        /* The section begins. What comes now is not seen by the program. */
        if
        :: !takes_signals ->
            atomic {
                takes_signals = 1;
                if
                :: early && KEEP(EARLY_ONES_COME) -> early = 0; is_there[SIGNALS] = 1
                :: else
                fi
            }
        :: takes_signals && !(ALL_CAME && NOTHING) ->
            wait_call(0);
            had = 0;
            if
            :: KEEP(OPENS_THE_SECTION) -> upcalls()
            :: else
            fi;
            assert(had)         /* the call does not return in vain */
        :: takes_signals && ALL_CAME && NOTHING
        fi
    od
}

/* mbcf_sleep_while(): waits until the word has its last value. */
proctype sleeper()
{
    byte seen;

    do
    :: word == EACH -> break
    :: else ->
        if
        :: KEEP(READS_COUNT_FIRST) -> seen = wakes
        :: else
        fi;
        if
        :: word == EACH -> break
        :: else
        fi;
        if
        :: KEEP(READS_COUNT_FIRST)
        :: else -> seen = wakes
        fi;
        wait_call(wakes != seen)
    od
}

init {
    byte i;

    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        takes_signals = !LATE;
        held = HELD;
        if
        :: MBCF ->
            more_wakes = EACH;
            run waker();
            run sleeper()
        :: else ->
            for (i : 0 .. SOURCES - 1) {
                left[i] = (LATE && i != SIGNALS -> 0 : EACH);
                run source(i)
            };
            run program()
        fi;
        i = 0
    }
}
