/*
 * The process of each node: faults, and programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* A call ends: the home loses its right to what it has not seen. */
inline leave(n)
{
    d_step {
        for (j : 0 .. PAGES - 1) {
            if
            :: listed[ON(n, j)] -> check_unseen(n, j)
            :: else
            fi;
            listed[ON(n, j)] = 0
        };
        j = 0;
        in_call[n] = 0;
        closed[n] = 0
    }
}

/* The home acquires what its page shows. */
inline acquire_own(n, p)
{
    for (w : 0 .. NODES - 1) {
        if
        :: ORDER && w != n && VERSION(n, p, w) > seen[BY(n, w)] ->
            close(n);
            acquire(n, w, VERSION(n, p, w))
        :: else
        fi
    };
    w = 0
}

/* The page gets memory, if no handler has given it some. A page that comes, or a
 * difference, may come in between. */
inline map_once(n, p)
{
    if
    :: atomic { !mapped[ON(n, p)] && KEEP(MAPPED_AT_ONCE) -> map(n, p) }
    :: !mapped[ON(n, p)] && !KEEP(MAPPED_AT_ONCE) -> atomic { map(n, p) }
    :: mapped[ON(n, p)]
    fi
}

inline fetch_page(n, p, flags)
{
    carry_goes_first(n, p);
    do
    :: atomic {
        fetching[n] = p + 1;
        again[n] = 0;
        LINK(n, home[ON(n, p)])!fetch(p, flags, n, 0, 0)
       };
       map_once(n, p);
       await(n);
       for (w : 0 .. NODES - 1) {
           if
           :: w != n && fetched[BY(n, w)] > seen[BY(n, w)] && ORDER &&
              KEEP(VERSIONS_ACQUIRED) ->
               close(n);
               acquire(n, w, fetched[BY(n, w)])
           :: else
           fi
       };
       w = 0;
       if
       :: again[n] && home[ON(n, p)] != n && KEEP(AGAIN)
       :: else -> break
       fi
    od;
    atomic {
        fetching[n] = 0;
        again[n] = 0;
        for (i : 0 .. NODES - 1) {
            fetched[BY(n, i)] = 0
        };
        i = 0
    }
}

inline begin_writing(n, p)
{
    for (i : 0 .. VARIABLES - 1) {
        if
        :: PAGE_OF(i) == p -> twin[AT(n, i)] = memory[AT(n, i)]
        :: else
        fi
    };
    i = 0;
    twinned[ON(n, p)] = 1;
    dirty[ON(n, p)] = 1
}

/*
 * A fault. The first process that writes a page becomes its home, and before that the
 * first one that reads it, if node 0 had the page. A page that is not at home here is
 * fetched; of its own page a home acquires what it has
 * not seen. If its home has changed meanwhile, the page is fetched after all.
 */
inline fault(n)
{
    atomic {
        if
        :: store && home[ON(n, p)] == n ->
            fixed[ON(n, p)] = fixed[ON(n, p)] | KEEP(WRITER_STAYS)
        :: store && home[ON(n, p)] != n && !fixed[ON(n, p)] ->
            flags = FETCH_HOME + (rights[ON(n, p)] -> FETCH_HAS_COPY : 0)
        :: !store && home[ON(n, p)] == 0 && n != 0 && !fixed[ON(n, p)] ->
            flags = FETCH_FIRST
        :: else
        fi
    };
begins:
    do
    :: home[ON(n, p)] == n -> map_once(n, p); acquire_own(n, p); own = 1; break
    :: home[ON(n, p)] != n && flags == 0 && store && rights[ON(n, p)] -> break
    :: home[ON(n, p)] != n &&
       (flags != 0 || !store || rights[ON(n, p)] == 0) ->
        fetch_page(n, p, flags);
        if
        :: home[ON(n, p)] == n -> flags = 0
        :: home[ON(n, p)] != n && flags & FETCH_HAS_COPY -> flags = 0
        :: else -> break
        fi
    od;
    do
    :: nempty(wanted[n]) -> close(n)
    :: atomic {
        empty(wanted[n]) ->
        find_unseen(n, p);
        if
        :: own && (home[ON(n, p)] != n && KEEP(HOME_STAYS) ||
                   k && KEEP(NOTHING_UNSEEN)) ->
            k = 0;
            own = 0;
            goto begins
        :: else -> k = 0
        fi;
        if
        :: store && !dirty[ON(n, p)] && home[ON(n, p)] != n ->
            begin_writing(n, p)
        :: store && home[ON(n, p)] == n && shared[ON(n, p)] ->
            dirty[ON(n, p)] = 1
        :: else
        fi;
        rights[ON(n, p)] = (store -> 2 : 1);
        own = 0;
        break
       }
    od;
    leave(n)
}

/* Serves the faults of the node's thread. */
proctype serves(byte n)
{
    byte w, p, flags;
    bit store, own;

end:
    do
    :: atomic {
        faults[n] != 0 ->
        p = (faults[n] - 1) / 2;
        store = faults[n] % 2 == 0
       };
       fault(n);
       atomic {
           p = 0;
           flags = 0;
           store = 0;
           faults[n] = 0
       }
    od
}

/* Reads a variable: value() is what the program finds. */
#define READ(n, v, value) \
    do \
    :: atomic { rights[ON(n, PAGE_OF(v))] != 0 -> value; break } \
    :: atomic { rights[ON(n, PAGE_OF(v))] == 0 -> \
                in_call[n] = 1; faults[n] = 2 * PAGE_OF(v) + 1 }; \
       faults[n] == 0 \
    od

#define WRITE(n, v, value) \
    do \
    :: atomic { rights[ON(n, PAGE_OF(v))] == 2 -> value; break } \
    :: atomic { rights[ON(n, PAGE_OF(v))] != 2 -> \
                in_call[n] = 1; faults[n] = 2 * PAGE_OF(v) + 2 }; \
       faults[n] == 0 \
    od

/* The alarm: at any time, or because a node waits for an own page. */
inline visit(n)
{
    in_call[n] = 1;
    close(n);
    leave(n)
}

/* Node n's log loses the oldest record of a writer that it may have. */
#define CAN_LOSE(n, w)  (n + 1 == FORGETFUL && floors[BY(n, w)] < seen[BY(n, w)])

inline lose(n, w)
{
    floors[BY(n, w)]++;
    kept[BY(n, w)] = (kept[BY(n, w)] < floors[BY(n, w)] -> floors[BY(n, w)]
                                                        : kept[BY(n, w)])
}

/* The log of node FORGETFUL - 1 loses the oldest record of any writer at any time. */
#define LOSES(n, w)     atomic { CAN_LOSE(n, w) -> lose(n, w) }

#if NODES == 2
#define FORGETS(n) \
    :: LOSES(n, 0) \
    :: LOSES(n, 1)
#else
#define FORGETS(n) \
    :: LOSES(n, 0) \
    :: LOSES(n, 1) \
    :: LOSES(n, 2)
#endif

#if LOCKED
/* A process gets a lock from the last one that had it. In an atomic section. */
inline get_records(n, lock)
{
    if
    :: last[lock] != NOBODY && last[lock] != n ->
        tell(last[lock], n);
        known = packed;
        gap = gaps;
        lost = lacks;
        told();
        apply(n, known, lost, gap);
        carry_take(n, lock, last[lock]);
        known = 0;
        gap = 0;
        lost = 0
    :: else
    fi
}

#if LOCKED == 2
/* The lock of allocation, which is the first one: taken and given. */
inline pass_lock(n)
{
    close(n);
    atomic {
        get_records(n, 0);
        last[0] = n
    }
}

/* A process gets the block of a variable. Node 0 takes no part in the protocol
 * when it hands out a block. */
inline get(n, v)
{
    do
    :: atomic {
        holder[v] == NOBODY ->
        holder[v] = n;
        break
       }
    :: nempty(wanted[n]) -> close(n)
    od;
    if
    :: KEEP(MALLOC_ACQUIRES) -> pass_lock(n)
    :: else
    fi
}

inline give(n, v)
{
    if
    :: KEEP(FREE_RELEASES) -> pass_lock(n)
    :: else
    fi;
    holder[v] = NOBODY
}
#else
/* A process takes the lock of a variable. */
inline get(n, v)
{
    close_for(n, v);
    atomic {
        holder[v] == NOBODY ->
        holder[v] = n;
        get_records(n, v);
        learn(n, v)
    }
}

inline give(n, v)
{
    close_for(n, v);
    atomic {
        last[v] = n;
        teach(n, v);
        holder[v] = NOBODY
    }
}
#endif

#if CARRY
/* The barrier at the end: each process sees what all have written. */
inline meet(n)
{
    met++;
    atomic {
        met == NODES ->
        unordered = 1;
        for (v : 0 .. NODES - 1) {
            if
            :: v != n ->
                tell(v, n);
                known = packed;
                gap = gaps;
                lost = lacks;
                told();
                apply(n, known, lost, gap);
                known = 0;
                gap = 0;
                lost = 0
            :: else
            fi
        };
        v = 0;
        unordered = 0;
        in_call[n] = 0;
        closed[n] = 0
    }
}

/* A visit sends what is carried to its home. */
inline show_carried(n)
{
    atomic {
        in_call[n] = 1;
        carry_show(n)
    };
    unacknowledged[n] == 0;
    leave(n)
}
#endif

/* A process reads and writes a variable that it alone has. */
inline section(n, v)
{
    in_call[n] = 1;
    get(n, v);
    leave(n);
#if CARRY == 3
    if
    :: LOOK(n, v)
    :: true
    fi;
#endif
    if
    :: (FREE < 2 || n != 1) && MAY_USE(n, v) -> READ(n, v, assert(memory[AT(n, v)] == latest[v]))
    :: FREE == 1 || FREE == 2 && n == 1
    fi;
    if
    :: (FREE < 2 || n == 0) && MAY_USE(n, v) ->
        WRITE(n, v, latest[v]++; memory[AT(n, v)] = latest[v])
    :: atomic { MAY_CARRY(n, v) && MAY_USE(n, v) && (FREE < 2 || n == 0) ->
                latest[v]++;
                carry_store(n, v, latest[v]) }
    :: FREE == 1 || FREE == 2 && n != 0
    fi;
#if CARRY == 2
    if
    :: atomic { owner[v] == 0 && (FREE < 2 || n == 0) -> owner[v] = n + 1 }
    :: true
    fi;
#endif
    in_call[n] = 1;
    give(n, v);
    leave(n)
#if CARRY == 2
    ;
    if
    :: owner[v] == n + 1 -> WRITE(n, v, latest[v]++; memory[AT(n, v)] = latest[v])
    :: true
    fi
#endif
}

proctype process(byte n)
{
    byte fuel = FUEL, v;
    short known, gap;
    bit lost;

    do
    :: fuel > 0 ->
        fuel--;
        if
        :: FREE != 0 -> v = 0
        :: FREE == 1 -> v = 1
        :: FREE == 0 -> v = n % 2
        fi;
        section(n, v);
        v = 0
    FORGETS(n)
    :: nempty(wanted[n]) -> visit(n)
#if CARRY
    :: CAN_SHOW(n, 0) || CAN_SHOW(n, 1) -> show_carried(n)
#endif
    :: fuel == 0 -> break
    od;
    in_call[n] = 1;
    close(n);                           /* and a node without a process waits */
#if CARRY
    meet(n);
    READ(n, 0, assert(memory[AT(n, 0)] == latest[0]));
    READ(n, 1, assert(memory[AT(n, 1)] == latest[1]));
#endif
end:
    do
    :: nempty(wanted[n]) -> close(n)
    od
}
#else
/*
 * Node WRITER writes data, then a flag, and is visited at any time. The others
 * read both, and one of them writes a third variable.
 */
proctype process(byte n)
{
    byte fuel = FUEL, flag, step;

    do
    :: n == WRITER && step < 2 * FUEL && step % 2 == 0 ->
        WRITE(n, 0, latest[0]++; memory[AT(n, 0)] = latest[0]);
        step++
    :: n == WRITER && step % 2 == 1 ->
        WRITE(n, 1, latest[1]++; memory[AT(n, 1)] = latest[1]);
        step++
    :: n != WRITER && fuel > 0 ->
        fuel--;
        READ(n, 1, flag = memory[AT(n, 1)]);
        READ(n, 0, assert(memory[AT(n, 0)] >= flag));
        flag = 0
    :: n != WRITER && fuel > 0 && rights[ON(n, 0)] == 0 ->
        READ(n, 0, skip)
    :: n == (WRITER == 0 -> 1 : 0) && fuel > 0 ->
        fuel--;
        WRITE(n, 2, latest[2]++; memory[AT(n, 2)] = latest[2])
    FORGETS(n)
    :: (n == WRITER && step > 0) || dirty[ON(n, 0)] || dirty[ON(n, PAGES - 1)] ||
       nempty(wanted[n]) ->
        visit(n)
    :: atomic {                         /* a visit forgets copies */
        n != WRITER && rights[ON(n, PAGE_OF(1))] == 1 &&
        home[ON(n, PAGE_OF(1))] != n && !dirty[ON(n, PAGE_OF(1))] ->
        rights[ON(n, PAGE_OF(1))] = 0
       }
    :: n == WRITER && step == 2 * FUEL || n != WRITER && fuel == 0 -> break
    od;
    in_call[n] = 1;
    close(n);
end:
    do
    :: nempty(wanted[n]) -> close(n)
    od
}
#endif
