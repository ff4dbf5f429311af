/*
 * The command line of apps on shared memory: letters with numbers, and -s.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_OPTIONS_H
#define SHM_OPTIONS_H

#include <stdbool.h>

/* -LETTER NUMBER */
struct shm_option {
    char letter;                /* 0 after the last one */
    const char *name;           /* as the usage shows the number */
    int least, most;
    int *value;                 /* holds the default, and then the number */
};

/*
 * Reads the command line: the numbers of `options`, and -s, which makes *report
 * true. -h prints the usage, and ends the program with status 0. A mistake ends
 * it with status 2 and a line that names the app, what is wrong, and -h.
 */
void shm_options_read(const char *app, const struct shm_option *options,
                      bool *report, int argc, char **argv);

/* Ends the program with status 2 and such a line. */
void shm_options_wrong(const char *app, const char *what);

#endif /* SHM_OPTIONS_H */
