/*
 * Intervals: release, acquire, and what a node tells another of the intervals
 * that it has seen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/*
 * What node `teller` tells node `asker`: in `packed`, all that the teller has seen;
 * in `gaps`, the intervals of each node up to which the teller's log has no records;
 * in `lacks`, whether the asker needs one of these, as the teller believes.
 */
inline tell(teller, asker)
{
    packed = 0;
    gaps = 0;
    lacks = 0;
    for (i : 0 .. NODES - 1) {
        packed = packed | (seen[BY(teller, i)] << (3 * i));
        gaps = gaps | (kept[BY(teller, i)] << (3 * i));
        lacks = lacks | (seen[BY(asker, i)] < floors[BY(teller, i)])
    };
    i = 0
}

inline told()
{
    packed = 0;
    gaps = 0;
    lacks = 0
}

inline answer_notices(n, node)
{
    asked[BY(n, node)] = 0;
    tell(n, node);
    LINK(n, node)!records(lacks, 0, 0, packed, gaps);
    told()
}

inline on_notices(n, from, seq)
{
    asked[BY(n, from)] = seq + 1;
    if
    :: seq <= seen[BY(n, n)] -> answer_notices(n, from)
    :: else
    fi
}

inline forget(n, p)
{
    if
    :: home[ON(n, p)] != n && !dirty[ON(n, p)] && KEEP(NOTICES_DROP) ->
        rights[ON(n, p)] = 0
    :: else
    fi
}

/*
 * Node n sees all that a vector time has. It gets the records of what lies above the
 * gaps, and keeps them in its log. `lost`, `gap`: as in tell().
 */
inline apply(n, now, lost, gap)
{
    for (i : 0 .. NODES - 1) {
        if
        :: seen[BY(n, i)] < VALUE(gap, i) ->
            kept[BY(n, i)] = VALUE(gap, i);
            floors[BY(n, i)] = (KEEP(GAPS_KEPT) -> VALUE(gap, i)
                                                : floors[BY(n, i)])
        :: else
        fi;
        do
        :: seen[BY(n, i)] < VALUE(now, i) ->
            seen[BY(n, i)]++;
            for (j : 0 .. PAGES - 1) {
                if
                :: record[i * INTERVALS + seen[BY(n, i)]] & (1 << j) &&
                   seen[BY(n, i)] > VALUE(gap, i) ->
                    forget(n, j);
                    if
                    :: fetching[n] == j + 1 &&
                       (seen[BY(n, i)] > fetched[BY(n, i)] ||
                        seen[BY(n, i)] == fetched[BY(n, i)] &&
                        i != home[ON(n, j)]) ->
                        again[n] = 1
                    :: else
                    fi
                :: else
                fi
            };
            j = 0;
            if
            :: seen[BY(n, i)] > VALUE(gap, i) -> carry_apply(n, i, seen[BY(n, i)])
            :: else
            fi
        :: else -> break
        od
    };
    i = 0;
    if
    :: (lost) && KEEP(LACKS_FORGETS) ->
        again[n] = 1;
        for (j : 0 .. PAGES - 1) {
            forget(n, j)
        };
        j = 0
    :: else
    fi
}

/* Sends the difference of a page, or the whole page, or nothing if nothing has
 * changed. */
inline send_difference(n, p, may_be_whole)
{
    packed = 0;
    k = 0;
    for (i : 0 .. VARIABLES - 1) {
        if
        :: PAGE_OF(i) == p && (memory[AT(n, i)] != twin[AT(n, i)] ||
                               !KEEP(ONLY_CHANGED)) ->
            k = k | (1 << i);
            packed = packed | (memory[AT(n, i)] << (3 * i))
        :: else
        fi
    };
    i = 0;
    if
    :: k && (!WHOLES || !(may_be_whole) || MERGED(n, p)) ->
        unacknowledged[n]++;
        LINK(n, home[ON(n, p)])!difference(p, seen[BY(n, n)] + 1, k, packed, 0)
    :: k && WHOLES && (may_be_whole) && !MERGED(n, p) ->
        unacknowledged[n]++;
        packed = 0;
        for (i : 0 .. VARIABLES - 1) {
            if
            :: PAGE_OF(i) == p -> packed = packed | (memory[AT(n, i)] << (3 * i))
            :: else
            fi
        };
        i = 0;
        LINK(n, home[ON(n, p)])!whole(p, seen[BY(n, n)] + 1,
                                      changes[ON(n, p)], packed, 0)
    :: else
    fi;
    k = 0;
    packed = 0
}

/* What homes have refused goes to them as differences. */
inline send_refused(n)
{
    for (j : 0 .. PAGES - 1) {
        if
        :: refused[ON(n, j)] ->
            refused[ON(n, j)] = 0;
            if
            :: KEEP(REFUSED_IS_SENT) -> send_difference(n, j, false)
            :: else
            fi
        :: else
        fi
    };
    j = 0
}

inline begin_close(n)
{
    carry_send(n);
    for (j : 0 .. PAGES - 1) {
        if
        :: dirty[ON(n, j)] ->
            if
            :: rights[ON(n, j)] && KEEP(CLOSE_PROTECTS) -> rights[ON(n, j)] = 1
            :: else
            fi;
            if
            :: home[ON(n, j)] != n && twinned[ON(n, j)] -> send_difference(n, j, true)
            :: else
            fi
        :: else
        fi
    };
    j = 0
}

/* The interval has ended. */
inline publish(n)
{
    carry_end(n);
    for (j : 0 .. PAGES - 1) {
        if
        :: dirty[ON(n, j)] ->
            assert(seen[BY(n, n)] + 1 < INTERVALS);
            record[n * INTERVALS + seen[BY(n, n)] + 1] =
                record[n * INTERVALS + seen[BY(n, n)] + 1] | (1 << j);
            dirty[ON(n, j)] = 0;
            twinned[ON(n, j)] = 0;
            for (i : 0 .. VARIABLES - 1) {
                if
                :: PAGE_OF(i) == j -> twin[AT(n, i)] = 0
                :: else
                fi
            };
            if
            :: home[ON(n, j)] == n ->
                VERSION(n, j, n) = seen[BY(n, n)] + 1;
                COUNT(n, j)
            :: else
            fi;
            k = 1
        :: else
        fi
    };
    i = 0;
    j = 0;
    seen[BY(n, n)] = seen[BY(n, n)] + k;
    k = 0;
    for (j : 0 .. NODES - 1) {
        if
        :: asked[BY(n, j)] && asked[BY(n, j)] <= seen[BY(n, n)] + 1 ->
            answer_notices(n, j)
        :: else
        fi
    };
    j = 0
}

/* Pages that have been the process's own go to nodes that wait for them. */
inline release_pages(n)
{
    do
    :: wanted[n]?w_page,w_flags,w_node ->
        answer_fetch(n, w_page, w_flags, w_node)
    :: empty(wanted[n]) -> break
    od;
    w_page = 0;
    w_flags = 0;
    w_node = 0
}

/*
 * Ends the interval. The process `closes` of the node does it while its thread
 * waits: so that SPIN has this code once for each node.
 */
inline close(n)
{
    closing[n] = 1;
    !closing[n]
}

proctype closes(byte n)
{
    byte w_page, w_flags, w_node;

end:
    do
    :: atomic { closing[n] -> begin_close(n) };
#if WHOLES
       atomic { unacknowledged[n] == 0 -> send_refused(n) };
#endif
       atomic {
           unacknowledged[n] == 0 || !KEEP(RELEASE_WAITS) ->
           publish(n);
           closed[n] = 1;
           release_pages(n);
           closing[n] = 0
       }
    od
}

/* Waits for an answer, and serves requests for own pages meanwhile. */
inline await(n)
{
    do
    :: atomic { answered[n] -> answered[n] = 0; break }
    :: !answered[n] && nempty(wanted[n]) -> close(n)
    od
}

inline acquire(n, from, seq)
{
    LINK(n, from)!notices(seq, 0, 0, 0, 0);
    await(n)
}
