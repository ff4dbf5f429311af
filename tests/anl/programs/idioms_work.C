/*
 * What each process of idioms.C does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include "idioms.h"

EXTERN_ENV

static int MyNum;               /* each process's own */

char *Alloc(size)
    long size;
{
    char *block;

    block = (char *) G_MALLOC(size)
    return block;
}

/* A parameter that is passed as a double. */
float half(number)
    float number;
{
    return number / 2;
}

make_items(me)
    int me;
{
    Item *item;
    int k, list;

    for (k = 0; k < ITEMS; k++) {
        item = (Item *) Alloc(sizeof(Item));
        item->value = 10 * me + k;
        list = item->value % LISTS;
        LOCKINIT(item->lock)
        ALOCK(Global->list_locks, list)
        item->next = Global->lists[list];
        Global->lists[list] = item;
        AULOCK(Global->list_locks, list)
        LOCK(Global->nested[k].inner) LOCK(bigs[k % 4].lock)
        bigs[k % 4].count++;
        bigs[k % 4].cell[699] += 1;
        Global->nested[k].count[k]++;
        UNLOCK(bigs[k % 4].lock) UNLOCK(Global->nested[k].inner)
    }
}

/* A flag, then a word that is no variable of the library's. */
meet_by_flags(me)
    int me;
{
    if (me == 0) {
        SETPAUSE(Global->flags[3], 2);
        Global->busy = 1;
    } else {
        WAITPAUSE(Global->flags[3], 2);
        while (!Global->busy)
            ;
    }
}

void SlaveStart()
{
    int i, j, count, me, next;
    unsigned before, after;
    Item *item;

    LOCK(Global->idlock)
        me = Global->id;
        Global->id++;
    UNLOCK(Global->idlock)
    MyNum = me;
    next = (me + 1) % P;
    BARRIER(Global->start, P);
    CLOCK(before)
    for (i = me; i < N; i += P)
        for (j = 0; j < N; j++) {
            rows[i][j] = i + j;
            aligned[i * N + j] = i * j;
        }
    Global->mixed[me].low = me & 7;
    Global->mixed[me].high = 3;
    strcpy(Global->mixed[me].tag, "ab");
    Global->mixed[me].number = -me;
    Global->mixed[me].value.d = half((float) me);
    Global->letters[me] = 'A' + me;
    BARRIER(Global->start, P) BARRIER(Global->start, P);
    BARRIER(Global->done, P)
    make_items(me);
    meet_by_flags(me);
    BARRIER(Global->done, P)
    for (i = 0, count = 0; i < LISTS; i++) {
        for (item = Global->lists[i]; item; item = item->next)
            count++;
        count += bigs[i].count;
    }
    count += Global->letters[next] == 'A' + next && Global->mixed[next].number == -next;
    LOCK(Global->idlock)
        Global->checks += count == 2 * ITEMS * P + 1 && MyNum == me;
        Global->total += Global->mixed[next].value.d;
    UNLOCK(Global->idlock)
    CLOCK(after)
    Global->times[MyNum] = after - before;
    if (me & 1 && getpid() != first_pid)
        exit(0);
}
