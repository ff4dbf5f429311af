/*
 * The command line. See lu.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lu.h"
#include "udm.h"

enum {
    SIZE = 250, MOST = 4000,        /* default: the paper's; most */
    EDGE = 10, EDGE_MAX = 200,
};

static void help(void)
{
    printf("usage: lu [--seed NUMBER] [--result FILE] [SIZE [BLOCK]]\n"
           "  SIZE    rows of the matrix: 1 to %d (default %d)\n"
           "  BLOCK   rows of a block: 1 to %d, at most SIZE (default %d, or "
           "SIZE)\n"
           "  --seed NUMBER   chooses the matrix (default 0)\n"
           "  --result FILE   writes L and U to FILE: doubles, big-endian, row "
           "by row\n",
           MOST, SIZE, EDGE_MAX, EDGE);
}

/* Ends the job. Node 0 says why. */
static void __attribute__((noreturn, format(printf, 1, 2)))
wrong(const char *format, ...)
{
    va_list values;

    if (udm_node() == 0) {
        va_start(values, format);
        fputs("lu: ", stderr);
        vfprintf(stderr, format, values);
        fputs(" (lu --help)\n", stderr);
        va_end(values);
    }
    exit(2);
}

/* Returns a number of a word of the command line. */
static unsigned long number(const char *what, const char *word,
                            unsigned long least, unsigned long most)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(word, &end, 10);
    if (errno || end == word || *end || *word == '-' || value < least ||
        value > most) {
        wrong("%s is a number from %lu to %lu, not %s", what, least, most,
              word);
    }
    return value;
}

struct options options_read(int argc, char **argv)
{
    static const struct option known[] = {
        { "seed", required_argument, NULL, 's' },
        { "result", required_argument, NULL, 'r' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    struct options options = { .size = SIZE };
    int letter;

    opterr = 0;
    while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (letter) {
        case 's':
            options.seed = number("--seed", optarg, 0, UINT32_MAX);
            break;
        case 'r':
            options.result = optarg;
            break;
        case 'h':
            if (udm_node() == 0) {
                help();
            }
            exit(0);
        default:
            wrong("unknown option, or one without its value: %s",
                  argv[optind - 1]);
        }
    }
    if (argc - optind > 2) {
        wrong("at most two numbers: SIZE and BLOCK");
    }
    if (optind < argc) {
        options.size = number("SIZE", argv[optind++], 1, MOST);
    }
    options.edge = options.size < EDGE ? options.size : EDGE;
    if (optind < argc) {
        options.edge = number("BLOCK", argv[optind], 1, EDGE_MAX);
        if (options.edge > options.size) {
            wrong("BLOCK %u is larger than SIZE %u", options.edge,
                  options.size);
        }
    }
    return options;
}
