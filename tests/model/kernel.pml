/*
 * The kernel of a node: everything that two-case delivery asks of it.
 *
 * p is the running process and c its running context, unless a routine says
 * otherwise. Traps are off in the kernel; what goes on meanwhile is messages
 * that arrive and the DMA engine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define MAY_READ(process) (held[process] == 0 || reads[process])

/*
 * A routine says in `todo` how it goes on; kernel_exit, at the end of each
 * step, does it. So there is one copy of each way out, in the model as in
 * the kernel.
 */
#define SETTLE  1       /* whatever has changed: what c has to find */
#define RETURN  2       /* handler c has ended */
#define ENDED   3       /* in buffered mode: a section or a handler has */
#define LEAVE   4
#define UPCALL  5       /* from the buffer */
#define START   6       /* UAC and %g6 are set: a handler starts */

/* ---- Message buffer ------------------------------------------------------ */

/* m := the first message of p, which leaves the buffer. */
inline unbuffer()
{
    d_step {
        m = buffer[p * MESSAGES];
        length[p]--;
        for (i : 0 .. MESSAGES - 2) {
            buffer[p * MESSAGES + i] = buffer[p * MESSAGES + i + 1]
        }
        buffer[p * MESSAGES + MESSAGES - 1] = 0;
        i = 0
    }
}

#define HEAD_RECORD(process) (G6_RECORD + buffer[(process) * MESSAGES])

/* ---- Upcalls ------------------------------------------------------------- */

/* A handler context on top of c becomes the running one. */
inline begin_handler()
{
    h = SCHEDULER(p) + THREADS + 1;
    do
    :: state[h] == FREE -> break
    :: else -> h++; assert(h < SCHEDULER(p) + CONTEXTS)
    od;
    assert(stack[p] == 0);          /* that stack is in use */
    stack[p] = h;
    state[h] = LIVE;
    if
    :: IS_HANDLER(c) && KEEP(HANDLER_KEEPS_FPU) -> fp_keep(below[c])
    :: else
    fi;
    below[h] = c;
    c = h;
    cur[p] = h;
    h = 0;
    saw_start()
}

/*
 * GLAZE_U_MESSAGE: the fast path, IRQ_MESSAGE. A window may have to go to the
 * stack first. If the stack's page is out, the message moves to the buffer
 * while p waits.
 */
inline message_available()
{
    if
    :: pages > 0 -> wait_for_page()
    :: true ->
        uac = uac | ID | TF | DP;
        todo = START
    fi
}

/* GLAZE_U_BUFFERED. If the stack's page is out, p waits for it, and settle
   finds the message still there. */
inline upcall()
{
    if
    :: pages > 0 ->
        if
        :: KEEP(UPCALL_ASKS_FIRST)
        :: else -> upcall_bits()
        fi;
        wait_for_page()
    :: true ->
        upcall_bits();
        todo = START
    fi
}

inline upcall_bits()
{
    uac = ID | TF;
    if
    :: KEEP(UPCALL_SETS_DP) -> uac = uac | DP
    :: else
    fi;
    if
    :: KEEP(UPCALL_SETS_AE) -> uac = uac | AE
    :: else
    fi;
    if
    :: KEEP(UPCALL_SETS_G6) -> g6[p] = HEAD_RECORD(p)
    :: else
    fi
}

/* ---- Into buffered mode and out of it ------------------------------------ */

/* The running process enters; settle follows before it goes on. */
inline enter()
{
    if
    :: mode[p] == FAST ->
        printf("%d: process %d enters buffered mode\n", broken, p);
        if
        :: HEAD && ADDRESSEE(queue[0]) == p && KEEP(ENTRY_MOVES_HEAD) ->
            store(p);
            if
            :: starved || KEEP(ENTRY_KEEPS_DP)
            :: else -> uac = uac & ~DP
            fi
        :: else
        fi;
        meanwhile();
        mode[p] = BUFFERED;
        if
        :: KEEP(ENTRY_DIVERTS) -> divert = 1
        :: else
        fi;
        timer = 0;
        if
        :: (uac & ID) && KEEP(ENTRY_SETS_AE) -> uac = uac | AE
        :: else
        fi
    :: else
    fi
}

inline leave()
{
    printf("%d: process %d leaves buffered mode\n", broken, p);
    meanwhile();
    mode[p] = FAST;
    asked[p] = 0;
    if
    :: KEEP(LEAVE_SETS_G6) -> g6[p] = G6_NI
    :: else
    fi;
    if
    :: pages > 0 && !KEEP(LEAVE_ASKS_NO_PAGE) ->
        pages--;                /* to see what has been put aside */
        if
        :: uac & (ID | TF) -> enter(); g6[p] = G6_EMPTY
        :: else
        fi
    :: else
    fi;
    if
    :: KEEP(LEAVE_CLEARS_DIVERT) -> divert = 0
    :: else
    fi;
    if
    :: KEEP(LEAVE_SETS_TIMER) -> timer = 1
    :: else
    fi;
    if
    :: KEEP(LEAVE_CLEARS_AE) && (aside[p] == 0 || !KEEP(LEAVE_KEEPS_AE)) ->
        uac = uac & ~AE
    :: else
    fi
}

/*
 * Every slow way back to p ends here: whatever has changed, this is what the
 * thread that goes on has to find. The rules are those of the caller.
 */
inline settle_by(rule_g6, rule_ae, rule_upcall)
{
    todo = SETTLE;
    sets_g6 = KEEP(rule_g6);
    sets_ae = KEEP(rule_ae);
    upcalls = KEEP(rule_upcall)
}

inline settle()
{
    todo = 0;
    if
    :: mode[p] == FAST -> g6[p] = (sets_g6 -> G6_NI : g6[p])
    :: mode[p] == BUFFERED && (!MAY_READ(p) || length[p] == 0) ->
        g6[p] = (sets_g6 -> G6_EMPTY : g6[p])
    :: mode[p] == BUFFERED && MAY_READ(p) && length[p] > 0 && (uac & ID) ->
        g6[p] = (sets_g6 -> HEAD_RECORD(p) : g6[p]);
        uac = (sets_ae -> uac | AE : uac)
    :: mode[p] == BUFFERED && MAY_READ(p) && length[p] > 0 && !(uac & ID) ->
        if
        :: upcalls -> todo = UPCALL
        :: else -> g6[p] = HEAD_RECORD(p)
        fi
    fi;
    forget_rules()
}

inline forget_rules()
{
    sets_g6 = 0;
    sets_ae = 0;
    upcalls = 0
}

/* ---- Interrupts ---------------------------------------------------------- */

/* IRQ_MISMATCH: insertion. The addressee enters, when it is not scheduled. */
inline insert()
{
    h = (KEEP(INSERT_BY_GID) -> ADDRESSEE(queue[0]) : runs);
    store(h);
    if
    :: h != p || idles -> mode[h] = BUFFERED; h = 0
    :: h == p && !idles && starved -> h = 0
    :: h == p && !idles && !starved ->
        h = 0;
        enter();        /* never needed: a running process in fast mode has
                           no mismatch. Only where a rule is forgotten. */
        if
        :: held[p] == 0 || (KEEP(INSERT_OWNER) && reads[p]) ->
            settle_by(INSERT_SETS_G6, INSERT_SETS_AE, INSERT_UPCALLS)
        :: else ->
            if
            :: KEEP(INSERT_WAITS) || (uac & ID)
            :: else -> todo = UPCALL
            fi
        fi
    fi
}

/* IRQ_TIMEOUT, a page fault that the kernel serves, and GLAZE_BUFFER. */
inline revoke()
{
    enter();
    settle_by(ENTRY_SETS_G6, ENTRY_SETS_AE, INSERT_UPCALLS)
}

/* ---- Operations of the user, and the traps they take --------------------- */

inline dispose()
{
    if
    :: divert ->                                        /* dispose-extend */
        if
        :: length[p] == 0 || (!MAY_READ(p) && KEEP(DISPOSE_CHECKS)) ->
            saw_bad_dispose()
        :: else
        fi;
        unbuffer();
        drained = (length[p] == 0 && held[p] == 0);
        uac = (KEEP(DISPOSE_CLEARS_DP) -> uac & ~DP : uac);
        saw_dispose();
        m = 0;
        if
        :: length[p] > 0 ->
            g6[p] = (KEEP(DISPOSE_SETS_G6) -> HEAD_RECORD(p) : g6[p])
        :: length[p] == 0 && (uac & ID) && KEEP(DISPOSE_LEAVES) &&
           (held[p] == 0 || !KEEP(DISPOSE_WAITS)) ->
            todo = LEAVE
        :: else -> g6[p] = (KEEP(DISPOSE_EMPTY) -> G6_EMPTY : g6[p])
        fi
    :: !divert && !AVAILABLE -> saw_bad_dispose()
    :: !divert && AVAILABLE ->
        m = queue[0];
        drop();
        uac = uac & ~DP;
        saw_dispose();
        m = 0
    fi
}

/* ---- Ways out ------------------------------------------------------------ */

/* While a message waits for a page frame, p does not go on, so that settle
   comes later. */
inline kernel_exit()
{
    if
    :: todo == RETURN -> trap_return()
    :: else
    fi;
    if
    :: todo == SETTLE && (!starved || !KEEP(STARVED_WAITS)) -> settle()
    :: todo == SETTLE && starved && KEEP(STARVED_WAITS) -> todo = 0; forget_rules()
    :: todo == ENDED -> ended()
    :: else
    fi;
    if
    :: todo == LEAVE -> todo = 0; leave()
    :: todo == UPCALL -> upcall()
    :: else
    fi;
    if
    :: todo == START -> todo = 0; begin_handler()
    :: else
    fi
}
