/*
 * Multicasts: a command goes along patterns from task to task, and acknowledges
 * come back combined, one for each task (casts.c).
 *
 * The bounds are set by -D of spin: TASKS, COMMANDS (sent by task 0 to task 0, one
 * after the other or at once), PLACES (multicasts that a task can have under way),
 * ROOM (messages on the way between two tasks), ENDS (task 1 may end at any time),
 * and ANY: patterns are all those of up to two copies for each task, circles among
 * them; otherwise those of init.
 *
 * What a task sends waits in a queue of its node until the network takes it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

#define COPIES          2
#define NO_TASK          15
#define AT(task, place) ((task) * PLACES + (place))
#define LINK(from, to)  link[(from) * TASKS + (to)]
#define QUEUED          6       /* more than a node has to send at once */

c_decl {
    \#include <stdlib.h>
}

mtype = { update, acknowledge };

byte broken;

byte copy[TASKS * COPIES];      /* the patterns: tasks; NO_TASK: none */
byte edges;                     /* of all patterns */
bool ended[TASKS];

/* A message: its kind; the number of the command; for an update, the sender's
 * place, and for an acknowledge the receiver's; the copy; whether it failed. */
chan link[TASKS * TASKS] = [ROOM] of { mtype, byte, byte, byte, bool };
/* What waits at a node: the same, after the task that it is for. */
chan queue[TASKS] = [QUEUED] of { byte, mtype, byte, byte, byte, bool };

/* Multicasts under way, by AT(task, place). */
byte what[TASKS * PLACES] = NO_TASK;       /* the command. Stays when it is over */
bool busy[TASKS * PLACES];
byte waits[TASKS * PLACES];             /* copies that have not replied */
bool failed[TASKS * PLACES];
byte parent[TASKS * PLACES], parent_place[TASKS * PLACES],
     parent_copy[TASKS * PLACES];

/* What is checked. */
byte done[COMMANDS];            /* a bit for each task that has done it */
byte sent[COMMANDS];            /* updates from task to task */
byte replies[COMMANDS];

/* The tasks that a command to task 0 has to reach. */
byte reached;

/* ---- Sending ------------------------------------------------------------- */

inline send(n, to, kind, command, place, which, bad)
{
    queue[n]!to, kind, command, place, which, bad
}

/* Replies to an update. The requester's own has no parent. */
inline answer(n, to, command, place, which, bad)
{
    if
    :: to == NO_TASK ->
        replies[command]++;
        assert(replies[command] == 1);
        assert(bad || (done[command] & reached) == reached)
    :: else -> send(n, to, acknowledge, command, place, which, bad)
    fi
}

/* ---- A command arrives: casts_check(), casts_do() ------------------------ */

/* Finds out whether the task has passed the command on: circles(). */
inline look(n, command)
{
    circle = 0;
    free = NO_TASK;
    for (p : 0 .. PLACES - 1) {
        if
        :: what[AT(n, p)] == command &&
           (busy[AT(n, p)] -> KEEP(CIRCLE_ENDS) : KEEP(REMEMBERS)) ->
            circle = 1
        :: else
        fi;
        if
        :: !busy[AT(n, p)] && free == NO_TASK -> free = p
        :: else
        fi
    };
    p = 0
}

inline on_update(n, from, command, place, which)
{
    look(n, command);
    if
    :: ended[n] ->
        if
        :: KEEP(NO_TASK_REPLIES) -> answer(n, from, command, place, which, 1)
        :: else
        fi
    :: else ->
        if
        :: copy[n * COPIES] == NO_TASK ->        /* a leaf */
            done[command] = done[command] | (1 << n);
            answer(n, from, command, place, which, 0)
        :: copy[n * COPIES] != NO_TASK && (circle || free == NO_TASK) ->
            answer(n, from, command, place, which, 1)
        :: else ->
            done[command] = done[command] | (1 << n);
            what[AT(n, free)] = command;
            busy[AT(n, free)] = 1;
            failed[AT(n, free)] = 0;
            waits[AT(n, free)] = 0;
            parent[AT(n, free)] = from;
            parent_place[AT(n, free)] = place;
            parent_copy[AT(n, free)] = which;
            for (k : 0 .. COPIES - 1) {
                if
                :: copy[n * COPIES + k] != NO_TASK ->
                    waits[AT(n, free)]++;
                    sent[command]++;
                    assert(sent[command] <= edges);
                    send(n, copy[n * COPIES + k], update, command, free, k, 0)
                :: else
                fi
            };
            k = 0
        fi
    fi;
    circle = 0;
    free = 0
}

/* ---- An acknowledge arrives: casts_reply(), settle() --------------------- */

inline on_acknowledge(n, command, place, bad)
{
    if
    :: busy[AT(n, place)] && what[AT(n, place)] == command ->
        failed[AT(n, place)] = (KEEP(FAILURE_COUNTS) ->
                                failed[AT(n, place)] || bad : bad);
        waits[AT(n, place)]--;
        if
        :: waits[AT(n, place)] == 0 || !KEEP(WAITS_FOR_ALL) ->
            busy[AT(n, place)] = 0;
            answer(n, parent[AT(n, place)], command,
                   parent_place[AT(n, place)], parent_copy[AT(n, place)],
                   failed[AT(n, place)])
        :: else
        fi
    :: else                     /* the task has ended */
    fi
}

/* What arrives at task n from another one, or from itself. */
proctype arrives(byte from, n)
{
    mtype kind;
    byte command, place, which, p, k, free;
    bool bad, circle;

end:
    do
    :: atomic {
        nempty(LINK(from, n)) && (KEEP(NOTHING_WAITS) || empty(queue[n])) ->
        LINK(from, n)?kind, command, place, which, bad;
        if
        :: kind == update -> on_update(n, from, command, place, which)
        :: else -> on_acknowledge(n, command, place, bad)
        fi;
        kind = 0;
        command = 0;
        place = 0;
        which = 0;
        bad = 0
       }
    od
}

/* The chore that sends what waits, when the network has room: casts_step(). */
proctype sends(byte n)
{
    mtype kind;
    byte to, command, place, which;
    bool bad;

end:
    do
    :: queue[n]?<to, kind, command, place, which, bad> ->
        atomic {
            nfull(LINK(n, to)) ->
            queue[n]?to, kind, command, place, which, bad;
            LINK(n, to)!kind, command, place, which, bad;
            to = 0;
            kind = 0;
            command = 0;
            place = 0;
            which = 0;
            bad = 0
        }
    od
}

/* ---- Programs ------------------------------------------------------------ */

/* Sends a command to task 0, at any time. */
proctype requester(byte command)
{
    byte p, k, free;
    bool circle;

    atomic {
        on_update(0, NO_TASK, command, 0, 0)
    }
}

/* A task ends: casts_close(). */
proctype ends(byte n)
{
    byte p;

    atomic {
        ended[n] = 1;
        for (p : 0 .. PLACES - 1) {
            if
            :: busy[AT(n, p)] ->
                busy[AT(n, p)] = 0;
                if
                :: KEEP(END_REPLIES) ->
                    answer(n, parent[AT(n, p)], what[AT(n, p)],
                           parent_place[AT(n, p)], parent_copy[AT(n, p)], 1)
                :: else
                fi
            :: else
            fi
        }
    }
}

/* ---- All of it ----------------------------------------------------------- */

inline set_copies(task, first, second)
{
    copy[(task) * COPIES] = first;
    copy[(task) * COPIES + 1] = second
}

inline make_patterns()
{
    for (i : 0 .. TASKS - 1) {
        if
        :: ANY ->
            if
            :: set_copies(i, NO_TASK, NO_TASK)
            :: select(j : 0 .. TASKS - 1); set_copies(i, j, NO_TASK)
            :: select(j : 0 .. TASKS - 1);
               select(k : 0 .. TASKS - 1);
               set_copies(i, j, k)
            fi
        :: else ->              /* 0 to 1 and 2, 1 to 2 */
            if
            :: i == 0 -> set_copies(0, 1, 2)
            :: i == 1 -> set_copies(1, 2, NO_TASK)
            :: i > 1 -> set_copies(i, NO_TASK, NO_TASK)
            fi
        fi
    };
    reached = 1;
    for (i : 1 .. TASKS) {      /* as many steps as the longest way has */
        for (j : 0 .. TASKS * COPIES - 1) {
            if
            :: copy[j] != NO_TASK && (reached & (1 << (j / COPIES))) ->
                reached = reached | (1 << copy[j])
            :: else
            fi
        }
    };
    for (j : 0 .. TASKS * COPIES - 1) {
        edges = edges + (copy[j] != NO_TASK)
    };
    i = 0;
    j = 0;
    k = 0
}

init {
    byte i, j, k;

    c_code {
        now.broken = getenv("BROKEN") ? atoi(getenv("BROKEN")) : 0;
    };
    atomic {
        make_patterns();
        for (i : 0 .. TASKS - 1) {
            for (j : 0 .. TASKS - 1) {
                run arrives(i, j)
            };
            run sends(i)
        };
        for (i : 0 .. COMMANDS - 1) {
            run requester(i)
        };
        if
        :: ENDS -> run ends(1)
        :: else
        fi;
        i = 0;
        j = 0
    };
    do                          /* waits for ever if a reply is missing, */
    :: replies[i] == 1 ->
        i++;
        if
        :: i == COMMANDS -> break
        :: else
        fi
    od;
    i = 0;
    do                          /* or if a place is not given back */
    :: !busy[i] ->
        i++;
        if
        :: i == TASKS * PLACES -> break
        :: else
        fi
    od
}
