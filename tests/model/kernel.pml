/*
 * The kernel of a node: its part in two-case delivery.
 *
 * p is the running process and c its running context, unless a routine says
 * otherwise. Traps are disabled in the kernel. Meanwhile messages may arrive,
 * and the DMA engine runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define MAY_READ(process) (held[process] == 0 || reads[process])

/*
 * A routine sets `todo` to what must happen next; kernel_exit(), at the end of
 * each step, does it. So there is one copy of each way out, in the model as in
 * the kernel.
 */
#define SETTLE  1       /* set what c must find, whatever has changed */
#define RETURN  2       /* return from handler c, which has ended */
#define ENDED   3       /* in buffered mode, a section or handler has ended */
#define LEAVE   4
#define UPCALL  5       /* make an upcall from the buffer */
#define START   6       /* UAC and %g6 are set: a handler starts */

/* ---- Message buffer ------------------------------------------------------ */

/* Takes the first message of p out of the buffer, into m. */
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

/* Makes a new handler context, on top of c, the running context. */
inline begin_handler()
{
    h = SCHEDULER(p) + THREADS + 1;
    do
    :: state[h] == FREE -> break
    :: else -> h++; assert(h < SCHEDULER(p) + CONTEXTS)
    od;
    assert(stack[p] == 0);          /* no handler is on that stack */
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
 * GLAZE_U_MESSAGE: the fast path, IRQ_MESSAGE. The kernel may have to spill a
 * window first. If the stack's page is out, the message moves to the buffer
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

/* GLAZE_U_BUFFERED. If the stack's page is out, p waits for it. settle then
 * finds that the message is still there. */
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

/* ---- The beginning and end of buffered mode ------------------------------ */

/* The running process enters buffered mode. The caller must make settle()
 * follow before the process continues. */
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
        pages--;                /* to read what has been put aside */
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
 * Every slow return to p uses settle_by(), which makes settle() follow at the
 * end of the step. settle() sets %g6, atomicity-extend and the upcall to what
 * the continuing thread must find. The caller names the rules for these three.
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

/* IRQ_MISMATCH: insertion. The addressee enters buffered mode if it does
 * not run. */
inline insert()
{
    h = (KEEP(INSERT_BY_GID) -> ADDRESSEE(queue[0]) : runs);
    store(h);
    if
    :: h != p || idles -> mode[h] = BUFFERED; h = 0
    :: h == p && !idles && starved -> h = 0
    :: h == p && !idles && !starved ->
        h = 0;
        enter();        /* Without effect unless a rule is broken: a running
                           process in fast mode has no mismatch. */
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

/* IRQ_TIMEOUT, a page fault that the kernel handles, and GLAZE_DIVERT. */
inline revoke()
{
    enter();
    settle_by(ENTRY_SETS_G6, ENTRY_SETS_AE, INSERT_UPCALLS)
}

/* ---- The user's operations, and the traps they take ---------------------- */

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

/* While a message for p waits for a page frame, p does not continue, so settle()
 * comes later. */
inline kernel_exit()
{
    if
    :: todo == RETURN -> trap_return()
    :: else
    fi;
    if
    :: todo == SETTLE && (!starved || ADDRESSEE(queue[0]) != p ||
                          !KEEP(STARVED_WAITS)) -> settle()
    :: todo == SETTLE && starved && ADDRESSEE(queue[0]) == p &&
       KEEP(STARVED_WAITS) ->
        todo = 0;
        forget_rules()
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
