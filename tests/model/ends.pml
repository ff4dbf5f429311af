/*
 * How sections and handlers end, and how sections are suspended and resumed:
 * the kernel's traps for this (guest-os/kernel/delivery/: delivery.c and
 * upcall.c).
 *
 * p is the running process and c its running context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/*
 * In buffered mode a section or a handler has ended. Decides whether the next
 * handler starts or buffered mode ends. The rules differ for a handler
 * (`returns`).
 */
#define ENDED_KEEPS(rule) KEEP((returns -> RETURN_##rule : EXTEND_##rule))

inline ended()
{
    todo = 0;
    reads[p] = 0;
    if
    :: length[p] > 0 && (held[p] == 0 || !ENDED_KEEPS(WAITS)) ->
        todo = (ENDED_KEEPS(UPCALLS) -> UPCALL : 0)
    :: length[p] == 0 && (held[p] == 0 || !ENDED_KEEPS(STAYS)) ->
        todo = (ENDED_KEEPS(LEAVES) -> LEAVE : 0)
    :: else -> g6[p] = (ENDED_KEEPS(HIDES) -> G6_EMPTY : g6[p])
    fi;
    returns = 0
}

/* Sets atomicity-extend again if the kernel must notice the end of a
 * section or a handler that is still open. */
inline keep_ae()
{
    if
    :: (mode[p] == BUFFERED && (uac & ID) && KEEP(EXTEND_AGAIN)) ||
       (aside[p] != 0 && KEEP(EXTEND_KEEPS_AE)) || !KEEP(EXTEND_CLEARS_AE) ->
        uac = uac | AE
    :: else
    fi;
    excused[p] = 0
}

/* endatom MASK, with the atomicity-extend trap. */
inline endatom(mask)
{
    if
    :: (uac & DP) -> saw_dispose_failure()
    :: !(uac & DP) && (uac & AE) ->
        uac = uac & ~AE;
        uac = (KEEP(EXTEND_COMPLETES) -> uac & ~(mask) : uac);
        if
        :: (mask) & ID -> saw_end()
        :: else
        fi;
        keep_ae();
        todo = (mode[p] == BUFFERED && !(uac & ID) -> ENDED : 0)
    :: else ->
        uac = uac & ~(mask);
        if
        :: (mask) & ID -> saw_end()
        :: else
        fi
    fi
}

/*
 * GLAZE_TRAP_RETURN: handler c ends, and the context below it continues. If
 * that context's window was spilled and the stack's page is out, p waits.
 */
inline trap_return()
{
    todo = 0;
    if
    :: (uac & DP) && KEEP(RETURN_CHECKS_DP) -> saw_dispose_failure()
    :: else
    fi;
    if
    :: pages > 0 ->
        ends[c] = 1;
        if
        :: KEEP(RETURN_ASKS_FIRST)
        :: else -> return_completes()
        fi;
        wait_for_page()
    :: true ->
        h = c;
        c = below[h];
        cur[p] = c;
        assert(!owes[h]);
        end_context(h);
        h = 0;
        return_completes()
    fi
}

/* What TRAP_RETURN does apart from registers: on the fast path, and in C. */
inline return_completes()
{
    if
    :: !(uac & AE) ->
        assert(aside[p] == 0);
        uac = uac & ~(ID | TF)
    :: else ->
        fpu_upcall_end();
        uac = 0;
        keep_ae();
        returns = (mode[p] == BUFFERED);
        todo = (mode[p] == BUFFERED -> ENDED : 0)
    fi
}

/*
 * Handler c ends without the kernel. The stub is in an atomic section, and its
 * last instruction is an endatom in the window of the context below, which is c
 * afterwards.
 */
inline user_return()
{
    if
    :: (uac & DP) && KEEP(RETURN_CHECKS_DP) -> saw_dispose_failure()
    :: else
    fi;
    h = c;
    c = below[h];
    cur[p] = c;
    assert(!owes[h]);
    end_context(h);
    h = 0;
    if
    :: !(uac & AE) ->
        assert(aside[p] == 0);
        uac = uac & ~(ID | TF)
    :: else ->
        uac = uac & ~(AE | ID | TF);
        keep_ae();
        todo = (mode[p] == BUFFERED -> ENDED : 0)
    fi
}

/*
 * GLAZE_TRAP_NEXT: handler c has ended, has seen another message, and asks for
 * that message's handler. If no handler may start now, this trap has the same
 * effect as GLAZE_TRAP_RETURN.
 */
inline trap_next()
{
    if
    :: (uac & DP) && KEEP(NEXT_CHECKS_DP) -> saw_dispose_failure()
    :: else
    fi;
    assert(!owes[c]);
    look();
    if
    :: (held[p] > 0 && KEEP(NEXT_WAITS)) ||
       ((r == 0 || !(uac & ID)) && KEEP(NEXT_LOOKS)) ->
        r = 0;
        back_below();
        todo = RETURN
    :: else ->
        r = 0;
        uac = uac | DP;
        seen[c] = 0;
        saw_start()
    fi
}

/*
 * An alarm interrupts c outside of sections, and its upcall ends by TRAP_RETURN,
 * in C: what is aside is not for c, unless c is the code below the handler.
 */
inline alarm()
{
    if
    :: KEEP(ALARM_LOADS_NONE)
    :: else -> fpu_upcall_end()
    fi;
    uac = 0;
    keep_ae();
    todo = (mode[p] == BUFFERED -> ENDED : 0)
}

/* ---- GLAZE_HOLD ---------------------------------------------------------- */

/* c is suspended in its section; word[c] is the result of GLAZE_HOLD(1). */
inline hold()
{
    if
    :: KEEP(HOLD_ENTERS) -> enter()
    :: else
    fi;
    word[c] = uac & (KEEP(HOLD_SAVES_DP) -> ID | TF | DP : ID | TF);
    if
    :: MAY_READ(p) ->
        away[p] = 1;
        word[c] = (KEEP(HOLD_NAMES_OWNER) -> word[c] | OWNER : word[c])
    :: else
    fi;
    held[p]++;
    reads[p] = 0;
    uac = (KEEP(HOLD_CLEARS_UAC) -> 0 : uac & ~AE);
    g6[p] = (KEEP(HOLD_HIDES) -> G6_EMPTY : g6[p])
}

/* GLAZE_HOLD(0, word): the suspended context c continues. */
inline unhold()
{
    held[p]--;
    if
    :: (word[c] & OWNER) || !away[p] || !KEEP(HOLD_NAMES_OWNER) ->
        reads[p] = 1;
        away[p] = 0
    :: else -> reads[p] = 0
    fi;
    uac = word[c] & (ID | TF | DP);
    word[c] = 0;
    uac = (MAY_READ(p) && KEEP(BACK_SETS_AE) -> uac | AE : uac);
    settle_by(BACK_SETS_G6, BACK_SETS_AE, INSERT_UPCALLS)
}
