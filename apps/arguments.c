/*
 * The command line of apps. See arguments.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "udm.h"

enum { TURN = 3 };              /* cycles of an empty loop's turn */

void arguments_wrong(const struct arguments *arguments, const char *format,
                     ...)
{
    va_list values;

    if (udm_node() == 0) {
        va_start(values, format);
        fprintf(stderr, "%s: ", arguments->app);
        vfprintf(stderr, format, values);
        fprintf(stderr, " (%s --help)\n", arguments->app);
        va_end(values);
    }
    exit(2);
}

static void __attribute__((noreturn)) help(const struct arguments *arguments)
{
    const struct argument *one;

    if (udm_node() != 0) {
        exit(0);
    }
    printf("usage: %s [OPTIONS]", arguments->app);
    for (one = arguments->numbers; one->name; one++) {
        printf(" [%s", one->name);
    }
    while (one-- > arguments->numbers) {
        putchar(']');
    }
    putchar('\n');
    for (one = arguments->numbers; one->name; one++) {
        printf("  %s: %s, %lu to %lu (default %lu)\n", one->name, one->what,
               (unsigned long)one->least, (unsigned long)one->most,
               (unsigned long)*one->value);
    }
    printf("Options:\n"
           "  --seed NUMBER: chooses the random numbers (default %lu)\n"
           "  --result FILE: writes %s to FILE\n"
           "  --wait spin|yield: how to wait for messages (default spin)\n"
           "  --after CYCLES: computes for so long first (default 0)\n",
           (unsigned long)arguments->seed, arguments->contents);
    if (arguments->flag.name) {
        printf("  --%s: %s\n", arguments->flag.name, arguments->flag.what);
    }
    exit(0);
}

/* Returns the number that a word of the command line is. */
static uint32_t number(const struct arguments *arguments, const char *name,
                       const char *word, uint32_t least, uint32_t most)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(word, &end, 10);
    if (errno || end == word || *end || *word == '-' || value < least ||
        value > most) {
        arguments_wrong(arguments, "%s is a number from %lu to %lu, not %s",
                        name, (unsigned long)least, (unsigned long)most, word);
    }
    return value;
}

/*
 * Returns the word that getopt_long() does not know. It has gone past a word of
 * letters, but not past the name of an option.
 */
static const char *unknown(char **argv)
{
    const char *last = argv[optind - 1];

    return last[0] == '-' && last[1] != '-' ? last : argv[optind];
}

void arguments_compute(uint32_t cycles)
{
    for (uint32_t turns = cycles / TURN; turns > 0; turns--) {
        asm volatile ("");      /* the loop stays */
    }
}

static uint32_t after;          /* cycles to compute first */

static void read_options(struct arguments *arguments, int argc, char **argv)
{
    const struct option known[] = {
        { "seed", required_argument, NULL, 's' },
        { "result", required_argument, NULL, 'r' },
        { "wait", required_argument, NULL, 'w' },
        { "after", required_argument, NULL, 'a' },
        { "help", no_argument, NULL, 'h' },
        { arguments->flag.name, no_argument, NULL, 'f' },
        { NULL, 0, NULL, 0 },
    };
    int letter;

    opterr = 0;
    while ((letter = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        switch (letter) {
        case 's':
            arguments->seed = number(arguments, "--seed", optarg, 0,
                                     UINT32_MAX);
            break;
        case 'a':
            after = number(arguments, "--after", optarg, 0,
                           ARGUMENTS_AFTER_MAX);
            break;
        case 'r':
            arguments->result = optarg;
            break;
        case 'w':
            arguments->yield = strcmp(optarg, "yield") == 0;
            if (!arguments->yield && strcmp(optarg, "spin") != 0) {
                arguments_wrong(arguments, "--wait is spin or yield, not %s",
                                optarg);
            }
            break;
        case 'f':
            *arguments->flag.set = true;
            break;
        case 'h':
            help(arguments);
        case ':':
            arguments_wrong(arguments, "%s lacks its value", argv[optind - 1]);
        default:
            arguments_wrong(arguments, "%s is no option", unknown(argv));
        }
    }
}

void arguments_read(struct arguments *arguments, int argc, char **argv)
{
    const struct argument *one = arguments->numbers;

    read_options(arguments, argc, argv);
    for (; optind < argc && one->name; optind++, one++) {
        *one->value = number(arguments, one->name, argv[optind], one->least,
                             one->most);
    }
    if (optind < argc) {
        arguments_wrong(arguments, "there is no argument for %s",
                        argv[optind]);
    }
    arguments_compute(after);
}
