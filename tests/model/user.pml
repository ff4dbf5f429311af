/*
 * The user's part: what threads and handlers do, and the library's scheduler.
 *
 * Programs are as free as UDM allows: a thread may do next whatever it is
 * allowed to do. Voluntary actions take fuel, so that every run ends.
 * Obligatory ones (extract, end the section, return) are free.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define CUR         cur[runs]
#define SCHED       SCHEDULER(runs)
/* Whether the kernel lets the process run. */
#define GOES_ON     (!idles && (!starved || ADDRESSEE(queue[0]) != runs || \
                                !KEEP(STARVED_WAITS)))
#define PROGRAM     (GOES_ON && CUR != SCHED && !polls[CUR] && !next[CUR] && \
                     !ends[CUR])
#define OUTSIDE     (PROGRAM && !inside[CUR])
#define INSIDE      (PROGRAM && inside[CUR])
#define HAS_FUEL    (fuel[runs] > 0)
#define ALL_READ(process) (unsent == 0 && extracted[process] == sent[process])
#if MISTAKES
#define DARES       1       /* may break the rule that a handler extracts */
#else
#define DARES       0
#endif

inline spend()
{
    fuel[p]--
}

/* The beginning of every step: sets p and c. */
inline running()
{
    p = runs;
    c = cur[p]
}

/* The upcall page gets a new stack if `context` is on the one it names. */
inline give_stack(context)
{
    if
    :: stack[p] == (context) -> stack[p] = 0
    :: else
    fi
}

inline end_context(context)
{
    give_stack(context);
    fp_lose(context);
    state[context] = FREE;
    below[context] = 0;
    inside[context] = 0;
    owes[context] = 0;
    seen[context] = 0;
    next[context] = 0;
    ends[context] = 0
}

/* c stops running. What it has interrupted becomes an independent thread. */
inline detach()
{
    give_stack(c);
    if
    :: IS_HANDLER(c) && below[c] != SCHEDULER(p) ->
        if
        :: KEEP(DETACH_KEEPS_FPU) -> fp_keep(below[c])
        :: else
        fi;
        state[below[c]] = READY;
        ready[p]++;
        below[c] = SCHEDULER(p)
    :: else
    fi;
    cur[p] = SCHEDULER(p)
}

/* The library runs its scheduler, in the section that c is in. */
inline to_scheduler()
{
    inside[c] = 0;
    seen[c] = 0;
    detach();
    fp_lose(c);
    inside[SCHEDULER(p)] = 1
}

/* ---- Steps of a thread or handler ---------------------------------------- */

inline step_beginatom()
{
    running();
    spend();
    uac = uac | ID;
    inside[c] = 1
}

inline step_endatom()
{
    running();
    seen[c] = 0;
    if
    :: KEEP(LIBRARY_NEW_STACK) -> give_stack(c)
    :: else
    fi;
    endatom(ID | TF)
}

inline step_endatom_timer()
{
    running();
    spend();
    endatom(TF)
}

inline step_look()
{
    running();
    look();
    if
    :: r != 0 -> saw()
    :: else
    fi;
    r = 0
}

inline step_dispose()
{
    running();
    dispose()
}

/* A fault in a section that the kernel handles; outside of sections, a
 * test's request for buffered mode. */
inline step_fault()
{
    running();
    spend();
    asked[p] = !inside[c];
    revoke()
}

/* c executes an FPU instruction while the FPU is off. */
inline step_float()
{
    running();
    floats--;
    fpu_use()
}

inline step_alarm()
{
    running();
    alarm()
}

/* An instruction needs a page that is out, and waits for it. */
inline step_page()
{
    running();
    wait_for_page()
}

/*
 * c blocks in a section: because of a fault (after step_fault), or in the
 * library. At a fault c may have values in the FPU, which the library keeps.
 */
inline step_hold()
{
    running();
    spend();
    state[c] = BLOCKED;
    hold();
    detach();
    kept[c] = (uses[c] -> fpu[p] : 0)
}

/* c blocks outside of sections. */
inline step_block()
{
    running();
    spend();
    state[c] = BLOCKED;
    uac = uac | ID;
    to_scheduler()
}

inline step_yield()
{
    running();
    spend();
    state[c] = READY;
    ready[p]++;
    to_scheduler()
}

inline step_poll()
{
    running();
    spend();
    polls[c] = 1
}

/* A thread that polls without being the owner lets others run. */
inline step_give_way()
{
    running();
    state[c] = READY;
    ready[p]++;
    hold();
    if
    :: word[c] & OWNER -> owner_ready[p] = 1
    :: else
    fi;
    detach();
    fp_lose(c)
}

inline step_poll_ends()
{
    running();
    polls[c] = 0;
    look();
    if
    :: r != 0 -> saw()
    :: else
    fi;
    r = 0
}

inline step_thread_ends()
{
    running();
    end_context(c);
    cur[p] = SCHEDULER(p)
}

/* The stub restores the values in the frame of the interrupted context. */
inline back_below()
{
    if
    :: kept[below[c]] != 0 -> fp_lose(c); fp_restore(below[c])
    :: else
    fi
}

/*
 * End of a handler: the stub looks for another message, or returns: by
 * TRAP_RETURN, or without the kernel. Before it returns, it looks whether the
 * interrupted context has values in its frame.
 * If the handler has ended its section, another handler may interrupt between
 * that look and TRAP_RETURN.
 */
inline step_handler_ends()
{
    running();
    look();
    if
    :: r != 0 -> next[c] = 1
    :: true -> back_below(); todo = RETURN
    :: kept[below[c]] == 0 && (!uses[below[c]] || !KEEP(END_ASKS_FPU)) ->
        user_return()
    :: FLOATS > 0 && !inside[c] && kept[below[c]] == 0 -> ends[c] = 1
    fi;
    r = 0
}

/*
 * At TRAP_RETURN: a handler that interrupted the stub has made it look once
 * more (guest-os/libos/upcall.S, LOOK_AGAIN).
 */
inline step_return()
{
    running();
    if
    :: KEEP(RETURN_LOOKS_AGAIN) -> back_below()
    :: else
    fi;
    todo = RETURN
}

inline step_next()
{
    running();
    next[c] = 0;
    trap_next()
}

/* A handler that ends through the library's scheduler. */
inline step_handler_ends_slowly()
{
    running();
    owes[SCHEDULER(p)] = owes[c];
    to_scheduler();
    end_context(c)
}

/* ---- The library's scheduler --------------------------------------------- */

inline step_schedule()
{
    running();
    uac = uac | ID;
    inside[c] = 1
}

inline step_idle()
{
    running();
    endatom(ID | TF)
}

/* The buffer's owner outranks all others. */
#define RESUMABLE(n) (n < CONTEXTS && state[SCHED + n] == READY && \
    (!owner_ready[runs] || (word[SCHED + n] & OWNER)))

/* Context h continues: in its own section, or in the library's, which h then
 * ends. */
inline step_resume()
{
    state[h] = LIVE;
    ready[p]--;
    cur[p] = h;
    fp_restore(h);
    if
    :: inside[h] ->             /* h has a suspended section */
        owner_ready[p] = (word[h] & OWNER -> 0 : owner_ready[p]);
        if
        :: (uac & DP) && KEEP(BACK_CHECKS_DP) -> saw_dispose_failure()
        :: else
        fi;
        assert(!owes[c]);
        inside[c] = 0;
        c = h;
        h = 0;
        unhold()
    :: else ->
        inside[c] = 0;
        owes[h] = owes[c];
        owes[c] = 0;
        c = h;
        h = 0;
        inside[c] = 1
    fi
}

#define WAKEABLE(n) (n < PROCESSES * CONTEXTS && state[n] == BLOCKED)

/* A page has arrived or a lock is free: context h can continue. */
inline step_wake()
{
    state[h] = READY;
    ready[h / CONTEXTS]++;
    if
    :: word[h] & OWNER -> owner_ready[h / CONTEXTS] = 1
    :: else
    fi;
    h = 0
}
