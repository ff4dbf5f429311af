/*
 * Which process runs when: what programs see of the slots in docs/glaze.md,
 * "Scheduling". test_slots.py runs it, and says what the results must be.
 *
 *      slots share UNTIL               runs a loop until a cycle, and counts
 *                                      its turns
 *      slots when TIMESLICE UNTIL [NODE ENDS]
 *                                      records in which slots it runs, up to
 *                                      slot UNTIL; on node NODE up to ENDS
 *      slots trips TIMESLICE COUNT     makes round trips between nodes 0 and 1,
 *                                      which wait for each message
 *      slots keep TIMESLICE UNTIL      runs a loop, and measures how much of
 *                                      its own slots, those with odd numbers,
 *                                      goes to others
 *      slots flood TIMESLICE CYCLE PART
 *                                      on node 0, runs a loop until a cycle. On
 *                                      the others, sends messages there until
 *                                      then, in the first PART percent of slots
 *                                      with even numbers
 *      slots pour CYCLE PART           the same, in the first PART percent of all
 *                                      10,000 cycles
 *      slots wait [CYCLE]              runs a loop until a cycle, and waits for a
 *                                      message that never comes
 *
 * All but `flood`, `pour` and `wait` print one line per process or on node 0. The exit status is 0;
 * 2 for wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

static uint32_t timeslice;

static uint32_t slot(void)
{
    return udm_cycles() / timeslice;
}

static uint32_t in_slot(void)
{
    return udm_cycles() % timeslice;
}

/* ---- Shares -------------------------------------------------------------- */

static void share(uint64_t until)
{
    uint32_t turns = 0;

    while (udm_cycles() < until) {
        turns++;
    }
    printf("share: job %lu: %lu\n", (unsigned long)glaze_info(GLAZE_I_GID),
           (unsigned long)turns);
}

/* ---- Slots in which a process runs --------------------------------------- */

#define SLOTS_MAX 128

/* Whether this is the middle of a slot. Near its ends a switch is under way. */
static bool in_the_middle(void)
{
    return in_slot() - timeslice / 4 < timeslice / 2;
}

static void when(uint32_t until)
{
    static char seen[SLOTS_MAX + 1];
    uint32_t k;

    memset(seen, '-', until < SLOTS_MAX ? until : SLOTS_MAX);
    while ((k = slot()) < until) {
        if (k < SLOTS_MAX && in_the_middle()) {
            seen[k] = 'x';
        }
    }
    printf("when: job %lu node %lu: %s\n",
           (unsigned long)glaze_info(GLAZE_I_GID), (unsigned long)udm_node(),
           seen);
}

/* ---- Round trips --------------------------------------------------------- */

static void null(void)
{
    udm_dispose();
}

/* Takes a message. The caller must be in an atomic section, so that no
 * handler starts. */
static void wait_and_take(void)
{
    while (!udm_available()) {
        glaze_wait();
    }
    udm_dispose();
}

static void trips(uint32_t count)
{
    uint64_t start, end;

    udm_beginatom();
    if (udm_node() == 1) {
        for (uint32_t i = 0; i < count; i++) {
            wait_and_take();
            udm_inject(0, null);
        }
        return;
    }
    do {                        /* until a slot of this job begins */
        start = udm_cycles();
    } while (start % (2 * timeslice) > timeslice / 8);
    for (uint32_t i = 0; i < count; i++) {
        udm_inject(1, null);
        wait_and_take();
    }
    end = udm_cycles();
    printf("trips: %lu in %lu cycles, slots %lu to %lu\n",
           (unsigned long)count, (unsigned long)(end - start),
           (unsigned long)(start / timeslice),
           (unsigned long)(end / timeslice));
}

/* ---- What a process keeps of its slots ----------------------------------- */

#define GAP 200                 /* cycles: a turn of the loop takes fewer */

static void keep(uint32_t until)
{
    uint64_t then = udm_cycles(), now;
    uint64_t end = (then / timeslice + 1) * timeslice;
    uint32_t k = slot(), own = 0, others = 0;

    while (k < until) {
        now = udm_cycles();
        if (now >= end) {
            k = now / timeslice;
            end = ((uint64_t)k + 1) * timeslice;
            then = udm_cycles();        /* a new slot begins */
            continue;
        }
        if (k % 2 == 1) {
            uint32_t gap = now - then;

            own += gap;
            others += gap > GAP ? gap : 0;
        }
        then = now;
    }
    printf("keep: node %lu: %lu cycles, %lu of them for others\n",
           (unsigned long)udm_node(), (unsigned long)own,
           (unsigned long)others);
}

/* ---- Insertions ------------------------------------------------------------ */

static void flood(uint32_t until, uint32_t part)
{
    while (udm_cycles() < until) {
        if (udm_node() && slot() % 2 == 0 &&
            in_slot() < timeslice / 100 * part) {
            udm_inject(0, null);
        }
    }
}

static void pour(uint32_t until, uint32_t part)
{
    while (udm_cycles() < until) {
        if (udm_node() && udm_cycles() % 10000 < 100 * part) {
            udm_inject(0, null);
        }
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    uint32_t number[5] = { 0 };

    for (int i = 2; i < argc && i < 6; i++) {
        number[i - 2] = strtoul(argv[i], NULL, 0);
    }
    timeslice = number[0];
    if (!strcmp(what, "share")) {
        share(number[0]);
    } else if (!strcmp(what, "when")) {
        when(argc == 6 && udm_node() == number[2] ? number[3] : number[1]);
    } else if (!strcmp(what, "trips")) {
        trips(udm_node() < 2 ? number[1] : 0);
    } else if (!strcmp(what, "keep")) {
        keep(number[1]);
    } else if (!strcmp(what, "flood")) {
        flood(number[1], number[2]);
    } else if (!strcmp(what, "pour")) {
        pour(number[0], number[1]);
    } else if (!strcmp(what, "wait")) {
        while (udm_cycles() < number[0]) {
        }
        for (;;) {
            glaze_wait();
        }
    } else {
        fprintf(stderr, "slots: see the first lines of slots.c\n");
        return 2;
    }
    return 0;
}
