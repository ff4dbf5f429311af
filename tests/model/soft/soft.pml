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

bit  word;              /* the upcall page says that a section is open */
bit  inside;            /* the thread is in the section that it has opened by
                           that word */
bit  closing;           /* it has cleared the word, and not yet looked at UAC */
bit  suspended;         /* a section of another thread is suspended, */
bit  held_inside;       /* which it has opened by the word, */
bit  held_closing;      /* and is closing */

#define ATOMIC          (disable || force)
#define AVAILABLE       (head == mine && !divert)
#define BUSY            (inside || closing)     /* with such a section */

inline set_timer(end)
{
    compare = end;
    reached = 0
}

/* No handler starts while the program is in a section. */
#define HANDLER_STARTS  assert(!inside)

/* ---- The kernel's C code -------------------------------------------------- */

/* The way into C: soft_take_section(). */
inline enter_kernel()
{
    if
    :: word && KEEP(ENTRY_TAKES_WORD) ->
        word = (KEEP(ENTRY_CLEARS_WORD) -> 0 : word);
        disable = 1
    :: else
    fi
}

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
    :: buffered && !suspended -> buffered = 0; extend = 0
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
    if
    :: buffered && !ATOMIC && !suspended ->     /* delivery_settle(): the buffer
                                                   may have a message */
        if
        :: HANDLER_STARTS; disable = 1; force = 1; extend = 1
        :: true
        fi
    :: else
    fi;
    settle()
}

/* A section that a message meets, in C (hold_back()) or in assembly. */
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
    :: AVAILABLE && word && KEEP(UPCALL_ASKS_WORD) ->   /* soft_section */
        disable = (KEEP(WORD_INTO_UAC) -> 1 : disable);
        pil = 1;                /* divert-mode is clear */
        if
        :: KEEP(WORD_HOLD_SETS_TIMER) -> set_timer(section)
        :: else
        fi
    :: AVAILABLE && !(word && KEEP(UPCALL_ASKS_WORD)) ->
        HANDLER_STARTS;         /* the fast path: an upcall */
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
            enter_kernel();
            if
            :: head == theirs || buffered -> head = none        /* to a buffer */
            :: else
            fi;
            leave_kernel()
        fi
    fi
}

inline signal()                 /* level 11, on MBCF's fast path: signal_due() */
{
    if
    :: word && !ATOMIC && KEEP(SIGNAL_ASKS_WORD) ->
        disable = 1;
        divert = 1;
        extend = 1
    :: !ATOMIC && !(word && KEEP(SIGNAL_ASKS_WORD)) ->
        HANDLER_STARTS;         /* an upcall */
        disable = 1;
        force = 1;
        divert = 1
    :: ATOMIC -> extend = 1     /* the end of the section comes to C */
    fi
}

inline timer()                  /* level 13 */
{
    reached = 1;
    enter_kernel();
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
        enter_kernel();
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

/*
 * A library's section opens: one store. It closes: a store, and then a look at
 * UAC, between which anything may interrupt. close_held() is the trap for a
 * section that the kernel has taken into UAC.
 */
inline open_word()
{
    word = 1;
    inside = 1
}

inline clear_word()
{
    word = 0;
    closing = 1;
    inside = disable            /* else the section is over */
}

inline look_at_uac()
{
    closing = 0;
    inside = 0;
    if
    :: disable && KEEP(CLOSE_ASKS_UAC) -> endatom()
    :: else
    fi;
    assert(!disable || force)   /* or a handler has started */
}

/*
 * The library runs another thread, with the section of the first one suspended;
 * and the first one again (GLAZE_HOLD). A page that is out makes the kernel do the
 * same within a section.
 */
inline suspend()
{
    enter_kernel();
    if
    :: disable && !force ->
        enter();
        disable = 0;
        extend = 0;
        suspended = 1;
        held_inside = inside;
        held_closing = closing;
        inside = 0;
        closing = 0
    :: else
    fi;
    leave_kernel()
}

inline resume()
{
    enter_kernel();
    assert(!ATOMIC);            /* the other thread has opened no section */
    disable = 1;
    extend = 1;
    inside = held_inside;
    closing = held_closing;
    held_inside = 0;
    held_closing = 0;
    suspended = 0;
    leave_kernel()
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
    enter_kernel();
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
        :: signal()
        :: enter_kernel(); leave_kernel()       /* level 14, a trap, a call */
        :: (!BUSY || force) && !suspended -> beginatom()
        :: ATOMIC && !force && !BUSY -> endatom()
        :: force -> end_handler()
        :: AVAILABLE && ATOMIC -> head = none           /* dispose */
        :: buffered && ATOMIC -> enter_kernel(); leave_if_done(); leave_kernel()
        :: !AVAILABLE && !BUSY -> wait()
        :: !ATOMIC && !BUSY && !suspended -> open_word()
        :: inside && !closing -> clear_word()
        :: closing && !force -> look_at_uac()
        :: !suspended && !force -> suspend()
        :: suspended && !force -> resume()
        fi;
        check()
       }
    od
}
