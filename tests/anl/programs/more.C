/*
 * The other half of macros.C: locks, barriers, flags and subscripts, with three
 * processes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "macros.h"

EXTERN_ENV

struct global *global;
int failures;

init()
{
    int i;

    LOCKINIT(global->lock)
    NLOCKINIT(global->nlock);
    ALOCKINIT(global->locks, LOCKS)
    for (i = 0; i < LOCKS; i++)
        LOCKINIT(global->nested[i].inner)
    BARINIT(global->barrier)
    BARINIT(global->barrier, 3);
    PAUSEINIT(global->flag)
    PAUSEINIT(global->flags, 4);
    for (i = 0; i < 3; i++)
        PAUSEINIT(global->rows[i], 2)
    GSINIT(global->subscript)
    NU_GSINIT(global->near);
}

locks()
{
    int i;

    for (i = 0; i < LOCKS; i++) {
        LOCK(global->nested[i].inner)
        ALOCK(global->locks, i)
        global->nested[i].count++;
        LOCK(AGETL(global->locks, (i + 1) % LOCKS))
        global->sums[i] += i;
        UNLOCK(AGETL(global->locks, (i + 1) % LOCKS))
        AULOCK(global->locks, i)
        UNLOCK(global->nested[i].inner)
        BARRIER(global->barrier, 3)
        BARRIER(global->barrier, 3);
    }
    ALOCK(global->locks, LOCKS - 1)
    AUNLOCK(global->locks, LOCKS - 1)
}

numbers()
{
    int i, sum = 0, turn;

    for (turn = 0; turn < 2; turn++) {
        do {
            GETSUB(global->subscript, i, 10, 3)
            sum += i;
        } while (i >= 0);
    }
    for (;;) {
        NU_GETSUB(global->near, i, 4, 3);
        if (i < 0)
            break;
        sum += 1000 * i;
    }
    LOCK(global->lock)
    global->sum += sum;
    UNLOCK(global->lock)
}

flags()
{
    int me;

    GET_HOME(me)
    if (me == 0) {
        SETPAUSE(global->flag)
        SETPAUSE(global->flags, 3)
        SETPAUSE(global->rows[2])
        SETPAUSE(global->rows[2], 1)
    } else {
        WAITPAUSE(global->flag)
        WAITPAUSE(global->flags, 3)
        WAITPAUSE(global->rows[2])
        WAITPAUSE(global->rows[2], 1)
    }
    BARRIER(global->barrier, 3)
    if (me == 0) {
        CLEARPAUSE(global->flag)
        CLEARPAUSE(global->flags, 3)
    }
    EVENT(global->flags, 1)
    global->turn++;
    PAUSE(global->flags, 1)
    BARRIER(global->barrier, 3)
    if (me == 0) {
        EVENT(global->flag)
    } else {
        PAUSE(global->flag)
        global->seen++;
        SETPAUSE(global->flag)
    }
}

together()
{
    locks();
    numbers();
    flags();
}

synchronise()
{
    int i, j;

    for (i = 0; i < 2; i++)
        CREATE(together)
    together();
    WAIT_FOR_END(2)
    for (i = j = 0; i < LOCKS; i++)
        j += global->sums[i] == 3 * i && global->nested[i].count == 3;
    right(j == LOCKS, "LOCK, ALOCK, AGETL, BARRIER");
    right(global->sum == 2 * 55 + 10000 - 2 * 3, "GETSUB, NU_GETSUB");
    right(global->turn == 3 && global->seen == 2, "PAUSE, EVENT");
}
