/*
 * Races of a few cycles: something happens on node 0, and a message from node 1
 * comes meanwhile. Each round sends it a cycle later than the round before, so
 * that it meets each instruction of what happens.
 *
 *     races CASE FIRST LAST
 *
 * runs a round for each delay from FIRST to LAST, in cycles, and prints
 *
 *     CASE: ROUNDS rounds, sent at OFFSET to OFFSET, HOLES holes, handled
 *     BEFORE before, DURING during, AFTER after, WRONG wrong
 *
 * on one line. Offsets are cycles, from the beginning of what happens to the
 * message's launch. A hole is an offset between the two at which no message was
 * sent. The handler has started before what happens, during it, or after it.
 * Negative delays are allowed: the launch comes some cycles before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm-thread.h"

#define OFFSETS_MAX     4096
#define LEAD            800     /* cycles from a round's start to what happens */
#define SETTLE          6000    /* cycles, in which all of a round is over */
#define PATIENCE        2000000 /* cycles, before a round counts as stuck */
#define PAGES           600

void delay(uint32_t cycles);

struct race {
    const char *name;
    void (*happens)(void);      /* on node 0 */
    void (*comes)(void);        /* the handler of the message */
    uint32_t messages;          /* of a round */
};

static const struct race *race;
static uint8_t offsets[OFFSETS_MAX];
static uint32_t began, least, most, wrong, handled;
static volatile uint32_t done, all_over;
static volatile enum stage { BEFORE, DURING, AFTER, STAGES } stage;
static uint32_t handlers[STAGES];
static volatile uint8_t pages[PAGES * GLAZE_PAGE];
static uint32_t touched;
static udm_thread_t *sleeper;

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

/* On node 0: the time of the launch, as node 1 has sent it. */
static void note_launch(uint32_t at)
{
    uint32_t offset = at - (began - LEAD);

    handlers[stage]++;
    if (offset < OFFSETS_MAX) {     /* else another job has run meanwhile */
        offsets[offset] = 1;
        least = offset < least ? offset : least;
        most = offset > most ? offset : most;
    }
}

/* On node 1: the arguments are the cycle, the handler, and how many messages. */
static void go(void)
{
    uint32_t cycle = udm_arg(0), handler = udm_arg(1), count = udm_arg(2);

    udm_dispose();
    wait_for_cycle(cycle);
    for (uint32_t k = 0; k < count; k++) {
        udm_inject(0, (udm_handler_t)handler, udm_cycles32(), k);
    }
}

/* ---- wait: a thread waits for what a handler does -------------------------- */

static udm_waiter_t waiter;

static void wait_comes(void)
{
    uint32_t at = udm_arg(0);

    udm_dispose();
    note_launch(at);
    done = 1;
    handled++;
    udm_waiter_wake(&waiter);
}

static void wait_happens(void)
{
    udm_wait_until(&waiter, UDM_WAIT_BLOCK, done);
}

/* ---- wake: a thread tests, and then blocks ----------------------------------- */

static void wake_comes(void)
{
    uint32_t at = udm_arg(0);

    udm_dispose();
    note_launch(at);
    done = 1;
    handled++;
    udm_thread_wake(sleeper);
}

/* Each wake ends one block, whether it comes before or after it. */
static void wake_happens(void)
{
    udm_thread_block();
    wrong += !done;
}

/* ---- mode: a page fault, so buffered mode, and back -------------------------- */

static void mode_comes(void)
{
    uint32_t at = udm_arg(0), k = udm_arg(1);

    udm_dispose();
    if (k == 0) {
        note_launch(at);
        }
    wrong += k != done;         /* in order */
    done++;
    handled++;
}

static void mode_happens(void)
{
    pages[touched++ % PAGES * GLAZE_PAGE] = 1;
}

/* ---- section: it ends when the message comes, or just before ------------------ */

static volatile bool inside;

static void section_comes(void)
{
    uint32_t at = udm_arg(0);

    wrong += inside;
    udm_dispose();
    note_launch(at);
    done = 1;
    handled++;
}

static void section_happens(void)
{
    udm_beginatom();
    inside = true;
    delay(60);
    inside = false;
    udm_endatom();
}

/* ---- mutex: a thread gives it to a handler that has become one --------------- */

static udm_mutex_t mutex;
static uint32_t owners;

static void mutex_comes(void)
{
    uint32_t at = udm_arg(0);

    udm_dispose();
    note_launch(at);
    udm_endatom();
    udm_mutex_lock(&mutex);
    wrong += owners++ != 0;
    delay(20);
    owners--;
    done = 1;
    handled++;
    udm_mutex_unlock(&mutex);
}

static void mutex_happens(void)
{
    udm_mutex_lock(&mutex);
    wrong += owners++ != 0;
    delay(60);
    owners--;
    udm_mutex_unlock(&mutex);
}

/* ---- slot: the process leaves its slot, and another job takes the processor --- */

static void slot_happens(void)
{
    glaze_yield();
}

/* ---- Rounds ------------------------------------------------------------------ */

static const struct race races[] = {
    { "wait", wait_happens, wait_comes, 1 },
    { "wake", wake_happens, wake_comes, 1 },
    { "mode", mode_happens, mode_comes, 4 },
    { "section", section_happens, section_comes, 1 },
    { "mutex", mutex_happens, mutex_comes, 1 },
    { "slot", slot_happens, mode_comes, 4 },
};

static void play(uint32_t cycles)
{
    uint32_t wanted = handled + race->messages, start;

    done = 0;
    stage = BEFORE;
    sleeper = udm_thread_self();
    began = udm_cycles32() + LEAD;
    udm_inject(1, go, began + cycles, (uintptr_t)race->comes, race->messages);
    wait_for_cycle(began);
    stage = DURING;
    race->happens();
    stage = AFTER;
    start = udm_cycles32();
    while (*(volatile uint32_t *)&handled != wanted) {
        if (udm_cycles32() - start > PATIENCE) {
            printf("%s: delay %ld: %lu of %lu messages came\n", race->name,
                   (long)(int32_t)cycles,
                   (unsigned long)(race->messages - (wanted - handled)),
                   (unsigned long)race->messages);
            exit(1);
        }
    }
    delay(SETTLE);
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
           (unsigned long)handlers[AFTER], (unsigned long)wrong);
    return wrong != 0;
}

static void over(void)
{
    udm_dispose();
    all_over = 1;
}

int main(int argc, char **argv)
{
    int status;

    for (unsigned k = 0; argc == 4 && k < sizeof(races) / sizeof(races[0]);
         k++) {
        race = strcmp(races[k].name, argv[1]) ? race : &races[k];
    }
    if (!race) {
        return 2;
    }
    if (udm_node()) {
        while (!all_over) {
            /* handlers do everything */
        }
        return 0;
    }
    status = play_all(strtol(argv[2], NULL, 0), strtol(argv[3], NULL, 0));
    udm_inject(1, over);
    return status;
}
