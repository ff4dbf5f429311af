/*
 * CRL's protocol: all interleavings of nodes that do whatever CRL allows.
 *
 * The bounds are set by -D of spin: NODES, REGIONS (region r has its home on
 * node r), BODIES (data leave a node some time after the step that has decided
 * to send them, and later messages may overtake them), DELETES (each region
 * may be deleted), CROSSED (a node that reads one region may read the others,
 * in any order). Nothing else is bounded: programs go on for ever, or stop
 * when they like.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "rules.h"
#include "state.pml"
#include "specification.pml"
#include "home.pml"
#include "remote.pml"
#include "program.pml"

c_decl {
    \#include <stdlib.h>
}

init {
    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        for (r : 0 .. REGIONS - 1) {
            owner[r] = NOBODY;
            state[HOME_COPY(r)] = SHARED;
            fresh[HOME_COPY(r)] = 1;
            for (n : 0 .. NODES - 1) {
                if
                :: n == HOME(r)
                :: else ->
                    run arrives_at_home(COPY(r, n));
                    run arrives_at_node(COPY(r, n));
#if BODIES
                    run leaves_home(COPY(r, n));
                    run leaves_node(COPY(r, n))
#endif
                fi
            }
        };
        for (n : 0 .. NODES - 1) {
            run program(n)
        };
        r = 0;
        n = 0
    }
}

#ifdef STARTED
/* Every operation that node STARTED starts begins. */
ltl begins { [] (wants[STARTED] != NONE -> <> (wants[STARTED] == NONE)) }
#endif
