/*
 * Signals: what they invoke and store, and when.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "cases.h"
#include "check.h"
#include "glaze-calls.h"
#include "section.h"

static uint32_t large[3 * GLAZE_PAGE / 4];
static struct mbcf_fifo large_fifo = {
    .buffer = (uintptr_t)large, .size = sizeof(large),
};

static struct mbcf_signal signals[8];
static uint32_t stored[8];

static volatile uint32_t runs, last, in_section, threads;

static void program(struct mbcf_signal *signal)
{
    last = signal - signals;
    in_section += udm_atomic();
    runs++;
}

static void other_program(struct mbcf_signal *signal)
{
    last = 100 + (signal - signals);
    runs++;
}

static void run_threads(struct mbcf_signal *signal)
{
    last = 200 + (signal - signals);
    threads++;
}

static void set_up(void)
{
    for (unsigned k = 0; k < 8; k++) {
        signals[k] = (struct mbcf_signal) {
            .invoke = MBCF_INVOKE_TARGET,
            .during = MBCF_WHILE_INVOKE,
            .program = (uintptr_t)program,
        };
    }
    signals[1].invoke = MBCF_INVOKE_SOURCE;
    signals[2].invoke = MBCF_INVOKE_SCHEDULER;
    signals[3].store = MBCF_STORE_BUFFER | MBCF_STORE_SOURCE;
    signals[3].to = (uintptr_t)stored;
    signals[3].size = sizeof(stored);
    signals[4].store = MBCF_STORE_FIFO;
    signals[4].to = (uintptr_t)&large_fifo;
    signals[5].during = MBCF_WHILE_REFUSE;
    signals[6].during = MBCF_WHILE_STORE;
    signals[6].store = MBCF_STORE_FIFO;
    signals[6].to = (uintptr_t)&large_fifo;
}

/* Node 1 lets what signals have invoked run, and checks what it was. */
static void expect(const char *name, uint32_t count, uint32_t which)
{
    udm_barrier();
    if (udm_node() == 1) {
        while (runs + threads < count) {
        }
        check(name, last, which);
    }
    udm_barrier();
}

void case_signals(void)
{
    static uint8_t got[200];

    set_up();
    mbcf_scheduler(run_threads);
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() == 0) {
        check("target's program", send_signal(&signals[0], 0, NULL, 0), MBCF_DONE);
    }
    expect("target's program runs", 1, 0);
    if (udm_node() == 0) {
        check("source's program", send_signal(&signals[1], (uintptr_t)other_program,
                                              NULL, 0), MBCF_DONE);
    }
    expect("source's program runs", 2, 101);
    if (udm_node() == 0) {
        check("scheduler", send_signal(&signals[2], 0, NULL, 0), MBCF_DONE);
    }
    expect("scheduler runs", 3, 202);
    if (udm_node() == 0) {
        check("buffer", send_signal(&signals[3], 0, "abcdefgh", 8), MBCF_DONE);
    }
    expect("program runs", 4, 3);
    if (udm_node() == 0) {
        check("bytes into a FIFO", send_signal(&signals[4], 0, local, 128), MBCF_DONE);
    }
    expect("program runs", 5, 4);
    if (udm_node() == 1) {
        check("source: logical", stored[0], 0);
        check("source: node", stored[1], 0);
        check("source: number", stored[2], mbcf_page()->task);
        check("bytes", memcmp(&stored[3], "abcdefgh", 8), 0);
        check("entry", mbcf_take(&large_fifo, got, sizeof(got)), 128);
        check("in atomic sections", in_section, 3);
        for (unsigned k = 0; k < 5; k++) {
            check("has ended", signals[k].running, 0);
        }
    }
}

/* Node 0 sends signals when node 1 is in its section, however late that begins, and
 * then lets it end the section. */
static volatile uint32_t in_its_section, released;

static void tell_of_the_section(void)
{
    mbcf_fetch_add(0, (uintptr_t)&in_its_section, 1, NULL, 0, NULL);
}

static void await_the_section(void)
{
    while (!in_its_section) {
    }
}

/* A section of a library, by a store where atomicity is soft. */
void case_quick(void)
{
    bool soft = glaze_info(GLAZE_I_SOFT);

    set_up();
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() == 0) {
        await_the_section();
        check("signal", send_signal(&signals[0], 0, NULL, 0), MBCF_DONE);
        check("flag", mbcf_fetch_add_now(1, (uintptr_t)&released, 1), 0);
        return;
    }
    if (soft) {
        quick_section_open();
    } else {
        udm_beginatom();
    }
    tell_of_the_section();
    while (!released) {
    }
    check("no program runs in a section", runs, 0);
    if (soft) {
        quick_section_close();
    } else {
        udm_endatom();
    }
    check("but behind it", runs, 1);
}

/* Commands while a program has not ended: it waits for the end of a section. */
void case_during(void)
{
    set_up();
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() == 1) {
        udm_beginatom();
        tell_of_the_section();
        while (!released) {
        }
        check("nothing runs in a section", runs, 0);
        check("invocations", signals[0].running, 3);
        check("one", signals[5].running, 1);
        check("one", signals[6].running, 1);
        check("entries", large_fifo.used, 16);
        udm_endatom();
        check("all run after it", runs, 16);
        check("have ended", signals[0].running + signals[5].running +
              signals[6].running + signals[7].running, 0);
    } else if (udm_node() == 0) {
        await_the_section();
        check("first", send_signal(&signals[0], 0, NULL, 0), MBCF_DONE);
        check("invoke", send_signal(&signals[0], 0, NULL, 0), MBCF_DONE);
        check("invoke", send_signal(&signals[0], 0, NULL, 0), MBCF_DONE);
        check("first", send_signal(&signals[5], 0, NULL, 0), MBCF_DONE);
        check("refuse", send_signal(&signals[5], 0, NULL, 0), MBCF_RUNNING);
        check("first", send_signal(&signals[6], 0, "abcd", 4), MBCF_DONE);
        check("store", send_signal(&signals[6], 0, "efgh", 4), MBCF_DONE);
        for (unsigned k = 5; k < MBCF_INVOCATIONS; k++) {
            check("invoke", send_signal(&signals[7], 0, NULL, 0), MBCF_DONE);
        }
        check("no room", send_signal(&signals[7], 0, NULL, 0), MBCF_FULL);
        mbcf_fetch_add_now(1, (uintptr_t)&released, 1);
    }
}

/* The longest entry that there is: of a signal, with its source. */
#define LONGEST (MBCF_BYTES_MAX + sizeof(struct mbcf_source))

void case_longest(void)
{
    static uint32_t space[2048], got[LONGEST / 4 + 1];
    static struct mbcf_fifo longest = {
        .buffer = (uintptr_t)space, .size = sizeof(space),
        .head = sizeof(space) - 100,
    };

    set_up();
    signals[0].store = MBCF_STORE_FIFO | MBCF_STORE_SOURCE;
    signals[0].to = (uintptr_t)&longest;
    for (uint32_t k = 0; k < MBCF_BYTES_MAX; k++) {
        local[k] = k * 7 >> 3;
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("longest", send_signal(&signals[0], 0, local, MBCF_BYTES_MAX), MBCF_DONE);
        check("another", send_signal(&signals[0], 0, "abcd", 4), MBCF_DONE);
    }
    udm_barrier();
    if (udm_node() == 1) {
        uint32_t source = sizeof(struct mbcf_source);

        check("too little room", mbcf_take(&longest, got, MBCF_BYTES_MAX),
              -EMSGSIZE);
        check("longest", mbcf_take(&longest, got, sizeof(got)),
              LONGEST);
        check("its source", got[1], 0);
        check("its bytes", memcmp(got + source / 4, local, MBCF_BYTES_MAX), 0);
        check("no more", got[LONGEST / 4], 0);
        check("another", mbcf_take(&longest, got, sizeof(got)), 4 + source);
        check("its bytes", memcmp(got + source / 4, "abcd", 4), 0);
        check("empty", mbcf_take(&longest, got, sizeof(got)), -EAGAIN);
    }
}
