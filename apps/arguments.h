/*
 * The command line of apps that compute something: numbers in a fixed order,
 * which may be left out from the end, and options:
 *
 *      barnes [OPTIONS] [BODIES [ITERATIONS]]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* One of the numbers. */
struct argument {
    const char *name;           /* as --help shows it */
    const char *what;           /* what it means, in a few words */
    uint32_t least, most;
    uint32_t *value;            /* holds the default, and then the number */
};

/* An option without a value. */
struct flag {
    const char *name;           /* without the two dashes */
    const char *what;
    bool *set;                  /* becomes true if the option is there */
};

struct arguments {
    const char *app;            /* its name */
    const struct argument *numbers;     /* the last one has no name */
    struct flag flag;           /* without a name: there is none */
    uint32_t seed;              /* --seed: for random numbers */
    const char *result;         /* --result: the file for results; or NULL */
    const char *contents;       /* what --help says that this file holds */
    bool yield;                 /* --wait yield: give the slot away instead of
                                   spinning */
};

#define ARGUMENTS_AFTER_MAX     100000000       /* cycles of --after */

/*
 * Reads the command line. Ends the job if it has --help or a mistake. All nodes
 * call this function. With --after, it also computes for so many cycles: then
 * what the app does comes later in the job's slot, which matters where the slots
 * of a run are counted (docs/experiments.md).
 */
void arguments_read(struct arguments *arguments, int argc, char **argv);

/* Computes for about so many cycles of the process's own time. */
void arguments_compute(uint32_t cycles);

/* Ends the job with status 2. Node 0 prints why. All nodes call it. */
void __attribute__((noreturn, format(printf, 2, 3)))
arguments_wrong(const struct arguments *arguments, const char *format, ...);

#endif /* ARGUMENTS_H */
