/*
 * The arguments of synth. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What an interval between two requests is. */
enum interval {
    ELAPSED,                    /* time by the clock, from one time at which a
                                   request is due to the next */
    SINCE,                      /* the same, from when the last one went out */
    COMPUTE,                    /* the sender's own time */
};

struct options {
    uint32_t group;             /* N */
    uint32_t between;           /* T_betw, cycles */
    uint32_t messages;          /* requests of each node, at least */
    uint32_t hand;              /* T_hand, cycles */
    uint32_t seed;              /* of the first trial */
    uint32_t trials;
    enum interval interval;
    bool yield;                 /* gives the slot away while it waits */
};

/*
 * Fills in *options. Ends the program if the arguments are wrong, with a line
 * on node 0, or if they ask for help.
 */
void options_read(struct options *options, int argc, char **argv);

#endif
