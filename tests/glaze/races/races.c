/*
 * Races of a few cycles: something happens on node 0, and a message from node 1
 * comes meanwhile, or node 1 does its part of the same. Each round sends it a
 * cycle later than the round before, so that it meets each instruction of what
 * happens.
 *
 *     races CASE FIRST LAST
 *
 * runs a round for each delay from FIRST to LAST, in cycles, and prints
 *
 *     CASE: ROUNDS rounds, sent at OFFSET to OFFSET, HOLES holes, handled
 *     BEFORE before, DURING during, AFTER after, WRONG wrong
 *
 * on one line. Offsets are cycles, from the beginning of what happens to the
 * message's launch, or to the beginning of node 1's part. A hole is an offset
 * between the two at which nothing was sent. The handler, or node 1's part, has
 * started before what happens, during it, or after it. Negative delays are
 * allowed: the launch comes some cycles before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "races.h"
#include "udm-collective.h"

#define OFFSETS_MAX     4096
#define LEAD            1500    /* cycles from a round's start to what happens */
#define SETTLE          6000    /* cycles, in which all of a round is over */
#define PATIENCE        2000000 /* cycles, before a round counts as stuck */

const struct race *race;
volatile uint32_t done, handled, wrong;
udm_thread_t *volatile sleeper;

static uint8_t offsets[OFFSETS_MAX];
static uint32_t began, ended, least, most;
static volatile enum stage { BEFORE, DURING, AFTER, STAGES } stage;
static uint32_t handlers[STAGES];
static volatile uint32_t acted_from, acted_to, wrong_there;

/* On node 1: what is to be done, and when. */
static volatile uint32_t asked, at_cycle, for_handler, told, all_over;

/* ---- What both nodes do ---------------------------------------------------- */

/*
 * Returns at a cycle, plus a constant. Returns at once if it is not at least some
 * 40 cycles ahead.
 */
static void wait_for_cycle(uint32_t cycle)
{
    int32_t left = cycle - udm_cycles32();

    if (left > 0) {
        delay(left);
    }
}

static bool earlier(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

static void note(uint32_t at, enum stage when)
{
    uint32_t offset = at - (began - LEAD);

    handlers[when]++;
    if (offset < OFFSETS_MAX) {     /* else another job has run meanwhile */
        offsets[offset] = 1;
        least = offset < least ? offset : least;
        most = offset > most ? offset : most;
    }
}

void note_launch(uint32_t at)
{
    note(at, stage);
}

/* Handler on node 0: when node 1's part began and ended, and its `wrong`. */
static void noted(void)
{
    acted_from = udm_arg(0);
    acted_to = udm_arg(1);
    wrong_there = udm_arg(2);
    udm_dispose();
    handled++;
}

/* Judges the two parts of a round. Node 1's was asked about at `tell_at`. */
static void note_part(uint32_t tell_at)
{
    uint32_t from = acted_from;

    note(from, earlier(from, began) ? BEFORE : earlier(from, ended) ? DURING : AFTER);
    wrong += earlier(tell_at, acted_to);        /* it needed another message */
    if (race->meets) {
        wrong += earlier(ended, from) || earlier(acted_to, began);
    }
}

/* Handler on node 1: the arguments are the cycle and node 0's handler. */
static void go(void)
{
    at_cycle = udm_arg(0);
    for_handler = udm_arg(1);
    udm_dispose();
    asked = 1;
}

/* Handler on node 1: node 0 has ended its part. */
static void tell(void)
{
    udm_dispose();
    told = 1;
}

/* On node 1. */
static void answer(void)
{
    uint32_t from, to;

    asked = 0;
    wait_for_cycle(at_cycle);
    if (race->acts) {
        from = udm_cycles32();
        race->acts();
        to = udm_cycles32();
        while (!told) {
            /* no other message comes into what happens */
        }
        told = 0;
        udm_inject(0, noted, from, to, wrong);
        return;
    }
    for (uint32_t k = 0; k < race->messages; k++) {
        udm_inject(0, (udm_handler_t)for_handler, udm_cycles32(), k);
    }
}

/* ---- Rounds ------------------------------------------------------------------ */

static void play(uint32_t cycles)
{
    uint32_t messages = race->acts ? 1 : race->messages;
    uint32_t wanted = handled + messages, tell_at = 0;

    done = 0;
    stage = BEFORE;
    sleeper = udm_thread_self();
    began = udm_cycles32() + LEAD;
    udm_inject(1, go, began + cycles, (uintptr_t)race->comes);
    wait_for_cycle(began);
    stage = DURING;
    race->happens();
    ended = udm_cycles32();
    stage = AFTER;
    if (race->acts) {
        delay(SETTLE);
        tell_at = udm_cycles32();
        udm_inject(1, tell);
    }
    while (handled != wanted) {
        if (udm_cycles32() - ended > PATIENCE) {
            printf("%s: delay %ld: %lu of %lu messages came\n", race->name,
                   (long)(int32_t)cycles,
                   (unsigned long)(messages - (wanted - handled)),
                   (unsigned long)messages);
            exit(1);
        }
    }
    if (race->acts) {
        note_part(tell_at);
    } else {
        delay(SETTLE);
    }
}

static int play_all(int32_t first, int32_t last)
{
    uint32_t holes = 0;

    for (uint32_t warm = 0; warm < 3; warm++) {
        play(first);
    }
    memset(offsets, 0, sizeof(offsets));
    least = ~0u;
    most = wrong = 0;
    memset(handlers, 0, sizeof(handlers));
    for (int32_t cycles = first; cycles <= last; cycles++) {
        play(cycles);
    }
    for (uint32_t k = least; k <= most; k++) {
        holes += !offsets[k];
    }
    printf("%s: %lu rounds, sent at %ld to %ld, %lu holes, handled %lu before, "
           "%lu during, %lu after, %lu wrong\n", race->name,
           (unsigned long)(last - first + 1), (long)least - LEAD,
           (long)most - LEAD, (unsigned long)holes,
           (unsigned long)handlers[BEFORE], (unsigned long)handlers[DURING],
           (unsigned long)handlers[AFTER], (unsigned long)(wrong + wrong_there));
    return wrong + wrong_there != 0;
}

static void over(void)
{
    udm_dispose();
    all_over = 1;
}

static const struct race *find(const char *name)
{
    static const struct race *const lists[] = { kernel_races, library_races };

    for (unsigned k = 0; k < 2; k++) {
        for (const struct race *one = lists[k]; one->name; one++) {
            if (strcmp(one->name, name) == 0) {
                return one;
            }
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int status;

    race = argc == 4 ? find(argv[1]) : NULL;
    if (!race) {
        return 2;
    }
    if (race->opens) {
        race->opens();
    }
    udm_barrier();
    if (udm_node()) {
        while (!all_over) {
            if (asked) {
                answer();
            }
        }
        return 0;
    }
    status = play_all(strtol(argv[2], NULL, 0), strtol(argv[3], NULL, 0));
    udm_inject(1, over);
    return status;
}
