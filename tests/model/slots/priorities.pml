/*
 * The two priorities: nodes whose programs send requests, and whose handlers reply
 * (docs/machine.md, "Messages of the M-Machine").
 *
 * Each node has a program and two slots. Messages wait in the source space of their
 * sender and in the input queue of their receiver; both are bounded. All messages must
 * be handled, whichever nodes send to which.
 *
 * The bounds are set by -D of spin: NODES; REQUESTS of each; SPACE of a priority's
 * source space, and of its queue, in messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

#define NONE            255
#define AT(n, priority) (2 * (n) + (priority))

c_decl {
    \#include <stdlib.h>
}

byte broken;

/* Messages: receiver, sender, and whether a reply is wanted. */
chan leaving[2 * NODES] = [2 * SPACE] of { byte, byte, bit };
chan queue[2 * NODES] = [2 * SPACE] of { byte, bit };
byte left[NODES] = REQUESTS;
bit waits[NODES];               /* the program's SEND waits, and nothing else goes on */
byte wants[2 * NODES] = NONE;   /* to whom the slot's handler has to send */
byte answered;                  /* messages of priority 1 that have been handled */

/* Space that a priority may use: half, or what the other one has left. */
#define ROOM(c, n, p, rule) \
    (KEEP(rule) -> len(c[AT(n, p)]) < SPACE \
                : len(c[AT(n, 0)]) + len(c[AT(n, 1)]) < 2 * SPACE)
#define CAN_SEND(n, p)  ROOM(leaving, n, p, OWN_SPACE)
#define CAN_TAKE(n, p)  ROOM(queue, n, p, OWN_QUEUE)

/* Without a slot of its own, a priority's messages wait until the other's is free. */
#define IS_FREE(n, p)   (wants[AT(n, p)] == NONE && \
                         (KEEP(OWN_SLOT) || wants[AT(n, 1 - p)] == NONE))
#define GOES_ON(n)      (!waits[n] || CAN_SEND(n, 0) || KEEP(SLOTS_GO_ON))

proctype program(byte n)
{
    byte to;

    do
    :: left[n] > 0 ->
        to = 0;
        do
        :: to < NODES - 1 -> to++
        :: break
        od;
        waits[n] = 1;
        atomic {
            CAN_SEND(n, 0) ->
            leaving[AT(n, 0)]!to, n, 1;
            waits[n] = 0;
            left[n]--
        }
    :: left[n] == 0 -> break
    od;
    to = 0
}

/* Who sends at its own priority: the slot of 1 if it sends at all. */
#define REPLY(p)        ((p) == 1 || KEEP(REPLIES_AT_ONE))

proctype slot(byte n; bit p)
{
    byte from;
    bit reply;

end:
    do
    :: atomic {
        GOES_ON(n) && IS_FREE(n, p) && len(queue[AT(n, p)]) > 0 ->
        queue[AT(n, p)]?from, reply;
        if
        :: p == 0 && reply -> wants[AT(n, p)] = from
        :: p == 1 && !KEEP(ONES_SEND_NOTHING) && reply -> wants[AT(n, p)] = from
        :: else
        fi;
        answered = answered + (reply -> 0 : 1);
        from = 0;
        reply = 0
       }
    :: atomic {
        GOES_ON(n) && wants[AT(n, p)] != NONE && CAN_SEND(n, REPLY(p)) ->
        leaving[AT(n, REPLY(p))]!wants[AT(n, p)], n, (p == 0 && !KEEP(ONES_SEND_NOTHING));
        wants[AT(n, p)] = NONE
       }
    od
}

/* One network for each priority keeps order from each sender. */
inline moves(n, p, to)
{
    atomic {
        leaving[AT(n, p)]?[eval(to), _, _] && CAN_TAKE(to, p) ->
        leaving[AT(n, p)]?_, from, reply;
        queue[AT(to, p)]!from, reply;
        from = 0;
        reply = 0
    }
}

proctype link(byte n; bit p)
{
    byte from;
    bit reply;

end:
    do
    :: moves(n, p, 0)
    :: moves(n, p, NODES - 1)
    od
}

init {
    byte n;

    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        for (n : 0 .. NODES - 1) {
            run program(n);
            run slot(n, 0);
            run slot(n, 1);
            run link(n, 0);
            run link(n, 1)
        }
        n = 0
    };
    answered == NODES * REQUESTS        /* or this waits for ever */
}
