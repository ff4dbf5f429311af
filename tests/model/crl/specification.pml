/*
 * What programs may see: each operation finds what the write before it left.
 *
 * A copy, or a message with data, is fresh if no write has ended elsewhere
 * since. Only the fresh data count: any other data are as if lost. This bit
 * stands for all versions, so that the model has finitely many states and
 * programs may go on for ever.
 *
 * An operation that starts must find fresh data. No write may be open beside
 * any other operation. So for each region, all operations take effect in an
 * order that agrees with the time at which they happen (linearizability), and
 * this order is the same for all nodes. Orders of single regions with this
 * property together make up one order of all operations: they are sequentially
 * consistent.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

bit fresh[COPIES];

/* An operation on copy c opens. */
inline opens(c, operation)
{
    assert(fresh[c]);
    for (i : 0 .. NODES - 1) {
        assert(!writer[COPY(REGION(c), i)]);
        assert(operation == READ || !OPEN(COPY(REGION(c), i)))
    };
    i = 0;
    if
    :: operation == READ -> readers[c]++
    :: else -> writer[c] = 1
    fi
}

inline goes_stale(channel)
{
    for (q_kind : 1 .. len(channel)) {
        channel?m,f;
        channel!m,0
    }
}

/* The data of copy c are not needed any more, and may be overwritten. */
inline loses_data(c)
{
    if
    :: leaving[c] != 0 && KEEP(DATA_STAY)
    :: else -> fresh[c] = 0
    fi
}

/* A write on copy c has ended. */
inline has_written(c)
{
    for (i : 0 .. NODES - 1) {
        fresh[COPY(REGION(c), i)] = (COPY(REGION(c), i) == c);
        goes_stale(to_home[COPY(REGION(c), i)]);
        goes_stale(from_home[COPY(REGION(c), i)])
    };
    i = 0;
    q_kind = 0;
    m = 0;
    f = 0
}

/* Nothing of a region may be left when the home forgets it. */
inline has_gone(region)
{
    for (i : 0 .. NODES - 1) {
        if
        :: i != HOME(region) ->
            assert(state[COPY(region, i)] == UNKNOWN);
            assert(leaving[COPY(region, i)] == 0);
            assert(empty(to_home[COPY(region, i)]))
        :: else
        fi
    };
    i = 0
}
