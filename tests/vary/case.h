/*
 * What races.c and ordered.c share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CASE_H
#define CASE_H

#include <stdio.h>
#include <string.h>

#include "udm-collective.h"
#include "udm-thread.h"
#include "udm.h"

enum { WORDS = 8, ROUNDS = 6 };

static volatile unsigned came, word, other;
static volatile unsigned buffer[2][WORDS];

/* A case by its name. */
struct one_case {
    const char *name;
    void (*run)(void);
};

static inline void work(unsigned amount)
{
    for (volatile unsigned k = 0; k < amount; k++) {
    }
}

/* A handler that counts its message. */
static inline void comes(void)
{
    udm_dispose();
    came++;
}

static inline void wait_for(unsigned count)
{
    while (came < count) {
    }
}

/* Returns 0, or 1 if there is no case of that name. */
static inline int run_case(const char *name, const struct one_case *all, unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        if (!strcmp(name, all[k].name)) {
            all[k].run();
            return 0;
        }
    }
    return 1;
}

#endif /* CASE_H */
