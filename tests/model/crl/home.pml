/*
 * The home of a region: directory, transactions, handlers of what arrives.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define HOME_HITS(region, operation) \
    (operation == READ -> \
     state[HOME_COPY(region)] == SHARED || !KEEP(HOME_READ_VALID) : \
     (owner[region] == NOBODY || !KEEP(HOME_WRITE_VALID)) && \
     (sharers[region] == 0 || !KEEP(HOME_WRITE_ALONE)) && \
     (about[region] == NONE || !KEEP(HOME_WRITE_QUIET)))

/* All demands of the transaction have been answered. */
#define ANSWERED(region) \
    (answers[region] == 0 && \
     (owner[region] == NOBODY || \
      !KEEP(READ_RECALLS) && about[region] == READ || \
      !KEEP(WRITE_RECALLS) && about[region] == WRITE))

/* And no open operation of the home is in its way. */
#define CLEAR(region) \
    (ANSWERED(region) && \
     (about[region] == READ -> \
      !writer[HOME_COPY(region)] || !KEEP(READ_WAITS) : \
      !OPEN(HOME_COPY(region)) || !KEEP(WRITE_WAITS)))

/* Begins the transaction of the oldest request. */
inline begin(region)
{
    queue[region]?q_kind,q_node,q_has;
    if
    :: !KEEP(QUEUE_IN_ORDER) && len(queue[region]) > 0 ->
        queue[region]!q_kind,q_node,q_has;
        queue[region]?q_kind,q_node,q_has
    :: true
    fi;
    about[region] = q_kind;
    requester[region] = q_node;
    has_copy[region] = 0;
    if
    :: q_kind == READ ->
        if
        :: owner[region] != NOBODY && KEEP(READ_RECALLS) ->
            send(from_home[COPY(region, owner[region])], recall_shared, 0)
        :: else
        fi
    :: else ->
        has_copy[region] =
            (q_has || !KEEP(GRANT_IF_IT_HAS)) &&
            ((sharers[region] & BIT(q_node)) || !KEEP(GRANT_TO_SHARER));
        if
        :: owner[region] != NOBODY && KEEP(WRITE_RECALLS) ->
            send(from_home[COPY(region, owner[region])], recall_invalid, 0)
        :: else
        fi;
        for (i : 0 .. NODES - 1) {
            if
            :: (sharers[region] & BIT(i)) && i != q_node &&
               KEEP(WRITE_INVALIDATES) ->
                send(from_home[COPY(region, i)], inv, 0);
                if
                :: KEEP(WRITE_COLLECTS) -> answers[region]++
                :: else
                fi
            :: else
            fi
        };
        i = 0;
        sharers[region] = 0
    fi;
    q_kind = 0;
    q_node = 0;
    q_has = 0
}

inline ends_transaction(region)
{
    about[region] = NONE;
    requester[region] = 0;
    has_copy[region] = 0;
    sending[region] = 0
}

/* Sends the data of the home, or decides that they have to go. */
inline send_data(region, message)
{
#if BODIES
    assert(leaving[COPY(region, requester[region])] == 0 ||
           !KEEP(SENDING_IS_OPEN) || broken);
    leaving_home[COPY(region, requester[region])] = message;
    sending[region] = 1
#else
    send(from_home[COPY(region, requester[region])], message,
         fresh[HOME_COPY(region)])
#endif
}

inline drop_home(region)
{
    if
    :: KEEP(WRITE_DROPS_HOME) -> state[HOME_COPY(region)] = INVALID
    :: else
    fi
}

/* Gives the requester what it has asked for. */
inline complete(region)
{
    if
    :: requester[region] == HOME(region) ->
        waits[HOME_COPY(region)] = NONE;
        if
        :: KEEP(HOME_HANDLER_OPENS) ->
            opens(HOME_COPY(region), about[region]);
            wants[HOME(region)] = NONE
        :: else
        fi
    :: else ->
        if
        :: about[region] == READ ->
            if
            :: KEEP(READ_ADDS_SHARER) ->
                sharers[region] = sharers[region] | BIT(requester[region])
            :: else
            fi;
            send_data(region, data_shared)
        :: else ->
            if
            :: KEEP(WRITE_NAMES_OWNER) -> owner[region] = requester[region]
            :: else
            fi;
            if
            :: has_copy[region] ->
                send(from_home[COPY(region, requester[region])], grant, 0);
                drop_home(region)
            :: else ->
                send_data(region, data_exclusive);
                if
                :: KEEP(DROPS_FIRST) || !BODIES -> drop_home(region)
                :: else
                fi
            fi
        fi
    fi;
    if
    :: sending[region] && KEEP(SENDING_IS_OPEN)
    :: else -> ends_transaction(region)
    fi
}

/* Continues the transaction, and begins the next ones, as far as possible. */
inline serve(region)
{
    do
    :: about[region] == NONE && len(queue[region]) > 0 -> begin(region)
    :: about[region] != NONE && !sending[region] && CLEAR(region) ->
        complete(region)
    :: else -> break
    od
}

/* A request arrives, or an operation of the home misses. */
inline request(region, operation, node, has)
{
    if
    :: KEEP(ONE_TRANSACTION) || about[region] == NONE
    :: else -> ends_transaction(region); answers[region] = 0
    fi;
    queue[region]!operation,node,has;
    serve(region)
}

/* The data of the owner come home. */
inline comes_home(c)
{
    state[HOME_COPY(REGION(c))] = SHARED;
    fresh[HOME_COPY(REGION(c))] = f;
    if
    :: m != flush || about[REGION(c)] == NONE || KEEP(FLUSH_ANSWERS) ->
        owner[REGION(c)] = NOBODY
    :: else
    fi;
    if
    :: m == writeback_kept && KEEP(KEPT_IS_SHARER) ->
        sharers[REGION(c)] = sharers[REGION(c)] | BIT(NODE(c))
    :: else
    fi
}

/* rgn_delete() at the home, or on behalf of another node. */
inline forget_region(region)
{
    for (i : 0 .. NODES - 1) {
        if
        :: (known[region] & BIT(i)) && KEEP(FORGET_ALL) ->
            send(from_home[COPY(region, i)], forget, 0);
            answers[region]++
        :: else
        fi
    };
    i = 0;
    check_gone(region)
}

inline check_gone(region)
{
    if
    :: answers[region] == 0 || !KEEP(FORGET_COLLECTS) ->
        has_gone(region);
        gone[region] = 1
    :: else
    fi
}

/* The home's handlers. c: the copy that the message is about. */
proctype arrives_at_home(byte c)
{
end:
    do
    :: atomic {
        nempty(to_home[c]) ->
        receive(to_home[c]);
        assert(!gone[REGION(c)]);
        if
        :: m == read -> request(REGION(c), READ, NODE(c), 0)
        :: m == write -> request(REGION(c), WRITE, NODE(c), 0)
        :: m == upgrade -> request(REGION(c), WRITE, NODE(c), 1)
        :: m == ack ->
            if
            :: answers[REGION(c)] > 0 -> answers[REGION(c)]--
            :: else -> assert(broken)
            fi;
            serve(REGION(c))
        :: m == writeback || m == writeback_kept || m == flush ->
            comes_home(c);
            serve(REGION(c))
        :: m == info ->
            known[REGION(c)] = known[REGION(c)] | BIT(NODE(c));
            send(from_home[c], info_reply, 0)
        :: m == delete -> forget_region(REGION(c))
        :: m == forgotten ->
            answers[REGION(c)]--;
            check_gone(REGION(c))
        fi;
        m = 0;
        f = 0
       }
    od
}

#if BODIES
/* The home's thread that sends data to the node of copy c. */
proctype leaves_home(byte c)
{
end:
    do
    :: atomic {
        leaving_home[c] != 0 ->
        send(from_home[c], leaving_home[c], fresh[HOME_COPY(REGION(c))]);
        if
        :: leaving_home[c] == data_exclusive && !KEEP(DROPS_FIRST) ->
            drop_home(REGION(c))
        :: else
        fi;
        leaving_home[c] = 0;
        if
        :: KEEP(SENDING_IS_OPEN) ->
            ends_transaction(REGION(c));
            serve(REGION(c))
        :: else
        fi
       }
    od
}
#endif
