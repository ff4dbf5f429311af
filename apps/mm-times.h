/*
 * Times of messages of the M-Machine's interface, for apps that measure them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MM_TIMES_H
#define MM_TIMES_H

#include <stdint.h>

#include "mm.h"

#define TIMES_WARM_UP   2       /* tries that do not count */
#define TIMES_MOST      1000000

/* What the tries have taken, in cycles. All 0: there were none. */
struct times {
    uint32_t tries, count;      /* all, and those that count */
    uint32_t least, as_least;   /* the fewest cycles; tries that took so many */
    uint32_t most;
    uint64_t sum;
};

/*
 * Takes a few cycles, one more in each of eight tries that follow each other:
 * so they begin in all phases of the loop at the other end.
 */
void times_vary(uint32_t try);

/* Adds a try. The first TIMES_WARM_UP of them do not count. */
void times_add(struct times *times, uint32_t took);

/* Prints a line with what was measured. */
void times_print(const char *what, const struct times *times);

/*
 * Returns the number of tries: the app's one argument, or 1000 without one, and
 * TIMES_WARM_UP. Ends the program with status 2 and a line on node 0 if the
 * argument is no number from 1 to `most`, or if there are fewer nodes than
 * `nodes`. All nodes call it.
 */
uint32_t times_argument(const char *app, int argc, char **argv, uint32_t most,
                        uint32_t nodes);

/* Converts a word of decimal digits. Returns UINT32_MAX if the word has other
 * letters, or if the number is larger. */
uint32_t times_number(const char *word);

/*
 * Shares a range of all processes at the window's start: mm_share(). Ends the
 * program with status 1 and a line if the node has no memory for it.
 */
void times_share(const char *app, struct mm_shared *shared,
                 volatile void *memory, uint32_t bytes);

/* Waits as long as a word is this one, with the processor all the time: what is
 * measured is messages beside a program. Returns what the word is then. */
static inline uint32_t times_look(const volatile uint32_t *word, uint32_t same)
{
    uint32_t found;

    do {
        found = *word;
    } while (found == same);
    return found;
}

#endif /* MM_TIMES_H */
