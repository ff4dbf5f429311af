/*
 * Locks, barriers, flags and shm_getsub(): a process that leaves one of these calls
 * finds what others wrote before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>

#include "cases.h"

static void lock_work(void)
{
    int me = self();

    for (int k = 0; k < 50; k++) {
        shm_lock(&lock);
        s->sum++;
        s->page[k % MOST][me]++;
        shm_unlock(&lock);
    }
}

void case_locks(void)
{
    int pages = 0;

    all(lock_work);
    expect(s->sum, 50 * count);
    for (int k = 0; k < MOST; k++) {
        for (int p = 0; p < count; p++) {
            pages += s->page[k][p];
        }
    }
    expect(pages, 50 * count);
    expect(s->next, count);
}

/* Every process writes its part, then reads all of the last round. */
static void barrier_work(void)
{
    int me = self();

    for (int round = 1; round <= 6; round++) {
        for (int k = 0; k < MOST; k++) {
            s->page[k][me] = round * 1000 + k + me;
        }
        shm_barrier(&barrier, count);
        for (int k = 0; k < MOST; k++) {
            for (int p = 0; p < count; p++) {
                expect(s->page[k][p], round * 1000 + k + p);
            }
        }
        shm_barrier(&barrier, count);
    }
}

void case_barriers(void)
{
    all(barrier_work);
}

static void take_work(void)
{
    int me = self();

    if (me == 0) {
        for (int k = 1; k < count; k++) {
            shm_flag_set(&flag[2]);
            shm_flag_take(&flag[3]);
        }
    } else {
        shm_flag_take(&flag[2]);
        s->by[2]++;
        shm_flag_set(&flag[3]);
    }
}

static void put_work(void)
{
    int me = self();

    if (me == 0) {
        s->by[0] = 1;
        shm_flag_set(&flag[0]);
    } else {
        shm_flag_wait(&flag[0]);
        expect(s->by[0], 1);
        shm_flag_put(&flag[1]);
        s->sum += me;
        shm_flag_clear(&flag[1]);
    }
}

void case_flags(void)
{
    all(put_work);
    expect(s->sum, count * (count - 1) / 2);
    expect(shm_flag_test(&flag[0]), 1);
    shm_flag_init(&flag[0]);
    expect(shm_flag_test(&flag[0]), 0);
    s->next = 0;
    all(take_work);
    expect(s->by[2], count - 1);
}

static struct shm_counter counter;

static void getsub_work(void)
{
    for (int round = 0; round < 3; round++) {
        int got;

        while ((got = shm_getsub(&counter, MOST - 1, count)) >= 0) {
            s->page[got][0]++;
        }
        for (int k = 0; k < MOST; k++) {
            expect(s->page[k][0], round + 1);
        }
        shm_barrier(&barrier, count);
    }
}

void case_getsub(void)
{
    all(getsub_work);
}

static struct shm_barrier few[2];

static void some_work(void)
{
    int me = self(), half = me & 1, members = (count + 1 - half) / 2;

    for (int round = 1; round < 10; round++) {
        s->page[me][round] = round;
        shm_barrier(&few[half], members);
        for (int p = half; p < count; p += 2) {
            expect(s->page[p][round], round);
        }
        shm_lock(&lock);
        s->sum++;
        shm_unlock(&lock);
    }
}

void case_some(void)
{
    all(some_work);
    expect(s->sum, 9 * count);
}

/*
 * All processes come to a barrier of half of them: it lets them go in two lots. Each
 * finds what as many processes have written as the barrier is of. Each barrier is new
 * once: it becomes flat while some nodes have gathered arrivals.
 */
static void lots_work(void)
{
    static struct shm_barrier new[4];
    static struct shm_lock own[MOST];
    int me = self(), half = count / 2;

    for (int round = 1; round <= 8; round++) {
        uint64_t start = ((udm_cycles() >> 18) + 1) << 18;
        int seen = 0;

        if (round <= 4) {               /* at once, with nothing to release */
            compute_until(start);
            shm_lock(&own[me]);
            s->page[me][0] = round;
            shm_unlock(&own[me]);
            compute_until(start + 50000);
        } else {
            pause_for(me * round % 5 * 3000);
            s->page[me][0] = round;
        }
        if (me < 2 * half) {
            shm_barrier(&new[round % 4], half);
            for (int p = 0; p < count; p++) {
                seen += s->page[p][0] == round;
            }
            expect(seen >= half, 1);
        }
        shm_barrier(&barrier, count);
    }
}

void case_lots(void)
{
    all(lots_work);
}

/*
 * Nodes 0 and 1 meet at a barrier of two, then nodes 1 and 2. Node 2 has an old copy
 * of what node 0 has written, and was not visited in between. For 3 nodes.
 */
static void stranger_work(void)
{
    volatile int *data = s->page[1];
    struct shm_statistics now;
    unsigned visits;
    uint64_t start;

    if (shm_node() == 2) {
        expect(*data, 0);
        shm_statistics(&now);
        visits = now.visits;
        while (now.visits == visits) {
            shm_statistics(&now);
        }
        start = udm_cycles();
        shm_flag_set(&flag[0]);
        compute_until(start + 50000);
    } else if (shm_node() == 0) {
        shm_flag_wait(&flag[0]);
        *data = 1;
        shm_barrier(&few[0], 2);
        return;
    } else {
        shm_barrier(&few[0], 2);
    }
    shm_barrier(&few[0], 2);
    expect(*data, 1);
}

void case_stranger(void)
{
    all(stranger_work);
}

/*
 * Node 1's process writes a page, and node 2's sees it over a lock. Then those of
 * nodes 2 and 3 meet at a barrier, so node 3's sees it too, although the writer is
 * not there. It passes that on to node 0's over a lock.
 */
static void chain_work(void)
{
    int me = shm_node(), old = 0;

    for (int k = 0; k < 8; k++) {
        old += s->page[k][0];           /* all have copies */
    }
    shm_barrier(&barrier, count);
    for (int round = 1; round <= 4; round++) {
        if (me == 1) {
            shm_lock(&lock);
            s->page[round][0] = round;
            s->busy = 3 * round + 1;
            shm_unlock(&lock);
        }
        for (bool turn = me == 1; !turn && me <= 3;) {
            shm_lock(&lock);
            turn = s->busy >= 3 * round + (me == 2 ? 1 : me == 0 ? 2 : 0);
            shm_unlock(&lock);
        }
        if (me == 2 || me == 3) {
            shm_barrier(&few[0], 2);
            expect(s->page[round][0], round);
        }
        if (me == 3) {
            shm_lock(&lock);
            s->busy = 3 * round + 2;
            shm_unlock(&lock);
        }
        expect(me ? round : s->page[round][0], round);
        shm_barrier(&barrier, count);
    }
    expect(old, 0);
}

void case_chain(void)
{
    if (count >= 4) {
        all(chain_work);
    }
}
