/*
 * shm-forgotten HOW PAGES [LEFT]: the log of intervals has room for 61 pages of one, so an
 * interval with more is forgotten at once. The other processes have seen all intervals
 * but this one: they must find what it has written all the same. They wait for it at a
 * lock (HOW: "lock") or at a barrier ("barrier"). With LEFT, there are LEFT small
 * intervals before it that they have not seen either.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shm.h"
#include "udm.h"

#define MOST    80

uint32_t shm_log_words = 128;   /* in place of the library's: two halves */

static struct {
    int page[MOST][1024];
    int wrong;
} *s;
static struct shm_lock gate, other;
static struct shm_barrier barrier;
static int count, pages, left;
static bool by_barrier;

static void write_pages(void)
{
    uint64_t start = udm_cycles();

    while (udm_cycles() - start < 200000) {     /* the others come to wait */
    }
    for (int k = 0; k < left; k++) {
        shm_lock(&other);
        s->page[0][1] = k;
        shm_unlock(&other);
    }
    for (int k = 0; k < pages; k++) {
        s->page[k][0] = 1;
    }
}

static void work(void)
{
    int old = 0, wrong = 0;

    for (int k = 0; k < MOST; k++) {
        old += s->page[k][0];           /* copies */
    }
    if (shm_node() == 0 && !by_barrier) {
        shm_lock(&gate);
    }
    shm_barrier(&barrier, count);
    if (shm_node() == 0) {
        write_pages();
    }
    if (by_barrier) {
        shm_barrier(&barrier, count);
    } else if (shm_node()) {
        shm_lock(&gate);
    }
    for (int k = 0; k < MOST; k++) {
        wrong += s->page[k][0] != (k < pages);
    }
    if (by_barrier) {
        shm_lock(&gate);
    }
    s->wrong += wrong + old;
    shm_unlock(&gate);
}

int main(int argc, char **argv)
{
    count = shm_nodes();
    by_barrier = argc > 1 && !strcmp(argv[1], "barrier");
    pages = argc > 2 ? atoi(argv[2]) : 0;
    left = argc > 3 ? atoi(argv[3]) : 0;
    if (pages < 1 || pages > MOST) {
        return 2;
    }
    s = shm_malloc(sizeof(*s));
    for (int k = 1; k < count; k++) {
        shm_create(work);
    }
    work();
    shm_wait_for_end(count - 1);
    printf("forgotten: %d wrong\n", s->wrong);
    return s->wrong != 0;
}
