/*
 * A number that a handler and the program both change, with a race: the
 * program loads it, calls a function, and stores what that returns. A handler
 * may come in between, and what it has added is lost.
 *
 *     lost [MESSAGES]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "udm.h"

static volatile unsigned sum, came;

static void add(void)
{
    sum += udm_arg(0);
    udm_dispose();
    came++;
}

/* With SECTION, the program changes the number in a section, and there is no race. */
#ifdef SECTION
#define BEGIN() udm_beginatom()
#define END()   udm_endatom()
#else
#define BEGIN()
#define END()
#endif

static unsigned __attribute__((noinline)) moved(unsigned value, int by)
{
    return value + by;
}

int main(int argc, char **argv)
{
    unsigned messages = argc > 1 ? (unsigned)atoi(argv[1]) : 12;

    if (udm_node() > 0) {
        for (unsigned k = 0; k < messages; k++) {
            udm_inject(0, add, 1);
            for (volatile unsigned work = 0; work < 100; work++) {
            }
        }
        return 0;
    }
    while (came < messages * (udm_nodes() - 1)) {
        for (volatile unsigned work = 0; work < 30; work++) {
        }
        BEGIN();
        sum = moved(sum, 1000);
        sum = moved(sum, -1000);
        END();
    }
    printf("%u\n", sum);
    return 0;
}
