/*
 * Pages: what a home does with requests and differences.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define IS_OWN(n, p) (rights[ON(n, p)] == 2 && !dirty[ON(n, p)])
#define IS_OPEN(n, p) ((IS_OWN(n, p) || dirty[ON(n, p)]) && !closed[n])
#define VERSION(n, p, w) version[ON(n, p) * NODES + (w)]

/* The home counts the changes of a page, if pages may go whole. */
#define COUNT(n, p) changes[ON(n, p)] = changes[ON(n, p)] + WHOLES

/* The variables of a page. */
#if PAGES == 1
#define ALL_OF(p)       ((1 << VARIABLES) - 1)
#elif LOCKED
#define ALL_OF(p)       (1 << (p))
#else
#define ALL_OF(p)       ((p) == 0 -> 1 : 6)
#endif

/* Three bits for each variable of the page, and for each writer. */
#define VALUE(word, v)  (((word) >> (3 * (v))) & 7)

inline pack_page(n, p)
{
    packed = 0;
    for (i : 0 .. VARIABLES - 1) {
        if
        :: PAGE_OF(i) != p -> skip
        :: else -> packed = packed | (memory[AT(n, i)] << (3 * i))
        fi
    };
    i = 0
}

/* The page gets memory, full of zeros. */
inline map(n, p)
{
    for (i : 0 .. VARIABLES - 1) {
        if
        :: PAGE_OF(i) == p -> memory[AT(n, i)] = 0
        :: else
        fi
    };
    i = 0;
    mapped[ON(n, p)] = 1
}

/* The page goes to `node`, with its home, whether that is shared, and whether it is the
 * home for ever. */
inline send_page(n, p, node, copy)
{
    pack_page(n, p);
    k = 0;
    for (i : 0 .. NODES - 1) {
        if
        :: VERSION(n, p, i) > (KEEP(TOLD_ALL) -> 0 : floors[BY(n, i)]) &&
           i != node ->
            k = k | (VERSION(n, p, i) << (3 * i))
        :: else
        fi
    };
    i = 0;
#if CARRY
    k = 0;
    pack_told(n, p);
#endif
    LINK(n, node)!page(p, home[ON(n, p)] + 4 * j + 8 * fixed[ON(n, p)] +
                          16 * changes[ON(n, p)], copy, packed, k);
    k = 0;
    packed = 0
}

/* Sets k to whether a page has writes that some process may not have seen, whose
 * versions would stay here if another node became the home. */
inline find_versions(n, p)
{
    k = 0;
    for (i : 0 .. NODES - 1) {
        k = k | (ORDER && VERSION(n, p, i) > 0)
    };
    i = 0
}

/* Serves a request at the home. j: whether other nodes have copies. */
inline grant(n, p, flags, node)
{
    j = rights[ON(n, p)] != 0 || (had[p] & ~(1 << node)) != 0;
    if
    :: (flags & FETCH_HOME) && dirty[ON(n, p)] -> fixed[ON(n, p)] = 1
    :: else
    fi;
    find_versions(n, p);
    if
    :: (flags & FETCH_HOME) && !fixed[ON(n, p)] ->
        home[ON(n, p)] = node;
        fixed[ON(n, p)] = 1;
        j = j && KEEP(NEW_HOME_SHARES)
    :: n == 0 && (flags & FETCH_FIRST) && !fixed[ON(n, p)] && mapped[ON(n, p)] &&
       !dirty[ON(n, p)] && !k ->
        home[ON(n, p)] = node;
        j = j && KEEP(NEW_HOME_SHARES)
    :: else ->
        j = 0;
        if
        :: KEEP(OWN_IS_SHARED) -> shared[ON(n, p)] = 1
        :: else
        fi
    fi;
    k = 0;
    if
    :: IS_OWN(n, p) && KEEP(OWN_IS_SHARED) && KEEP(SENT_PROTECTS) ->
        rights[ON(n, p)] = 1
    :: else
    fi;
    had[p] = had[p] | (1 << node);
    send_page(n, p, node, (flags & FETCH_HAS_COPY) && home[ON(n, p)] == node);
    j = 0
}

/* Answers a request, or passes it on. */
inline answer_fetch(n, p, flags, node)
{
    if
    :: home[ON(n, p)] != n ->
        LINK(n, home[ON(n, p)])!fetch(p, flags, node, 0, 0)
    :: else ->
        if
        :: IS_OWN(n, p) ->
            VERSION(n, p, n) = seen[BY(n, n)];
            COUNT(n, p)
        :: else
        fi;
        grant(n, p, flags, node)
    fi
}

inline on_fetch(n, p, flags, node)
{
    if
    :: home[ON(n, p)] == n && IS_OPEN(n, p) && ORDER && KEEP(OPEN_WAITS) ->
        wanted[n]!p,flags,node
    :: else -> answer_fetch(n, p, flags, node)
    fi
}

/* A page has come. */
inline on_page(n, p, at, copy, values, versions)
{
    assert(fetching[n] == p + 1);
    home[ON(n, p)] = (at) & 3;
    fixed[ON(n, p)] = fixed[ON(n, p)] | (((at) >> 3) & 1);
    if
    :: home[ON(n, p)] == n && ((at) & 4) -> shared[ON(n, p)] = 1
    :: else
    fi;
    if
    :: !copy || home[ON(n, p)] == n -> changes[ON(n, p)] = (at) >> 4
    :: else
    fi;
    mapped[ON(n, p)] = mapped[ON(n, p)] || !(copy);
    for (i : 0 .. VARIABLES - 1) {
        if
        :: PAGE_OF(i) == p && !copy -> memory[AT(n, i)] = VALUE(values, i)
        :: else
        fi
    };
#if CARRY
    if
    :: !copy -> take_told(n, p, versions)
    :: else
    fi;
#endif
    for (i : 0 .. NODES - 1) {
        fetched[BY(n, i)] = (copy || CARRY -> 0 : ((versions) >> (3 * i)) & 7)
    };
    i = 0;
    answered[n] = 1
}

/* Sets k to whether a page has writes that the node has not acquired. */
inline find_unseen(n, p)
{
    k = 0;
    for (i : 0 .. NODES - 1) {
        k = k | (ORDER && i != n && VERSION(n, p, i) > seen[BY(n, i)])
    };
    i = 0
}

inline check_unseen(n, p)
{
    find_unseen(n, p);
    if
    :: k -> rights[ON(n, p)] = 0
    :: else
    fi;
    k = 0
}

/* A difference has come: which variables, and their values. */
inline on_difference(n, from, p, seq, mask, values)
{
    assert(home[ON(n, p)] == n || broken);
    mapped[ON(n, p)] = 1;
    for (i : 0 .. VARIABLES - 1) {
        if
        :: (mask) & (1 << i) ->
            memory[AT(n, i)] = VALUE(values, i)
        :: else
        fi
    };
    i = 0;
    VERSION(n, p, from) = seq;
    COUNT(n, p);
    if
    :: in_call[n] -> listed[ON(n, p)] = rights[ON(n, p)] != 0
    :: else -> check_unseen(n, p)
    fi;
    LINK(n, from)!acknowledge(p, changes[ON(n, p)], 0, 0, 0)
}

/* A whole page has come. */
inline on_whole(n, from, p, seq, count, values)
{
    if
    :: (changes[ON(n, p)] == count || !KEEP(WHOLE_COUNTS)) &&
       (!dirty[ON(n, p)] || !KEEP(WHOLE_NOT_DIRTY)) ->
        on_difference(n, from, p, seq, ALL_OF(p), values)
    :: else -> LINK(n, from)!refuse(p, 0, 0, 0, 0)
    fi
}

inline on_acknowledge(n, p, count)
{
    unacknowledged[n]--;
    if
    :: count == changes[ON(n, p)] + 1 && WHOLES -> changes[ON(n, p)]++
    :: else
    fi
}
