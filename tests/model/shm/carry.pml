/*
 * Words that a lock carries: each lock carries its own variable, if the bounds say so
 * (CARRY). Without CARRY, these do nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#if CARRY

byte carried[NODES];            /* the lock whose variable is carried, plus 1; 0: none */
byte carried_value[NODES];
byte carried_seq[NODES];        /* number of the store */
bit shown[NODES];               /* the home has it from this node */
bit follows[NODES];             /* a copy has what the lock carried when it was here, and
                                   nothing of later holders */
bit early[NODES];               /* the page that is fetched has a carried variable */
bit whole_close[NODES];         /* the end of the interval ends that, too */
byte stores[VARIABLES];         /* by lock: the number of its carried stores, which goes
                                   with the lock */
byte last_store[NODES * VARIABLES];     /* on the home, by lock: the last one that came */
#if CARRY == 2
byte owner[VARIABLES];          /* the process that alone uses the variable from now on,
                                   up to the barrier, plus 1; 0: none */
#endif
bit merged[NODES * PAGES];      /* the page has several writers: it does not go whole */

/* A page has a carried word. */
inline note_writer(n, p)
{
    merged[ON(n, p)] = 1;
    if
    :: home[ON(n, p)] == n -> COUNT(n, p)
    :: else
    fi
}

inline put_at_home(n, v, seq, value)
{
    if
    :: (seq) > last_store[AT(n, v)] || !KEEP(CARRIED_IN_ORDER) ->
        last_store[AT(n, v)] = seq;
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
    :: home[ON(n, PAGE_OF(v))] != n ->
        LINK(n, home[ON(n, PAGE_OF(v))])!carry(v, seq, value, from, 0)
    :: else ->
        k = (seq) > last_store[AT(n, v)];
        put_at_home(n, v, seq, value);
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
     (home[ON(n, PAGE_OF(v))] != n || shared[ON(n, PAGE_OF(v))]) && \
     (carried[n] == 0 || carried[n] == (v) + 1))

/* A process does a store under lock v, in the upcall of the fault. */
inline carry_store(n, v, value)
{
    stores[v]++;
    carried[n] = (v) + 1;
    carried_value[n] = value;
    carried_seq[n] = stores[v];
    shown[n] = 0;
    follows[n] = 1;
    memory[AT(n, v)] = value;
    if
    :: home[ON(n, PAGE_OF(v))] == n -> last_store[AT(n, v)] = stores[v]
    :: else
    fi;
    note_writer(n, PAGE_OF(v))
}

/* A page is about to be fetched: its home gets what is carried first. */
inline carry_goes_first(n, p)
{
    atomic {
        early[n] = carried[n] && PAGE_OF(carried[n] - 1) == p &&
                   !(flags & FETCH_HAS_COPY);
        if
        :: early[n] && KEEP(CARRIED_GO_FIRST) -> carry_send(n)
        :: else
        fi
    };
    unacknowledged[n] == 0
}

/* It has been fetched. */
inline carry_fetched(n, p)
{
    if
    :: early[n] ->
        follows[n] = holder[carried[n] - 1] == n;
        merged[ON(n, p)] = 1;
        early[n] = 0
    :: else
    fi
}

/* Node n gets lock v from node `from`, after the records. */
inline carry_take(n, v, from)
{
    if
    :: carried[from] == (v) + 1 ->
        follows[n] = follows[n] && carried[n] == (v) + 1;
        if
        :: home[ON(n, PAGE_OF(v))] == n ->
            put_at_home(n, v, carried_seq[from], carried_value[from])
        :: home[ON(n, PAGE_OF(v))] != n && rights[ON(n, PAGE_OF(v))] &&
           (follows[n] || !KEEP(CARRIED_FOLLOW)) ->
            if
            :: carried_seq[from] > carried_seq[n] || !KEEP(CARRIED_FOLLOW) ->
                memory[AT(n, v)] = carried_value[from]
            :: else
            fi;
            note_writer(n, PAGE_OF(v))
        :: else -> rights[ON(n, PAGE_OF(v))] = 0
        fi;
        carried[n] = (v) + 1;
        carried_value[n] = carried_value[from];
        carried_seq[n] = carried_seq[from];
        shown[n] = 0
    :: else ->
        carried[n] = 0;
        carried_value[n] = 0;
        carried_seq[n] = 0;
        follows[n] = 0;
        shown[n] = 0
    fi
}

/* Sends what is carried to its home. */
inline carry_send(n)
{
    if
    :: carried[n] && !shown[n] && home[ON(n, PAGE_OF(carried[n] - 1))] != n &&
       KEEP(CARRIED_GO_HOME) ->
        shown[n] = 1;
        unacknowledged[n]++;
        LINK(n, home[ON(n, PAGE_OF(carried[n] - 1))])!
            carry(carried[n] - 1, carried_seq[n], carried_value[n], n, 0)
    :: else
    fi
}

/* In publish(): the page belongs to the record, and the words are forgotten. */
inline carry_end(n)
{
    if
    :: carried[n] ->
        dirty[ON(n, PAGE_OF(carried[n] - 1))] =
            dirty[ON(n, PAGE_OF(carried[n] - 1))] | KEEP(CARRIED_RECORDED);
        carried[n] = 0;
        carried_value[n] = 0;
        carried_seq[n] = 0;
        shown[n] = 0
    :: else
    fi
}

/* Ends the interval for lock v. */
inline close_for(n, v)
{
    whole_close[n] = carried[n] != 0 &&
                     !(carried[n] == (v) + 1 &&
                       (!dirty[ON(n, PAGE_OF(v))] || !KEEP(CARRIED_OR_DIRTY)));
    closing[n] = 1;
    !closing[n]
}

#define WHOLE_CLOSE(n)  whole_close[n]
#if CARRY == 2
#define MAY_USE(n, v)   (owner[v] == 0 || owner[v] == (n) + 1)
#else
#define MAY_USE(n, v)   true
#endif
#define MERGED(n, p)    merged[ON(n, p)]

#else

#define on_carried(n, v, seq, value, from)      skip
#define MAY_CARRY(n, v)                         false
#define carry_store(n, v, value)                skip
#define carry_goes_first(n, p)                  skip
#define carry_fetched(n, p)                     skip
#define carry_take(n, v, from)                  skip
#define carry_send(n)                           skip
#define carry_end(n)                            skip
#define close_for(n, v)                         close(n)
#define WHOLE_CLOSE(n)                          false
#define MAY_USE(n, v)                           true
#define MERGED(n, p)                            false

#endif
