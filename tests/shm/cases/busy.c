/*
 * Flags in plain shared memory: a process reads one until another process has
 * written it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>

#include "cases.h"

/* Spins on plain memory; what was written before must be seen. */
static void busy_work(void)
{
    int me = self();

    for (int round = 1; round <= 3; round++) {
        if (me == 0) {
            for (int k = 0; k < 4096; k += 100) {
                s->data[k] = round;
            }
            s->busy = round;
        } else {
            while (s->busy != round) {
            }
            for (int k = 0; k < 4096; k += 100) {
                expect(s->data[k], round);
            }
        }
        shm_barrier(&barrier, count);
    }
}

void case_busy(void)
{
    all(busy_work);
}

/* No process calls anything: each answers the first one's flag by its own. */
static void busy_exchange_work(void)
{
    volatile int *by = s->by;
    int me = self();

    shm_barrier(&barrier, count);
    for (int round = 1; round <= 4; round++) {
        if (me == 0) {
            s->data[2048] = round;      /* on another page */
            s->busy = round;
            for (int k = 1; k < count; k++) {
                while (by[k] != round) {
                }
            }
        } else {
            while (s->busy != round) {
            }
            expect(s->data[2048], round);
            by[me] = round;
        }
    }
}

void case_busy_exchange(void)
{
    all(busy_exchange_work);
}

/* The same, while each process locks a lock that no other one asks for. */
static void busy_locks_work(void)
{
    static struct shm_lock own[MOST];
    int me = self();

    for (int round = 1; round <= 3; round++) {
        if (me == 0) {
            s->data[0] = round;
            s->busy = round;
        }
        for (bool seen = false; !seen;) {
            shm_lock(&own[me]);
            seen = s->busy == round;
            shm_unlock(&own[me]);
        }
        expect(s->data[0], round);
        shm_barrier(&barrier, count);
    }
}

void case_busy_locks(void)
{
    all(busy_locks_work);
}

#define FLAG_TIME       300000
#define LATE_TIME       200000  /* 20 times what a visit costs that finds nothing */

static uint64_t flag_start;     /* when node 2 lets node 1 go */
/*
 * Node 0 writes data and then a flag, both at home, and goes on without a call.
 * Node 1 has an old copy of the data, and none of the flag. A page that node 0
 * has written goes to it when the interval has ended, so what was written before
 * the flag comes with it. For 3 nodes.
 */
static void open_page_work(void)
{
    volatile int *data = s->page[2], *written = s->page[3];

    if (shm_node() == 0) {
        shm_flag_wait(&flag[0]);
        compute_until(flag_start - FLAG_TIME);
        *data = 1;
        *written = 1;
        pause_for(2 * FLAG_TIME);
    } else if (shm_node() == 1) {
        int seen = *data;

        shm_flag_set(&flag[0]);
        shm_flag_wait(&flag[1]);
        seen += *written;          /* at once: no visit comes before */
        expect(seen + *data, 2);
    } else {
        compute_until(flag_start);
        shm_flag_set(&flag[1]);
    }
}

/*
 * Node 1 is in a call when its alarm comes, and has an old copy of a flag
 * afterwards. It sees the flag when its next visit is due. For 3 nodes.
 */
static void late_alarm_work(void)
{
    uint64_t written = flag_start + FLAG_TIME;
    int before;

    if (shm_node() == 0) {
        compute_until(written);
        s->busy = 1;
        pause_for(2 * FLAG_TIME);
    } else if (shm_node() == 1) {
        shm_flag_wait(&flag[1]);
        before = s->busy;
        while (!s->busy) {
        }
        expect(before, 0);
        expect(udm_cycles() < written + LATE_TIME, 1);
    } else {
        compute_until(flag_start);
        shm_flag_set(&flag[1]);
    }
}

/*
 * All processes but the first read pages of node 0, which take long because they ask
 * at the same time, until they see a flag. Node 0 sets it in the midst of that.
 */
#define READ_PAGES      1000

static volatile int (*read_pages)[1024], *stop;
static volatile uint32_t *stop_set;     /* by node 0: the low word of the cycle */

static void readers_work(void)
{
    int sum = *stop;

    shm_barrier(&barrier, count);
    if (shm_node() == 0) {
        pause_for(1000000);
        *stop_set = udm_cycles();
        *stop = 1;
    } else {
        for (int k = 0; !*stop && k < READ_PAGES; k++) {
            sum += read_pages[(k + shm_node() * 7) % READ_PAGES][0];
        }
        while (!*stop) {
        }
        expect((uint32_t)udm_cycles() - *stop_set <
               SHM_VISIBLE + 2 * SHM_VISIBLE_LATER, 1);
    }
    shm_barrier(&barrier, count);
    expect(sum >= 0, 1);
}

void case_readers(void)
{
    read_pages = shm_malloc(READ_PAGES * sizeof(*read_pages));
    stop = shm_malloc(4096);
    stop_set = (volatile uint32_t *)(stop + 1);
    for (int k = 0; k < READ_PAGES; k++) {
        read_pages[k][0] = 1;
    }
    all(readers_work);
}

void case_open_page(void)
{
    flag_start = udm_cycles() + 10000000;
    all(open_page_work);
}

void case_late_alarm(void)
{
    flag_start = udm_cycles() + 10000000;
    all(late_alarm_work);
}
