/*
 * What a program may see: the specification.
 *
 * A program sees the hardware of the fast path, with an endless queue. Messages
 * arrive in order. A message that was shown stays until it is extracted. A
 * handler starts only outside of sections, with its message as the next one.
 * dispose and the end of a section trap for wrong programs, and for no others.
 *
 * "No message" is always a possible answer to a first look, since a message
 * may take any time to arrive. That no message waits for ever is checked in
 * node.pml, where nothing more can happen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define OLDEST(process) MESSAGE(process, extracted[process] + 1)

/* Sets r to what [%g6 + REC_...] reads: a message, or 0. */
inline look()
{
    if
    :: g6[runs] == G6_NI -> r = (AVAILABLE -> queue[0] : 0)
    :: g6[runs] == G6_EMPTY -> r = 0
    :: else -> r = g6[runs] - G6_RECORD
    fi
}

/* Whether [%g6 + REC_...] reads a message: look() as a condition. */
#define SHOWS ((g6[runs] == G6_NI && AVAILABLE) || g6[runs] >= G6_RECORD)

/* Sets m to the number of open sections of process `who`, except that of
 * context `but`. */
inline count_sections(who, but)
{
    d_step {
        m = 0;
        for (i : SCHEDULER(who) .. SCHEDULER(who) + CONTEXTS - 1) {
            if
            :: i != but && inside[i] -> m++
            :: else
            fi
        }
        i = 0
    }
}

/* Checks all that the running context c of process p could look at now. */
inline check_view()
{
    look();
    assert(r == 0 || r == OLDEST(p));               /* c's own, in order */
    assert(((uac & ID) != 0) == inside[c]);         /* as U_UAC reads */
    assert(!uses[c] || fpu[p] == c);                /* c has its values */
    if
    :: inside[c] ->
        count_sections(p, c);
        assert(r != 0 || !shown[p] || m > 0);       /* a shown message stays */
        assert(seen[c] == 0 || seen[c] == r);
        assert(m > 0 || length[p] == 0 || r != 0)       /* %g6 is not stale */
    :: else
    fi;
    r = 0;
    m = 0;
    /* In fast mode nothing of buffered mode is left that would cost a trap. A
     * process that polls for ever gets to fast mode too. */
    excused[p] = ((uac & AE) -> excused[p] : 0);
    assert(mode[p] == BUFFERED || (!divert && timer &&
           (!(uac & AE) || aside[p] != 0 || excused[p])));
    assert(!drained || mode[p] == FAST);
    drained = 0
}

/* c has looked at the message r, which is not 0. */
inline saw()
{
    seen[c] = r;
    shown[p] = 1
}

/* c's dispose has removed the message m. */
inline saw_dispose()
{
    printf("%d: process %d context %d extracts %d\n", broken, p, c, m);
    assert(m == OLDEST(p));
    assert(seen[c] == 0 || seen[c] == m);
    assert(inside[c]);
    extracted[p]++;
    shown[p] = 0;
    seen[c] = 0;
    owes[c] = 0
}

/* c's section has ended. */
inline saw_end()
{
    assert(!owes[c]);               /* a handler must have extracted */
    inside[c] = 0
}

/* A handler starts in context c of process p. */
inline saw_start()
{
    printf("%d: process %d context %d starts a handler\n", broken, p, c);
    count_sections(p, c);
    assert(m == 0);                 /* no section is open */
    m = 0;
    look();
    assert(r == OLDEST(p));
    shown[p] = 1;
    r = 0;
    inside[c] = 1;
    owes[c] = 1
}

/* Traps that end a job. */
inline saw_dispose_failure()
{
    printf("%d: process %d context %d has not extracted\n", broken, p, c);
    assert(owes[c]);
    goto stop
}

inline saw_bad_dispose()
{
    printf("%d: process %d context %d disposes of nothing\n", broken, p, c);
    assert(seen[c] == 0);
    count_sections(p, c);
    assert(!shown[p] || m > 0);
    goto stop
}
