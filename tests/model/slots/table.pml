/*
 * An entry of the interface's tables, which the kernel changes word by word while slots
 * send (guest-os/kernel/services/mm/tables.c).
 *
 * A SEND of a job finds an entry that is valid and has its GID. It must find all words
 * to be that job's. The kernel serves a SEND that finds none, at any time; a job may
 * end, and another one get its GID.
 *
 * The bounds are set by -D of spin: SENDS.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

c_decl {
    \#include <stdlib.h>
}

byte broken;

byte job[2] = { 1, 2 };         /* of each GID; jobs have numbers of their own */
bit valid;                      /* the entry: these two are one word */
bit gid;
byte base, place;               /* whose */
bit miss[3];                    /* a SEND of the context waits for the kernel */
bit ended;

inline words(g)
{
    if
    :: KEEP(INVALID_FIRST) -> valid = 0
    :: else
    fi;
    if
    :: !KEEP(VALID_LAST) -> atomic { valid = 1; gid = g }
    :: else
    fi;
    base = job[g];
    place = job[g];
    if
    :: KEEP(VALID_LAST) -> atomic { valid = 1; gid = g }
    :: else
    fi
}

active proctype kernel()
{
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
end:
    do
    :: miss[0] -> words(0); miss[0] = 0
    :: miss[1] -> words(1); miss[1] = 0
    :: miss[2] -> words(1); miss[2] = 0
    :: !ended ->
        if
        :: KEEP(FORGETS_ENTRY) && valid && gid == 0 -> valid = 0
        :: else
        fi;
        atomic { job[0] = 3; ended = 1 }
    od
}

/* A context, whose messages have that GID. A SEND looks at the entry as a whole. */
proctype context(byte n; bit g)
{
    byte left = SENDS;

    do
    :: atomic {
        left > 0 && !miss[n] ->
        if
        :: valid && gid == g ->
            assert(base == job[g] && place == job[g]);
            left--
        :: else -> miss[n] = 1
        fi
       }
    :: left == 0 -> break
    od
}

init {
    atomic { run context(0, 0); run context(1, 1); run context(2, 1) }
}
