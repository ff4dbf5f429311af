/*
 * A node other than the home: requests, and handlers of what arrives.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define HITS(c, operation) \
    (state[c] == EXCLUSIVE || (operation == READ && state[c] == SHARED))

/* Sends the data of copy c home, or decides that they have to go. */
inline send_home(c, message)
{
#if BODIES
    assert(leaving[c] == 0 || broken);
    leaving[c] = message
#else
    send(to_home[c], message, fresh[c])
#endif
}

inline answer_inv(c)
{
    if
    :: state[c] != UNKNOWN && KEEP(INV_DROPS) ->
        state[c] = INVALID;
        loses_data(c)
    :: else
    fi;
    send(to_home[c], ack, 0)
}

inline answer_recall(c, message)
{
    if
    :: message == recall_shared ->
        if
        :: KEEP(SHARED_CANNOT_WRITE) -> state[c] = SHARED
        :: else
        fi;
        send_home(c, writeback_kept)
    :: else ->
        if
        :: KEEP(RECALL_DROPS) -> state[c] = INVALID
        :: else
        fi;
        send_home(c, writeback);
        loses_data(c)
    fi
}

/* A demand for copy c can be met now. */
inline answer(c, message)
{
    if
    :: message == inv -> answer_inv(c)
    :: else -> answer_recall(c, message)
    fi
}

/* A demand arrives for copy c, which can be in any state. */
inline demanded(c)
{
    if
    :: m == inv && state[c] < SHARED && !KEEP(INV_ANSWERED)
    :: m != inv && state[c] != EXCLUSIVE && KEEP(LATE_RECALL_IGNORED)
    :: else ->
        if
        :: m == inv && OPEN(c) && KEEP(INV_WAITS) -> deferred[c] = m
        :: m == recall_invalid && OPEN(c) && KEEP(RECALL_WAITS) ->
            deferred[c] = m
        :: m == recall_shared && writer[c] && KEEP(SHARED_WAITS) ->
            deferred[c] = m
        :: m == recall_shared && OPEN(c) && !KEEP(SHARED_AT_ONCE) ->
            deferred[c] = m
        :: else -> answer(c, m)
        fi
    fi
}

/* An operation on copy c has ended: the demand that has waited is met. */
inline answer_deferred(c)
{
    if
    :: deferred[c] != 0 && KEEP(END_ANSWERS) &&
       (!OPEN(c) || (deferred[c] == recall_shared && !writer[c])) ->
        answer(c, deferred[c]);
        deferred[c] = 0
    :: else
    fi
}

/* The data or the grant for copy c are here. */
inline granted(c, new)
{
    assert(waits[c] == (new == SHARED -> READ : WRITE) || broken);
    state[c] = new;
    if
    :: m != grant -> fresh[c] = f
    :: else
    fi;
    if
    :: KEEP(HANDLER_OPENS) ->
        opens(c, waits[c]);
        wants[NODE(c)] = NONE
    :: else
    fi;
    waits[c] = NONE
}

/* Drops copy c, on which no operation is open; the copy becomes `new`. */
inline drop(c, new)
{
    if
    :: state[c] == EXCLUSIVE && KEEP(EXCLUSIVE_FLUSHES) -> send_home(c, flush)
    :: else
    fi;
    state[c] = new;
    loses_data(c)
}

inline forget_copy(c)
{
    state[c] = UNKNOWN;
    loses_data(c);
    if
    :: leaving[c] != 0 && KEEP(FORGET_AFTER_DATA) -> deferred[c] = forget
    :: else -> send(to_home[c], forgotten, 0)
    fi
}

/* The handlers of the node that has copy c. */
proctype arrives_at_node(byte c)
{
end:
    do
    :: atomic {
        nempty(from_home[c]) ->
        receive(from_home[c]);
        if
        :: m == data_shared -> granted(c, SHARED)
        :: m == data_exclusive || m == grant -> granted(c, EXCLUSIVE)
        :: m == info_reply ->
            state[c] = INVALID;
            waits[c] = NONE
        :: m == forget -> forget_copy(c)
        :: else -> demanded(c)
        fi;
        m = 0;
        f = 0
       }
    od
}

#if BODIES
/* The thread that sends the data of copy c home. */
proctype leaves_node(byte c)
{
end:
    do
    :: atomic {
        leaving[c] != 0 ->
        send(to_home[c], leaving[c], fresh[c]);
        leaving[c] = 0;
        if
        :: state[c] < SHARED -> fresh[c] = 0
        :: else
        fi;
        if
        :: deferred[c] == forget ->
            deferred[c] = 0;
            send(to_home[c], forgotten, 0)
        :: else
        fi
       }
    od
}
#endif
