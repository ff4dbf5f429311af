/*
 * Writes of several processes to one page, and the first accesses of a page while
 * others write it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>

#include "cases.h"

/* Neighbouring bytes of different processes. */
static void byte_work(void)
{
    int me = self();

    for (int round = 1; round < 5; round++) {
        for (unsigned k = me; k < sizeof(s->bytes); k += count) {
            s->bytes[k] = round + k % 7;
        }
        shm_barrier(&barrier, count);
        for (unsigned k = 0; k < sizeof(s->bytes); k++) {
            expect(s->bytes[k], (char)(round + k % 7));
        }
        shm_barrier(&barrier, count);
    }
}

void case_bytes(void)
{
    all(byte_work);
}

/*
 * The home touches a page for the first time, and so gives it memory, while
 * another process's difference comes: page by page a little later. The first
 * word of each page is the one that may not be cleared again.
 */
#define TOUCHES         200
#define TOUCH_STEP      100     /* cycles, from page to page */
#define TOUCH_PERIOD    90000
#define TOUCH_RELEASE   30000   /* when the other process has its twin */

static volatile int (*touched)[1024];
static uint64_t touch_start;

static void touch_away(void)
{
    for (int k = 0; k < TOUCHES; k++) {
        uint64_t at = touch_start + k * TOUCH_PERIOD;

        shm_lock(&s->locks[0]);
        compute_until(at);
        touched[k][0] = k + 1;
        compute_until(at + TOUCH_RELEASE);
        shm_unlock(&s->locks[0]);
    }
}

void case_first_touch(void)
{
    touched = shm_malloc(TOUCHES * sizeof(*touched));
    touch_start = udm_cycles() + 2 * TOUCH_PERIOD;
    if (count == 1) {
        return;
    }
    shm_create(touch_away);
    for (int k = 0; k < TOUCHES; k++) {
        compute_until(touch_start + k * TOUCH_PERIOD + TOUCH_RELEASE +
                      k * TOUCH_STEP);
        expect(touched[k][1], 0);
    }
    shm_wait_for_end(1);
    for (int k = 0; k < TOUCHES; k++) {
        expect(touched[k][0], k + 1);
    }
}

/*
 * Each process writes a byte in each line of the same pages, in the same
 * intervals: all of the page changes, but it is no process's alone. So a home
 * must not take the page whole from a process that lacks another one's bytes.
 */
#define WOVEN   12
#define LINE    16

static char woven(int page, int byte, int round)
{
    return (page + byte + 7 * round) % 100 + 1;
}

static void weave_work(void)
{
    int me = self();

    for (int round = 1; round <= 4; round++) {
        shm_barrier(&barrier, count);
        for (int k = 0; k < WOVEN; k++) {
            char *page = (char *)s->page[(me + k) % WOVEN];

            for (int byte = me; byte < 4096; byte += LINE) {
                page[byte] = woven((me + k) % WOVEN, byte, round);
            }
        }
        if (me % 2 == 0) {              /* the others release, this one not */
            pause_for(50000);
        }
        shm_barrier(&barrier, count);
        for (int k = 0; k < WOVEN; k++) {
            const char *page = (const char *)s->page[k];

            for (int byte = 0; byte < 4096; byte++) {
                if (byte % LINE < count && page[byte] != woven(k, byte, round)) {
                    expect(page[byte], woven(k, byte, round));
                }
            }
        }
    }
}

void case_weave(void)
{
    all(weave_work);
}

/*
 * Node 0 reads a page for the first time while another process's write takes the
 * page's home away, page by page a little later. Node 0 must hear of the second
 * write.
 */
#define TAKEN           400
#define TAKEN_STEP      10
#define TAKEN_PERIOD    60000
#define TAKEN_EARLIEST  2000    /* cycles by which node 0 is ahead at first */

static void taken_work(void)
{
    bool writer = shm_node() == 1;

    shm_barrier(&barrier, count);
    for (int k = 0; k < TAKEN; k++) {
        uint64_t at = touch_start + k * TAKEN_PERIOD;

        if (writer) {
            compute_until(at + TAKEN_EARLIEST);
            touched[k][0] = 1;
        } else if (shm_node() == 0) {
            compute_until(at + k * TAKEN_STEP);
            expect(touched[k][1], 0);
        }
    }
    shm_barrier(&barrier, count);
    for (int k = 0; writer && k < TAKEN; k++) {
        touched[k][0] = 2;
    }
    shm_barrier(&barrier, count);
    for (int k = 0; k < TAKEN; k++) {
        expect(touched[k][0], 2);
    }
}

void case_first_read(void)
{
    touched = shm_malloc(TAKEN * sizeof(*touched));
    touch_start = udm_cycles() + count * 10 * TAKEN_PERIOD;
    if (count > 1) {
        all(taken_work);
    }
}

/*
 * A page that only the first process has written. All others write it at the
 * same cycle, while node 0 takes no message. One of them becomes the home, and
 * node 0 has the requests of all when it answers the first one.
 */
static void first_writers_work(void)
{
    int *page = s->page[5];

    shm_barrier(&barrier, count);
    for (int round = 1; round <= 3; round++) {
        uint64_t start;

        shm_barrier(&barrier, count);
        start = ((udm_cycles() >> 17) + 1) << 17;

        if (shm_node() == 0) {
            compute_until(start - 1000);
            udm_beginatom();
            compute_until(start + 9000);
            udm_endatom();
        } else {
            compute_until(start);
            page[500 + shm_node()] = round;
        }
        shm_barrier(&barrier, count);
        for (int p = 1; p < count; p++) {
            expect(page[500 + p], round);
        }
        expect(page[0], 77);
        shm_barrier(&barrier, count);
    }
}

void case_first_writers(void)
{
    for (int k = 0; k < 1024; k++) {
        s->page[5][k] = 77;
    }
    all(first_writers_work);
}
