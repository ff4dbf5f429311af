/*
 * The protocol of shared memory: all interleavings of a few processes.
 *
 * The bounds are set by -D of spin: NODES, PAGES, FUEL (sections of each process,
 * or values of the flag), WHOLES (a changed page goes whole at first), FORGETFUL
 * (the node, plus 1, that empties its log at any time; 0: none), and the program:
 * LOCKED (1: each variable has a lock; 2: each variable is a block of memory,
 * which a process gets and frees), or a flag that is no more than a variable,
 * written by node WRITER. FREE 1: a process with locks or blocks chooses its variables
 * and what it does with them; 0: process n reads and writes variable n modulo 2; 2:
 * all take variable 0, which process 0 writes and process 1 never touches.
 *
 * CARRY: a lock carries its variable (carry.pml; with LOCKED 1 and without ORDER), and
 * at the end all processes meet at a barrier and read all variables. 2: a process may
 * make a variable its own until then, and write it without the lock. 3: a process that
 * has taken a lock may read the other lock's variable.
 *
 * ORDER: whether the order of writes is kept for reads without a lock. Programs with
 * locks or blocks need no order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define INTERVALS       8       /* three bits in a message */
#define QUEUE           4

#if LOCKED
#define VARIABLES       2
#define PAGE_OF(v)      ((v) % PAGES)
#else
#define VARIABLES       3
#define PAGE_OF(v)      ((v) == 0 -> 0 : PAGES - 1)
#endif

#include "rules.h"
#include "state.pml"
#include "pages.pml"
#include "carry.pml"
#include "intervals.pml"
#include "program.pml"

c_decl {
    \#include <stdlib.h>
}

/* The handlers of what one node sends to another. */
proctype arrives(byte from, n)
{
    byte a, b, c;
    short x, y;

end:
    do
    :: atomic {
        nempty(LINK(from, n)) ->
        if
        :: LINK(from, n)?fetch(a, b, c, x, y) -> on_fetch(n, a, b, c)
        :: LINK(from, n)?page(a, b, c, x, y) -> on_page(n, a, b, c, x, y)
        :: LINK(from, n)?difference(a, b, c, x, y) ->
            on_difference(n, from, a, b, c, x)
        :: LINK(from, n)?acknowledge(a, b, c, x, y) -> on_acknowledge(n, a, b)
#if WHOLES
        :: LINK(from, n)?whole(a, b, c, x, y) -> on_whole(n, from, a, b, c, x)
        :: LINK(from, n)?refuse(a, b, c, x, y) ->
            refused[ON(n, a)] = 1;
            unacknowledged[n]--
#endif
#if CARRY
        :: LINK(from, n)?carry(a, b, c, x, y) -> on_carried(n, a, b, c, x)
#endif
        :: LINK(from, n)?notices(a, b, c, x, y) -> on_notices(n, from, a)
        :: LINK(from, n)?records(a, b, c, x, y) ->
            apply(n, x, a, y);
            answered[n] = 1
        fi;
        a = 0;
        b = 0;
        c = 0;
        x = 0;
        y = 0
       }
    od
}

init {
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        for (i : 0 .. PAGES - 1) {
            if
            :: fixed[ON(0, i)] = 1      /* as before the first barrier */
            :: mapped[ON(0, i)] = 1;    /* node 0 has written it before that */
               rights[ON(0, i)] = 2
            :: skip
            fi
        };
        for (i : 0 .. VARIABLES - 1) {
            holder[i] = NOBODY;
            last[i] = NOBODY
        };
        for (i : 0 .. NODES - 1) {
            for (j : 0 .. NODES - 1) {
                if
                :: i != j -> run arrives(i, j)
                :: else
                fi
            };
            run process(i);
            run serves(i);
            run closes(i)
        };
        i = 0;
        j = 0
    }
}
