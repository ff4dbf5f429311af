/*
 * The arguments of synth. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    uint32_t group;             /* N */
    uint32_t between;           /* T_betw, cycles */
    uint32_t messages;          /* requests of each node, at least */
    uint32_t hand;              /* T_hand, cycles */
    uint32_t seed;              /* of the first trial */
    uint32_t trials;
    bool compute;               /* intervals are computing time */
    bool yield;                 /* gives the slot away while it waits */
};

/*
 * Fills in *options. Ends the program if the arguments are wrong, with a line
 * on node 0, or if they ask for help.
 */
void options_read(struct options *options, int argc, char **argv);

#endif
