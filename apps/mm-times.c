/*
 * Times of messages of the M-Machine's interface.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mm-times.h"
#include "udm.h"

#define ONE_MORE        asm volatile ("nop")

void times_vary(uint32_t try)
{
    switch (try % 8) {
    case 7:
        ONE_MORE;
        /* fall through */
    case 6:
        ONE_MORE;
        /* fall through */
    case 5:
        ONE_MORE;
        /* fall through */
    case 4:
        ONE_MORE;
        /* fall through */
    case 3:
        ONE_MORE;
        /* fall through */
    case 2:
        ONE_MORE;
        /* fall through */
    case 1:
        ONE_MORE;
    }
}

void times_add(struct times *times, uint32_t took)
{
    if (times->tries++ < TIMES_WARM_UP) {
        return;
    }
    if (!times->count++ || took < times->least) {
        times->least = took;
        times->as_least = 0;
    }
    times->as_least += took == times->least;
    times->most = took > times->most ? took : times->most;
    times->sum += took;
}

void times_print(const char *what, const struct times *times)
{
    printf("%s: %lu cycles in %lu of %lu, at most %lu, %.1f on average\n", what,
           (unsigned long)times->least, (unsigned long)times->as_least,
           (unsigned long)times->count, (unsigned long)times->most,
           (double)times->sum / times->count);
}

/* Ends the program. Node 0 says why. */
static void refuse(const char *app, const char *what, uint32_t number,
                   const char *after)
{
    if (udm_node() == 0) {
        fprintf(stderr, "%s: %s%lu%s\n", app, what, (unsigned long)number,
                after);
    }
    exit(2);
}

uint32_t times_number(const char *word)
{
    uint32_t value = 0;

    for (const char *c = word; *c || c == word; c++) {
        if (*c < '0' || *c > '9' || value > (UINT32_MAX - 9) / 10) {
            return UINT32_MAX;
        }
        value = 10 * value + *c - '0';
    }
    return value;
}

void times_share(const char *app, struct mm_shared *shared,
                 volatile void *memory, uint32_t bytes)
{
    int32_t result = mm_share(shared, 0, memory, bytes);

    if (result < 0) {
        fprintf(stderr, "%s: node %lu cannot share %lu bytes: %s\n", app,
                (unsigned long)udm_node(), (unsigned long)bytes,
                strerror(-result));
        exit(1);
    }
}

uint32_t times_argument(const char *app, int argc, char **argv, uint32_t most,
                        uint32_t nodes)
{
    uint32_t times = argc > 1 ? times_number(argv[1]) : 1000;

    if (argc > 2 || times < 1 || times > most) {
        refuse(app, "its argument is TIMES, 1 to ", most, "");
    }
    if (udm_nodes() < nodes) {
        refuse(app, "it needs ", nodes, " nodes");
    }
    return times + TIMES_WARM_UP;
}
