/*
 * Soft atomicity on one node: PIL, divert-mode and the cycle timer keep messages
 * away from a section or handler, and bound its time (docs/soft-kernel.md,
 * guest-os/kernel/delivery/soft.c).
 *
 * The model follows one process. Any other process is a time in which this one
 * does not run. There is no time: the cycle timer may interrupt whenever the
 * processor lets it, and so may the second network. MESSAGES, set by -D of spin,
 * is the number of messages that come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

c_decl {
    \#include <stdlib.h>
}

mtype = { none, mine, theirs };         /* the head message */
mtype = { slot, section, idle };        /* what COMPARE is the end of */

byte broken;
byte unsent = MESSAGES;
mtype head = none;
mtype compare = slot;
bit  reached;           /* COMPARE has been reached since it was written */

bit  buffered;          /* the process is in buffered mode */
bit  disable = 1;       /* UAC: interrupt-disable, */
bit  force;             /* timer-force, */
bit  extend;            /* atomicity-extend */
bit  pil;               /* the process's PIL is 10, not 0 */
bit  divert = 1;

#define ATOMIC          (disable || force)
#define AVAILABLE       (head == mine && !divert)

inline set_timer(end)
{
    compare = end;
    reached = 0
}

/* ---- The kernel's C code -------------------------------------------------- */

inline enter()                  /* delivery_enter() */
{
    if
    :: !buffered ->
        buffered = 1;
        divert = 1;
        if
        :: head == mine -> head = none
        :: else
        fi;
        extend = extend || disable
    :: else
    fi
}

inline leave_if_done()
{
    if
    :: buffered -> buffered = 0; extend = 0
    :: true                     /* the buffer still has messages */
    fi
}

inline end_section()            /* delivery_endatom() */
{
    disable = 0;
    force = 0;
    extend = 0;
    leave_if_done()
}

/*
 * The way out of C. The scheduler may have decided anew, or this process may
 * have left the processor meanwhile.
 */
inline leave_kernel()
{
    if
    :: true
    :: true ->                  /* choose(), with the same result */
        if
        :: KEEP(CHOICE_WRITES_NOTHING)
        :: else -> set_timer(slot)
        fi
    :: true ->                  /* another process, or none, had its turn */
        if
        :: (ATOMIC || head == mine) && KEEP(SWITCH_REVOKES) -> enter()
        :: else
        fi;
        if
        :: true -> set_timer(slot)
        :: true -> set_timer(idle)
        fi
    fi;
    settle()
}

/* A section that a message meets, in C (hold()) or in assembly. */
inline hold(shows, sets_timer)
{
    pil = 1;
    divert = (KEEP(shows) -> 0 : divert);
    if
    :: KEEP(sets_timer) -> set_timer(section)
    :: else
    fi
}

inline settle()                 /* soft_settle() */
{
    if
    :: !buffered && ATOMIC && pil
    :: !buffered && ATOMIC && !pil && head == mine ->
        hold(HOLD_SHOWS, HOLD_SETS_TIMER)
    :: else ->
        pil = (KEEP(SETTLE_LOWERS) -> 0 : pil);
        divert = buffered || ATOMIC;
        if
        :: KEEP(SETTLE_SETS_TIMER) -> set_timer(slot)
        :: else
        fi
    fi
}

/* ---- Interrupts ----------------------------------------------------------- */

inline message()                /* level 10 */
{
    if
    :: AVAILABLE ->             /* the fast path: an upcall */
        disable = 1;
        force = 1;
        pil = 1;
        if
        :: KEEP(UPCALL_SETS_TIMER) -> set_timer(section)
        :: else
        fi
    :: else ->
        if
        :: head == mine && !buffered && ATOMIC ->
            hold(FAST_HOLD_SHOWS, FAST_HOLD_SETS_TIMER) /* soft_insert */
        :: else ->              /* C, perhaps for another cause */
            if
            :: head == theirs || buffered -> head = none        /* to a buffer */
            :: else
            fi;
            leave_kernel()
        fi
    fi
}

inline timer()                  /* level 13 */
{
    reached = 1;
    if
    :: pil ->
        if
        :: (force || head == mine) && KEEP(TIMEOUT_REVOKES) -> enter()
        :: else
        fi;
        pil = (KEEP(TIMEOUT_LOWERS) -> 0 : pil);
        leave_kernel();
        assert(head != mine || buffered)        /* it need not wait again */
    :: else -> leave_kernel()
    fi
}

/* ---- The user's operations ------------------------------------------------ */

inline beginatom()
{
    disable = 1;
    if
    :: !pil && KEEP(SECTION_DIVERTS) -> divert = 1
    :: else
    fi
}

inline endatom()
{
    if
    :: extend ->
        end_section();
        leave_kernel()
    :: !extend && pil ->        /* end_held */
        disable = 0;
        force = 0;
        pil = (KEEP(END_LOWERS) -> 0 : pil);
        if
        :: KEEP(END_SETS_TIMER) -> set_timer(slot)
        :: else
        fi
    :: else ->
        disable = 0;
        force = 0;
        divert = buffered
    fi
}

inline end_handler()            /* ta 127 */
{
    if
    :: extend ->
        end_section();
        leave_kernel()
    :: else ->
        disable = 0;
        force = 0;
        pil = (KEEP(CLEANUP_LOWERS) -> 0 : pil);
        if
        :: KEEP(CLEANUP_SETS_TIMER) -> set_timer(slot)
        :: else
        fi
    fi
}

/* The process waits in C until a message comes, or something else wakes it. */
inline wait()
{
    pil = (KEEP(WAIT_LOWERS) -> 0 : pil);
    set_timer(idle);
    if
    :: head == none && unsent > 0 -> unsent--; head = mine
    :: true
    fi;
    settle()
}

/* ---- What has to hold whenever the process runs --------------------------- */

inline check()
{
    if
    :: pil ->
        assert(compare == section && !reached); /* the time is bounded, */
        assert(!divert && !buffered && ATOMIC)  /* and messages can be read */
    :: else ->
        assert(compare == slot);
        assert(divert || !(buffered || ATOMIC)) /* the kernel sees each head
                                                   before the user does */
    fi
}

active proctype node()
{
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    do
    :: atomic {
        if
        :: head == none && unsent > 0 -> unsent--; head = mine
        :: head == none && unsent > 0 -> unsent--; head = theirs
        :: head != none && !pil -> message()
        :: timer()
        :: leave_kernel()       /* level 14, a trap, a system call */
        :: beginatom()
        :: ATOMIC && !force -> endatom()
        :: force -> end_handler()
        :: AVAILABLE && ATOMIC -> head = none           /* dispose */
        :: buffered && ATOMIC -> leave_if_done(); leave_kernel()
        :: !AVAILABLE -> wait()
        fi;
        check()
       }
    od
}
