/*
 * The command line of apps on shared memory. See shm-options.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shm-options.h"

#define LETTERS_MAX 32

void shm_options_wrong(const char *app, const char *what)
{
    fprintf(stderr, "%s: %s (%s -h)\n", app, what, app);
    exit(2);
}

static void usage(const char *app, const struct shm_option *options)
{
    const struct shm_option *one;

    printf("%s", app);
    for (one = options; one->letter; one++) {
        printf(" [-%c %s]", one->letter, one->name);
    }
    printf(" [-s]\n");
    for (one = options; one->letter; one++) {
        printf("  %s: %d to %d (default %d)\n", one->name, one->least,
               one->most, *one->value);
    }
    printf("  -s: show what sharing memory has cost each process\n");
    exit(0);
}

static void take(const char *app, const struct shm_option *one,
                 const char *word)
{
    char what[120], *end;
    long value = strtol(word, &end, 10);

    if (end == word || *end || value < one->least || value > one->most) {
        snprintf(what, sizeof(what), "%s is %d to %d, not %.40s", one->name,
                 one->least, one->most, word);
        shm_options_wrong(app, what);
    }
    *one->value = value;
}

void shm_options_read(const char *app, const struct shm_option *options,
                      bool *report, int argc, char **argv)
{
    char letters[LETTERS_MAX] = ":sh", what[120];
    const struct shm_option *one;
    int letter;

    for (one = options; one->letter; one++) {
        char more[3] = { one->letter, ':', 0 };

        strcat(letters, more);
    }
    opterr = 0;
    while ((letter = getopt(argc, argv, letters)) != -1) {
        for (one = options; one->letter && one->letter != letter; one++) {
        }
        if (one->letter) {
            take(app, one, optarg);
        } else if (letter == 's') {
            *report = true;
        } else if (letter == 'h') {
            usage(app, options);
        } else {
            snprintf(what, sizeof(what), letter == ':'
                     ? "%.40s lacks its number" : "%.40s is no option",
                     argv[optind - 1]);
            shm_options_wrong(app, what);
        }
    }
    if (optind < argc) {
        snprintf(what, sizeof(what), "there is no argument for %.40s",
                 argv[optind]);
        shm_options_wrong(app, what);
    }
}
