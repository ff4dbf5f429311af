/*
 * Words that locks carry: each lock carries its own variable, if the bounds say so
 * (CARRY). Without CARRY, these do nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#if CARRY

/* By node and lock: what the lock carries and no record of this node's past lists. */
bit carried[NODES * VARIABLES];
byte carried_value[NODES * VARIABLES];
byte carried_seq[NODES * VARIABLES];    /* number of the store */
bit shown[NODES * VARIABLES];   /* the home has it from this node */
byte has[NODES * VARIABLES];    /* this node's memory of the page has the lock's stores up
                                   to this one; on the home, no later ones have come */
byte entry[NODES * INTERVALS * VARIABLES];      /* the store that an interval's record
                                                   lists, and its value; 0: none */
byte entry_value[NODES * INTERVALS * VARIABLES];
byte stays_with[NODES];         /* the end of the interval is for this lock, plus 1 */
byte stores[VARIABLES];         /* by lock: the number of its carried stores, which goes
                                   with the lock */
bit unordered;                  /* records come in another order than they were made */
#if CARRY == 2
byte owner[VARIABLES];          /* the process that alone uses the variable from now on,
                                   up to the barrier, plus 1; 0: none */
#endif
#if CARRY == 3
byte must[NODES * VARIABLES];  /* the value that the process must find, or a later one */
byte shows[VARIABLES * VARIABLES];      /* by lock: the same of who passes the lock on */
#endif
bit merged[NODES * PAGES];      /* the page has several writers: it does not go whole */

/* Scratch, 0 between steps. */
hidden byte q;

#define ENTRY(n, interval, v)   (((n) * INTERVALS + (interval)) * VARIABLES + (v))
#define AT_HOME(n, v)           (home[ON(n, PAGE_OF(v))] == (n))

/* A page has a carried word. */
inline note_writer(n, p)
{
    merged[ON(n, p)] = 1;
    if
    :: home[ON(n, p)] == n -> COUNT(n, p)
    :: else
    fi
}

/* Stores a carried word in this node's memory of the page, unless that is as new. */
inline put(n, v, seq, value)
{
    if
    :: (seq) > has[AT(n, v)] || !KEEP(CARRIED_IN_ORDER) && AT_HOME(n, v) ||
       !KEEP(CARRIED_FOLLOW) && !AT_HOME(n, v) ->
        has[AT(n, v)] = seq;
        mapped[ON(n, PAGE_OF(v))] = 1;
        memory[AT(n, v)] = value;
        note_writer(n, PAGE_OF(v))
    :: else
    fi
}

/* Carried words have come from node `from`, or for a page whose home is elsewhere. */
inline on_carried(n, v, seq, value, from)
{
    if
    :: !AT_HOME(n, v) ->
        LINK(n, home[ON(n, PAGE_OF(v))])!carry(v, seq, value, from, 0)
    :: else ->
        k = (seq) > has[AT(n, v)];
        put(n, v, seq, value);
        if
        :: from == n -> unacknowledged[n]--     /* passed on to where it began */
        :: else -> LINK(n, from)!acknowledge(PAGE_OF(v),
                                             (k -> changes[ON(n, PAGE_OF(v))] : 0),
                                             0, 0, 0)
        fi;
        k = 0
    fi
}

#define MAY_CARRY(n, v) \
    (rights[ON(n, PAGE_OF(v))] == 1 && !dirty[ON(n, PAGE_OF(v))] && \
     fixed[ON(n, PAGE_OF(v))] && \
     (home[ON(n, PAGE_OF(v))] != n || shared[ON(n, PAGE_OF(v))]))

/* A process does a store under lock v, in the upcall of the fault. */
inline carry_store(n, v, value)
{
    stores[v]++;
    carried[AT(n, v)] = 1;
    carried_value[AT(n, v)] = value;
    carried_seq[AT(n, v)] = stores[v];
    shown[AT(n, v)] = 0;
    has[AT(n, v)] = stores[v];
    memory[AT(n, v)] = value;
    note_writer(n, PAGE_OF(v))
}

/* A lock no longer carries what this node knows. */
inline carry_forget(n, v)
{
    carried[AT(n, v)] = 0;
    carried_value[AT(n, v)] = 0;
    carried_seq[AT(n, v)] = 0;
    shown[AT(n, v)] = 0
}

/* Sends what a lock carries to its home. */
inline send_one(n, v)
{
    if
    :: carried[AT(n, v)] && !shown[AT(n, v)] && !AT_HOME(n, v) &&
       KEEP(CARRIED_GO_HOME) ->
        shown[AT(n, v)] = 1;
        unacknowledged[n]++;
        LINK(n, home[ON(n, PAGE_OF(v))])!
            carry(v, carried_seq[AT(n, v)], carried_value[AT(n, v)], n, 0)
    :: else
    fi
}

/* A page is about to be fetched: its home gets what is carried first. */
inline carry_goes_first(n, p)
{
    atomic {
        for (q : 0 .. VARIABLES - 1) {
            if
            :: PAGE_OF(q) == p && !(flags & FETCH_HAS_COPY) && KEEP(CARRIED_GO_FIRST) ->
                send_one(n, q)
            :: else
            fi
        };
        q = 0
    };
    unacknowledged[n] == 0
}

/* With a page go the numbers of the last stores of its locks. */
inline pack_told(n, p)
{
    for (i : 0 .. VARIABLES - 1) {
        if
        :: PAGE_OF(i) == p -> k = k | (has[AT(n, i)] << (3 * i))
        :: else
        fi
    };
    i = 0
}

inline take_told(n, p, versions)
{
    for (i : 0 .. VARIABLES - 1) {
        if
        :: PAGE_OF(i) == p ->
            has[AT(n, i)] = VALUE(versions, i)
        :: else
        fi
    };
    i = 0
}

/* Node n gets lock v from node `from`, after the records. */
inline carry_take(n, v, from)
{
    if
    :: carried[AT(from, v)] ->
        if
        :: AT_HOME(n, v) || rights[ON(n, PAGE_OF(v))] ->
            put(n, v, carried_seq[AT(from, v)], carried_value[AT(from, v)])
        :: else
        fi;
        carried[AT(n, v)] = 1;
        carried_value[AT(n, v)] = carried_value[AT(from, v)];
        carried_seq[AT(n, v)] = carried_seq[AT(from, v)];
        shown[AT(n, v)] = 0
    :: else -> carry_forget(n, v)
    fi
}

/* Whether the end of the interval ends that a lock carries a word which has not been
 * recorded. */
#define GOES(n, v) \
    (carried[AT(n, v)] && \
     !(stays_with[n] == (v) + 1 && \
       (!dirty[ON(n, PAGE_OF(v))] || !KEEP(CARRIED_OR_DIRTY))) && \
     !(stays_with[n] && stays_with[n] != (v) + 1 && !KEEP(CARRIED_OTHERS)))

/* Sends what goes. */
inline carry_send(n)
{
    for (q : 0 .. VARIABLES - 1) {
        if
        :: GOES(n, q) -> send_one(n, q)
        :: else
        fi
    };
    q = 0
}

/* Sends all that is carried. */
inline carry_show(n)
{
    for (q : 0 .. VARIABLES - 1) {
        send_one(n, q)
    };
    q = 0
}

#define CAN_SHOW(n, v)  (carried[AT(n, v)] && !shown[AT(n, v)] && !AT_HOME(n, v))

/* In publish(): what goes is listed in the record. k: there is something to record. */
inline carry_end(n)
{
    for (q : 0 .. VARIABLES - 1) {
        if
        :: GOES(n, q) ->
            k = 1;
            if
            :: KEEP(CARRIED_RECORDED) ->
                entry[ENTRY(n, seen[BY(n, n)] + 1, q)] = carried_seq[AT(n, q)];
                entry_value[ENTRY(n, seen[BY(n, n)] + 1, q)] = carried_value[AT(n, q)]
            :: else
            fi;
            carry_forget(n, q)
        :: else
        fi
    };
    q = 0
}

/* Node n applies what the record of an interval lists: the home has it. A copy gets it,
 * or is forgotten if the records are in no order. */
inline carry_apply(n, writer, interval)
{
    for (q : 0 .. VARIABLES - 1) {
        if
        :: entry[ENTRY(writer, interval, q)] ->
            if
            :: AT_HOME(n, q) || !rights[ON(n, PAGE_OF(q))] ||
               entry[ENTRY(writer, interval, q)] <= has[AT(n, q)]
            :: else ->
                if
                :: unordered && KEEP(CARRIED_FORGOTTEN) -> rights[ON(n, PAGE_OF(q))] = 0
                :: unordered && !KEEP(CARRIED_FORGOTTEN)
                :: !unordered ->
                    put(n, q, entry[ENTRY(writer, interval, q)],
                        entry_value[ENTRY(writer, interval, q)])
                fi
            fi;
            if
            :: carried[AT(n, q)] &&
               carried_seq[AT(n, q)] <= entry[ENTRY(writer, interval, q)] ->
                carry_forget(n, q)
            :: else
            fi
        :: else
        fi
    };
    q = 0
}

/* Ends the interval for lock v. */
inline close_for(n, v)
{
    stays_with[n] = (v) + 1;
    closing[n] = 1;
    !closing[n];
    stays_with[n] = 0
}

#if CARRY == 2
#define MAY_USE(n, v)   (owner[v] == 0 || owner[v] == (n) + 1)
#else
#define MAY_USE(n, v)   true
#endif
#define MERGED(n, p)    merged[ON(n, p)]

/* A process that takes a lock must find what the last holder had to. */
#if CARRY == 3
inline learn(n, v)
{
    for (q : 0 .. VARIABLES - 1) {
        must[AT(n, q)] = (shows[(v) * VARIABLES + q] > must[AT(n, q)]
                           -> shows[(v) * VARIABLES + q] : must[AT(n, q)])
    };
    q = 0
}

inline teach(n, v)
{
    must[AT(n, v)] = latest[v];
    for (q : 0 .. VARIABLES - 1) {
        shows[(v) * VARIABLES + q] = must[AT(n, q)]
    };
    q = 0
}

/* It reads another lock's variable. */
#define LOOK(n, v) \
    READ(n, 1 - (v), assert(memory[AT(n, 1 - (v))] >= must[AT(n, 1 - (v))]))
#else
#define learn(n, v)     skip
#define teach(n, v)     skip
#endif

#else

#define on_carried(n, v, seq, value, from)      skip
#define MAY_CARRY(n, v)                         false
#define carry_store(n, v, value)                skip
#define carry_goes_first(n, p)                  skip
#define carry_take(n, v, from)                  skip
#define carry_send(n)                           skip
#define carry_end(n)                            skip
#define carry_apply(n, writer, interval)        skip
#define pack_told(n, p)                         skip
#define take_told(n, p, versions)               skip
#define close_for(n, v)                         close(n)
#define MAY_USE(n, v)                           true
#define MERGED(n, p)                            false
#define learn(n, v)                             skip
#define teach(n, v)                             skip

#endif
