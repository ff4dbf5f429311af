/*
 * shm-counts: what shm_statistics() says of pages that node 1 writes and whose home is
 * node 0, for each way in which a difference may go. Prints a line "counts CASE: ..."
 * for each page. Machine: 2 nodes, --shm-visits off.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "shm.h"
#include "udm.h"

#define WORDS   1024            /* of a page */

/* So many words of a page, every STEP-th from FIRST. */
static const struct {
    const char *name;
    unsigned words, first, step;
} cases[] = {
    { "one", 1, 1023, 1 },
    { "last-few", 16, 504, 1 },
    { "first-half", 17, 0, 1 },
    { "second-half", 17, 512, 1 },
    { "both", 17, 496, 1 },
    { "most-lines", 127, 0, 4 },
    { "half-the-lines", 128, 0, 4 },
    { "whole", 1024, 0, 1 },
};

#define CASES   (sizeof(cases) / sizeof(cases[0]))

static volatile uint32_t (*page)[WORDS];
static struct shm_barrier barrier;

static void meet(void)
{
    shm_barrier(&barrier, 2);
}

static void write_case(unsigned k)
{
    struct shm_statistics before, after;

    shm_statistics(&before);
    for (unsigned w = 0; w < cases[k].words; w++) {
        page[k][cases[k].first + w * cases[k].step] = 1000 + w;
    }
    meet();
    shm_statistics(&after);
    printf("counts %s: %u read faults, %u fetches, %u write faults, %u twins, "
           "%u differences, %lu bytes, %u barriers\n", cases[k].name,
           after.read_faults - before.read_faults, after.fetches - before.fetches,
           after.write_faults - before.write_faults, after.twins - before.twins,
           after.differences - before.differences,
           (unsigned long)(after.difference_bytes - before.difference_bytes),
           after.barriers - before.barriers);
}

/* Node 0: all of a page as it should be. */
static void check_case(unsigned k)
{
    uint32_t wrong = 0;

    for (unsigned at = 0; at < WORDS; at++) {
        unsigned w = (at - cases[k].first) / cases[k].step;
        bool written = at >= cases[k].first && w < cases[k].words &&
                       (at - cases[k].first) % cases[k].step == 0;

        wrong += page[k][at] != (written ? 1000 + w : at == 1 ? 7 : 0);
    }
    printf("counts %s: %lu words wrong\n", cases[k].name, (unsigned long)wrong);
}

static void work(void)
{
    meet();
    for (unsigned k = 0; k < CASES && shm_node() == 0; k++) {
        page[k][1] = 7;
    }
    meet();
    for (unsigned k = 0; k < CASES; k++) {
        if (shm_node() == 1) {
            write_case(k);
        } else {
            meet();
            check_case(k);
        }
        meet();
    }
}

int main(void)
{
    shm_init();
    page = shm_malloc(CASES * sizeof(*page));
    shm_create(work);
    work();
    shm_wait_for_end(1);
    return 0;
}
