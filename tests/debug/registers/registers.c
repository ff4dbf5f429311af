/*
 * Messages that interrupt code whose registers are known.
 *
 * registers WAY ROUNDS: node 0 calls hold() while the other nodes send messages.
 * WAY says how the handlers run:
 *
 *   fast       in fast mode
 *   divert     in buffered mode
 *   fpu        in fast mode, and the program has used the FPU
 *   half       while a message is half described
 *   nested     up to DEPTH handlers end their atomic sections and call hold() too
 *
 * registers paging ROUNDS + registers hog PAGES: hold() touches pages that are in
 * backing store. The hog takes so many pages once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "spin.h"
#include "udm.h"
#include "udm-thread.h"

enum { PAUSE = 2500, BURST = 4, DEPTH = 3, WORDS = GLAZE_PAGE / 4, PAGES = 40, MORE = 140 };

static volatile uint32_t memory[2], handled, ended, depth, salt;
static volatile uint32_t page[PAGES][WORDS]
    __attribute__((aligned(GLAZE_PAGE)));
static bool nested;

static void message(void)
{
    udm_dispose();
    clobber();
    if (nested && depth < DEPTH) {
        volatile uint32_t counter = 0;  /* longer than PAUSE */

        depth++;
        udm_endatom();
        hold(&counter, memory, ++salt);
        clobber();
        udm_beginatom();
        depth--;
    }
    handled++;
}

static void end(void)
{
    udm_dispose();
    ended++;
}

static void send(uint32_t rounds)
{
    for (uint32_t k = 0; k < 20 * rounds; k++) {
        uint64_t until = udm_cycles() + PAUSE + 333 * udm_node();

        for (unsigned n = 0; n < (k % 4 < 3 ? 1 : BURST); n++) {
            udm_inject(0, message);
        }
        while (udm_cycles() < until) {
        }
    }
    udm_inject(0, end);
}

static void hold_half(volatile uint32_t *counter)
{
    UDM_OUT_(0, udm_node());
    UDM_OUT_(1, (uintptr_t)message);
    hold(counter, memory, ++salt);
    NI_LAUNCH(2, 0);
}

static void receive(const char *way)
{
    volatile float number = 0;

    bool divert = !strcmp(way, "divert");

    nested = !strcmp(way, "nested");
    while (ended < udm_nodes() - 1) {
        volatile uint32_t counter = divert ? TURNS * 3 / 4 : 0;

        if (!strcmp(way, "fpu")) {
            number = number + 1;
        }
        if (divert && glaze_info(GLAZE_I_MODE) == GLAZE_FAST) {
            glaze_divert();
        }
        if (!strcmp(way, "half")) {
            hold_half(&counter);
        } else {
            hold(&counter, memory, ++salt);
        }
    }
}

/* ---- Pages of backing store ---------------------------------------------- */

static void *other(void *argument)
{
    while (true) {
        clobber();
        udm_thread_yield();
    }
    return argument;
}

static void take(uint32_t count)
{
    volatile uint32_t *more = malloc(count * GLAZE_PAGE);

    for (uint32_t k = 0; k < count; k++) {
        more[k * WORDS] = 1;
    }
}

/* Called by the hog: waits until the other job has its pages. */
static void hog(uint32_t count)
{
    struct glaze_count now;

    do {
        glaze_yield();
        glaze_count(&now);
    } while (now.frames_free > now.frames - PAGES - MORE);
    take(count);
}

static void touch(void)
{
    struct glaze_count now;

    memset((void *)page, 1, sizeof(page));
    take(MORE);
    do {
        glaze_yield();
        glaze_count(&now);
    } while (now.processes > 1);        /* the hog has ended */
    udm_thread_create(other, NULL, UDM_NORMAL);
    udm_thread_switch_on_fault(true);
    for (uint32_t k = 0; k < PAGES; k++) {
        volatile uint32_t counter = TURNS / 2;

        hold(&counter, page[k], ++salt);
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "fast";
    uint32_t rounds = argc > 2 ? strtoul(argv[2], NULL, 0) : 20;

    if (!strcmp(way, "hog") || !strcmp(way, "paging")) {
        if (udm_node() == 0) {
            way[0] == 'h' ? hog(rounds) : touch();
        }
    } else if (udm_node() > 0) {
        send(rounds);
    } else {
        receive(way);
        printf("handled %lu\n", (unsigned long)handled);
    }
    return 0;
}
