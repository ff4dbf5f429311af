/*
 * The arguments of synth. See options.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "udm.h"

static const char usage[] =
    "usage: synth [OPTIONS] [N [T_BETW]]\n"
    "Sends requests to random nodes at random times, in groups of N.\n"
    "  N                   requests of a group: 1 to 1000000, default 100\n"
    "  T_BETW              mean interval in cycles: 1 to 30000, default 275\n"
    "  --messages M        requests of each node, default 10000\n"
    "  --interval KIND     elapsed (default), since or compute\n"
    "  --hand CYCLES       cost of a request, default 290\n"
    "  --seed S            other random numbers: 1 to 1000000, default 1\n"
    "  --trials K          repeats with the seeds S to S + K - 1, default 1\n"
    "  --wait spin|yield   how to wait for replies, default spin\n";

/* Ends the program: 2, with a line on node 0 that says what is wrong. */
static void refuse(const char *what, const char *value)
{
    if (udm_node() == 0) {
        fprintf(stderr, "synth: %s: %s; synth --help lists the arguments\n",
                value, what);
    }
    exit(2);
}

/* Returns a number from 1 to `most`. */
static uint32_t number(const char *text, uint32_t most, const char *what)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (end == text || *end || value < 1 || value > most) {
        refuse(what, text);
    }
    return value;
}

/* Returns true if `text` is `one`, false if it is `other`. */
static bool choice(const char *text, const char *one, const char *other,
                   const char *what)
{
    if (strcmp(text, one) != 0 && strcmp(text, other) != 0) {
        refuse(what, text);
    }
    return strcmp(text, one) == 0;
}

static enum interval interval(const char *text)
{
    static const char *const kinds[] = {
        [ELAPSED] = "elapsed", [SINCE] = "since", [COMPUTE] = "compute",
    };

    for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        if (strcmp(text, kinds[k]) == 0) {
            return k;
        }
    }
    refuse("--interval takes elapsed, since or compute", text);
    return ELAPSED;
}

enum { HELP, MESSAGES, INTERVAL, HAND, SEED, TRIALS, WAIT };

static const struct option names[] = {
    { "help", no_argument, NULL, HELP },
    { "messages", required_argument, NULL, MESSAGES },
    { "interval", required_argument, NULL, INTERVAL },
    { "hand", required_argument, NULL, HAND },
    { "seed", required_argument, NULL, SEED },
    { "trials", required_argument, NULL, TRIALS },
    { "wait", required_argument, NULL, WAIT },
    { },
};

static void read_option(struct options *options, int option, char *word)
{
    switch (option) {
    case HELP:
        if (udm_node() == 0) {
            fputs(usage, stdout);
        }
        exit(0);
    case MESSAGES:
        options->messages = number(optarg, 100000000,
                                   "--messages takes 1 to 100000000");
        break;
    case INTERVAL:
        options->interval = interval(optarg);
        break;
    case HAND:
        options->hand = number(optarg, 1000000,
                               "--hand takes 1 to 1000000 cycles");
        break;
    case SEED:
        options->seed = number(optarg, 1000000, "--seed takes 1 to 1000000");
        break;
    case TRIALS:
        options->trials = number(optarg, 1000, "--trials takes 1 to 1000");
        break;
    case WAIT:
        options->yield = choice(optarg, "yield", "spin",
                                "--wait takes spin or yield");
        break;
    default:
        refuse("no such option, or its value is missing", word);
    }
}

void options_read(struct options *options, int argc, char **argv)
{
    int option;

    *options = (struct options) {
        .group = 100, .between = 275, .messages = 10000, .hand = 290,
        .seed = 1, .trials = 1,
    };
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        read_option(options, option, argv[optind - 1]);
    }
    if (argc - optind > 2) {
        refuse("more than two arguments", argv[optind + 2]);
    }
    if (optind < argc) {
        options->group = number(argv[optind], 1000000, "N must be 1 to 1000000");
    }
    if (optind + 1 < argc) {
        options->between = number(argv[optind + 1], 30000,
                                  "T_BETW must be 1 to 30000 cycles");
    }
    if (udm_nodes() < 2) {
        refuse("too few nodes, start it with -n 2 or more", "one node");
    }
}
