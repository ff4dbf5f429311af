/*
 * Programs: every sequence of operations that CRL allows.
 *
 * One thread of each node makes the calls. A node that waits does nothing else
 * but handle messages. Regions are mapped where they are used, and unmapped
 * otherwise, so that they can be evicted. An open operation ends sometime.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

bit nested[COPIES];             /* a read has been opened within this one */

#if REGIONS > 1
#define OTHER(c)        ((c + NODES) % COPIES)  /* the copy of the other region */
#else
#define OTHER(c)        0
#endif

/*
 * Whether the operation may start while another region is in use. Regions are
 * opened in ascending order, so that programs do not block each other.
 * CROSSED: reads in any order instead, and writes alone.
 */
#if REGIONS == 1
#define MAY_NEST(c, operation)  true
#elif CROSSED
#define MAY_NEST(c, operation)  (!writer[OTHER(c)] && \
    (operation == READ || !OPEN(OTHER(c))))
#else
#define MAY_NEST(c, operation)  (REGION(c) == 1 || !OPEN(OTHER(c)))
#endif

#define MAY_START(c, operation) \
    (!OPEN(c) && !deleting[REGION(c)] && MAY_NEST(c, operation))

inline miss(c, operation)
{
    waits[c] = operation;
    if
    :: state[c] == UNKNOWN ->
        waits[c] = INFO;
        send(to_home[c], info, 0)
    :: else ->
        if
        :: operation == READ -> send(to_home[c], read, 0)
        :: operation == WRITE && state[c] == SHARED ->
            send(to_home[c], upgrade, 0)
        :: else -> send(to_home[c], write, 0)
        fi
    fi
}

inline miss_at_home(c, operation)
{
    if
    :: KEEP(HOME_QUEUES) || about[REGION(c)] == NONE ->
        waits[c] = operation;
        request(REGION(c), operation, NODE(c), 0)
    :: else
    fi
}

/* rgn_start_read(), rgn_start_write() */
inline start(c, operation)
{
    wants[NODE(c)] = operation;
    wanted[NODE(c)] = c;
    if
    :: NODE(c) == HOME(REGION(c)) && !HOME_HITS(REGION(c), operation) ->
        miss_at_home(c, operation)
    :: NODE(c) != HOME(REGION(c)) &&
       (!HITS(c, operation) ||
        (OPEN(c) && deferred[c] != 0 && !KEEP(NESTED_HITS))) ->
        miss(c, operation)
    :: else ->
        opens(c, operation);
        wants[NODE(c)] = NONE
    fi
}

/* rgn_end_read(), rgn_end_write() */
inline end(c)
{
    if
    :: writer[c] ->
        writer[c] = 0;
        has_written(c)
    :: else -> readers[c]--
    fi;
    nested[c] = nested[c] && OPEN(c);
    if
    :: NODE(c) != HOME(REGION(c)) -> answer_deferred(c)
    :: KEEP(END_GOES_ON) && NODE(c) == HOME(REGION(c)) -> serve(REGION(c))
    :: else
    fi
}

/*
 * Sets `unused` if no node uses the region: the program has to make sure of
 * that before it deletes a region.
 */
inline check_unused(region)
{
    unused = 1;
    for (i : 0 .. NODES - 1) {
        unused = unused && !OPEN(COPY(region, i)) && wants[i] == NONE
    };
    i = 0
}

/* rgn_delete() */
inline delete_region(c)
{
    check_unused(REGION(c));
    if
    :: unused ->
        deleting[REGION(c)] = 1;
        if
        :: NODE(c) == HOME(REGION(c)) -> forget_region(REGION(c))
        :: else -> send(to_home[c], delete, 0)
        fi
    :: else
    fi;
    unused = 0
}

/* What node x may do with copy c. */
#define CALLS(c) \
    :: MAY_START(c, READ) -> start(c, READ) \
    :: MAY_START(c, WRITE) -> start(c, WRITE) \
    :: readers[c] == 1 && !nested[c] -> nested[c] = 1; start(c, READ) \
    :: OPEN(c) -> end(c) \
    :: !OPEN(c) && NODE(c) != HOME(REGION(c)) && state[c] >= SHARED -> \
        drop(c, INVALID)                /* rgn_flush() */ \
    :: !OPEN(c) && NODE(c) != HOME(REGION(c)) && state[c] != UNKNOWN -> \
        drop(c, UNKNOWN)                /* eviction */ \
    :: DELETES && !deleting[REGION(c)] -> delete_region(c)

proctype program(byte x)
{
    do
    :: atomic {
        wants[x] != NONE && waits[wanted[x]] == NONE ->
        start(wanted[x], wants[x])      /* the copy is known now */
       }
    :: atomic {
        wants[x] == NONE ->
        if
        CALLS(COPY(0, x))
#if REGIONS > 1
        CALLS(COPY(1, x))
#endif
        :: else                         /* the regions are being deleted */
        fi
       }
    :: wants[x] == NONE && !OPEN(COPY(0, x)) && !OPEN(COPY(REGIONS - 1, x)) ->
        break
    od
}
