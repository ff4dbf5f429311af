/*
 * How plans reach all servers (guest-os/kernel/policy/plan.c): each server gets the
 * last plan, and none gets an older plan after a newer one.
 *
 * The bounds are set by -D of spin: NODES, PLANS that node 0 announces, ROOM for
 * messages between two nodes, and SERVERS: how many nodes, the last ones, have
 * servers in the model. On the others only the kernel gets the plans.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

c_decl {
    \#include <stdlib.h>
}

byte broken;

/* To each node from the one node that sends it plans, in the order of the network. */
chan network[NODES] = [ROOM] of { byte };

/* Plans have the numbers 1 to PLANS. */
#define HAS_SERVER(node)    ((node) >= NODES - SERVERS)
byte newest[NODES];
bool untaken[NODES];
bool chore[NODES];
bool busy[NODES];               /* the kernel does the chore: the server waits */
bool asleep[NODES];             /* the server */
byte installed[NODES];

/* ---- The kernel ---------------------------------------------------------- */

/* message_serve(), plan_message() */
inline serve(node)
{
    atomic {
        network[node]?plan;
        if
        :: !KEEP(NETWORK_KEEPS_ORDER) && len(network[node]) > 0 ->
            network[node]!plan;
            network[node]?plan
        :: else
        fi;
        assert(plan >= newest[node]);
        newest[node] = plan;
        untaken[node] = HAS_SERVER(node);
        chore[node] = chore[node] || KEEP(PASSES_ON);
        if
        :: KEEP(WAKES) -> asleep[node] = 0
        :: else
        fi;
        plan = 0
    }
}

/* plan_step() sends to this node next. */
inline send(node, to)
{
    do
    :: serve(node)
    :: atomic {
        len(network[to]) < ROOM -> network[to]!newest[node];
        break
       }
    :: atomic { len(network[to]) == ROOM && !KEEP(WAITS_FOR_SPACE) -> break }
    od
}

proctype kernel(byte node)
{
    byte plan, step;

end:
    do
    :: serve(node)
    :: atomic {
        chore[node] && !busy[node] ->
        busy[node] = 1;
        chore[node] = !KEEP(CLEARS_CHORE_FIRST);
        step = 1;
        do
        :: step <= node -> step = 2 * step
        :: else -> break
        od;
        step = step * (KEEP(TREE_REACHES_ALL) -> 1 : 2)
       };
        do
        :: node + step < NODES ->
            send(node, node + step);
            step = 2 * step
        :: else -> break
        od;
        atomic {
            chore[node] = chore[node] && KEEP(CLEARS_CHORE_FIRST);
            busy[node] = 0;
            step = 0
        }
    od
}

/* ---- The servers --------------------------------------------------------- */

/* Announces each plan at any time after the one before. */
proctype first()
{
    do
    :: atomic {
        !busy[0] && newest[0] < PLANS ->
        newest[0]++;
        chore[0] = 1
       }
    :: newest[0] == PLANS -> break
    od
}

proctype server(byte node)
{
    byte got;

end:
    do
    :: atomic {                 /* EVENT */
        !busy[node] ->
        asleep[node] = !(untaken[node] && KEEP(LOOKS_BEFORE_SLEEP))
       };
end_asleep:
        !asleep[node];
        atomic {                /* PLAN */
            !busy[node] ->
            if
            :: untaken[node] ->
                got = newest[node];
                untaken[node] = untaken[node] && !KEEP(TAKES_AT_ONCE)
            :: else
            fi
        };
        atomic {
            untaken[node] = untaken[node] && KEEP(TAKES_AT_ONCE);
            if
            :: got ->
                installed[node] = got;
                got = 0
            :: else
            fi
        }
    od
}

/* Nothing more can happen: each node has the last plan. */
proctype last()
{
    byte node;

    timeout;
    atomic {
        for (node : 0 .. NODES - 1) {
            assert((HAS_SERVER(node) -> installed[node] : newest[node]) == PLANS)
        }
    }
}

init {
    byte node;

    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        for (node : 1 .. NODES - 1) {
            run kernel(node);
            if
            :: HAS_SERVER(node) -> run server(node)
            :: else
            fi
        };
        run kernel(0);
        run first();
        run last();
        node = 0
    }
}
