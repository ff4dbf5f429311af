/*
 * Logs of intervals that get full.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cases.h"

/*
 * Locks alone: process 0 ends so many intervals, with so many pages that are not
 * neighbours, that its log gets full. The record of a page that it wrote first
 * is lost with it. The others wait for a lock meanwhile, with old copies.
 */
#define SECTIONS 500

static struct shm_lock gate;
static bool log_barrier;        /* the others wait at a barrier instead */

/* Waits until s->sum has reached a number. */
static void log_wait(int sum)
{
    for (bool reached = false; !reached;) {
        shm_lock(&lock);
        reached = s->sum >= sum;
        shm_unlock(&lock);
    }
}

static void log_write(void)
{
    for (int section = 1; section <= SECTIONS; section++) {
        shm_lock(&s->locks[0]);
        if (section == 1) {
            s->page[1][0] = section;
        }
        for (int k = 0; k < MOST; k += 2) {
            s->page[k][0] = section;
        }
        shm_unlock(&s->locks[0]);
    }
}

static void log_work(void)
{
    struct shm_statistics now;
    int me = self(), old = 0, got;

    if (me == 0) {
        shm_lock(&gate);
    }
    shm_lock(&lock);
    for (int k = 0; k < MOST; k++) {
        old += s->page[k][0];
    }
    s->sum++;
    shm_unlock(&lock);
    log_wait(count);
    if (me == 0) {
        pause_for(1000000);             /* they come to wait */
        log_write();
        shm_unlock(&gate);
        shm_statistics(&now);
        printf("log: %u barriers, %u collections\n", now.barriers,
               now.collections);
        if (log_barrier) {
            shm_barrier(&barrier, count);
        }
        return;
    }
    if (log_barrier) {
        shm_barrier(&barrier, count);
    } else {
        shm_lock(&gate);
    }
    got = s->page[1][0];        /* at once: no visit comes before */
    if (!log_barrier) {
        shm_unlock(&gate);
    }
    expect(old, 0);
    expect(got, 1);
    expect(s->page[0][0], SECTIONS);
}

void case_log(void)
{
    all(log_work);
}

void case_log_barrier(void)
{
    log_barrier = true;
    all(log_work);
}

static uint64_t told_late;      /* the cycle at which node 3 sets its flag */

/*
 * A home whose log has got full sends a page that node 1 has written before.
 * Node 2, which has an old copy of another page, must acquire from node 1 all
 * the same. Node 2 waits meanwhile for node 3, which knows of nothing.
 */
static void log_flag_work(void)
{
    struct shm_statistics now;
    int old = 0;

    for (int k = 0; k < MOST; k++) {
        old += s->page[k][0];           /* so that node 0's writes are noted */
    }
    if (shm_node() == 1) {
        shm_flag_wait(&flag[3]);
        s->page[0][0] = 1;
        s->busy = 1;
        shm_flag_set(&flag[0]);
    } else if (shm_node() == 2) {
        shm_flag_set(&flag[2]);
        shm_flag_set(&flag[3]);
        shm_flag_wait(&flag[1]);
        old += s->busy;                 /* at once: no visit comes before */
        /* Volatile, or the compiler may read it before s->busy. */
        expect(old + *(volatile int *)&s->page[0][0], 2);
    } else if (shm_node() == 3) {
        shm_flag_wait(&flag[2]);
        compute_until(told_late);
        shm_flag_set(&flag[1]);
    } else if (shm_node() == 0) {
        shm_flag_wait(&flag[0]);
        do {
            shm_lock(&lock);
            for (int k = 2; k < MOST; k += 2) {
                s->page[k][1]++;
            }
            shm_unlock(&lock);
            shm_statistics(&now);
        } while (now.collections == 0);
        expect(udm_cycles() < told_late, 1);
    }
}

void case_log_flag(void)
{
    told_late = udm_cycles() + 120000000;
    all(log_flag_work);
}
