/*
 * Named checks for programs on Glaze, like those of tests/guest/lib/check.h
 * for the bare machine: each prints "ok NAME", or "FAIL NAME: got ..., want
 * ...". At its end, a program prints how many it has made, so that tests need
 * not know the number (Result.finished() of tests/support/machine_runs.py).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CHECK_H
#define GLAZE_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "pause.h"
#include "udm.h"

/*
 * One counter for all files of a program. checks_made lies among initialized data, whose
 * page the start of a program writes: a check must not be the first to touch a page, as
 * the fault could come in an atomic section that the check is about.
 */
unsigned check_failures __attribute__((weak));
unsigned checks_made __attribute__((weak, section(".data"))) = 0;

/* Ends the line of a check. */
static inline void check_where(void)
{
    if (udm_node()) {
        printf(" (node %lu)", (unsigned long)udm_node());
    }
    printf("\n");
}

static inline void check(const char *name, uint32_t got, uint32_t want)
{
    checks_made++;
    if (got == want) {
        printf("ok %s", name);
    } else {
        printf("FAIL %s: got %lu, want %lu", name, (unsigned long)got,
               (unsigned long)want);
        check_failures++;
    }
    check_where();
}

/*
 * Prints how many checks this process has made, and how many have failed. Returns the
 * program's status. Call it once, as the last thing: what a process does not reach, it
 * does not count.
 */
static inline int check_end(void)
{
    printf("%u check%s, %u failed", checks_made, checks_made == 1 ? "" : "s",
           check_failures);
    check_where();
    return check_failures != 0;
}

/* A case of a program. The program's argument names it. */
struct check_case {
    const char *name;
    void (*run)(void);
};

/* Returns the case that the only argument names. Says so and returns NULL if none of
 * that name is among `count` cases, or if there is not one argument. */
static inline const struct check_case *check_case(int argc, char **argv,
                                                  const struct check_case *cases,
                                                  unsigned count)
{
    for (unsigned k = 0; argc == 2 && k < count; k++) {
        if (!strcmp(argv[1], cases[k].name)) {
            return &cases[k];
        }
    }
    printf("%s: the argument has to be one of:", argv[0]);
    for (unsigned k = 0; k < count; k++) {
        printf(" %s", cases[k].name);
    }
    printf("\n");
    return NULL;
}

/* Events are noted as letters, and check_notes() checks their order. */
static char notes[64];

static inline void note(char letter)
{
    size_t length = strlen(notes);

    if (length < sizeof(notes) - 1) {
        notes[length] = letter;
    }
}

static inline void check_notes(const char *name, const char *want)
{
    checks_made++;
    if (strcmp(notes, want)) {
        printf("FAIL %s: got %s, want %s\n", name, notes, want);
        check_failures++;
    } else {
        printf("ok %s\n", name);
    }
    memset(notes, 0, sizeof(notes));
}

/* Waits until a message to this node must have arrived and been handled. */
static inline void settle(void)
{
    spin_for(5000);
}

#endif
