/*
 * mbcf-mixture: many signals at once, to a node that is in an atomic section or not.
 *
 * Each signal names one of several programs, and leaves the program's number in a FIFO. So
 * more invocations wait than a task may have, and each program finds its own number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-calls.h"
#include "random.h"
#include "mixture.h"

enum { PROGRAMS = 3, ROOM = 40, PAGES = 80 };

static uint32_t numbers[ROOM * 2];      /* each entry: its length, and a number */
static struct mbcf_fifo fifo = {
    .buffer = (uintptr_t)numbers, .size = sizeof(numbers),
};

/* Alone in its page, which may go out while signals wait. */
static union {
    struct mbcf_signal signal;
    uint8_t page[GLAZE_PAGE];
} alone __attribute__((aligned(GLAZE_PAGE))) = {
    .signal = {
        .invoke = MBCF_INVOKE_SOURCE, .store = MBCF_STORE_FIFO,
        .during = MBCF_WHILE_INVOKE, .to = (uintptr_t)&fifo,
    },
};
static uint32_t sent[NODES], ran;
static uint32_t pages[PAGES][GLAZE_PAGE / 4], rounds;  /* of the programs alone */

/* Uses so many pages that others go out, if there is little memory. */
static void use_pages(void)
{
    for (uint32_t k = 0; k < PAGES; k++) {
        if (pages[k][k] != rounds) {
            fail("page %lu of the programs has %lu, not %lu", (unsigned long)k,
                 (unsigned long)pages[k][k], (unsigned long)rounds);
        }
        pages[k][k]++;
    }
    rounds++;
}

/*
 * Runs the programs that wait as mbcf_signals() does, but by the call that always takes the
 * kernel's slow path.
 */
static void run_others(void)
{
    static bool inside;
    struct mbcf_invocation next;
    uint32_t ended = 0;

    if (inside) {
        return;
    }
    inside = true;
    while (glaze_call(GLAZE_MBCF, MBCF_NEXT, (uintptr_t)&next, ended) == 1) {
        mbcf_program *program = next.program ? (mbcf_program *)(uintptr_t)next.program
                                             : on_scheduler;

        ended = next.signal;
        program((struct mbcf_signal *)(uintptr_t)ended);
    }
    inside = false;
}

static void run(struct mbcf_signal *s, uint32_t program)
{
    uint32_t found;
    int32_t bytes = mbcf_take(&fifo, &found, sizeof(found));

    if (s != &alone.signal || bytes != sizeof(found) || found != program) {
        fail("program %lu of a burst runs for %lu: %ld", (unsigned long)program,
             (unsigned long)found, (long)bytes);
    }
    ran++;
    invocations++;
    if (ran % 8 == 0) {
        use_pages();
    }
    if (ran % 4 == 0) {
        run_others();
    }
}

static void run0(struct mbcf_signal *s)
{
    run(s, 0);
}

static void run1(struct mbcf_signal *s)
{
    run(s, 1);
}

static void run2(struct mbcf_signal *s)
{
    run(s, 2);
}

static void count_done(struct lane *lane)
{
    sent[lane->request[0].task] += lane->count;
}

void send_burst(struct lane *lane, uint32_t node)
{
    static mbcf_program *const programs[PROGRAMS] = { run0, run1, run2 };

    lane->ended = count_done;
    lane->count = 1 + pick(PACKET);
    for (uint32_t k = 0; k < lane->count; k++) {
        uint32_t program = pick(PROGRAMS), *from = (uint32_t *)lane->from + k;

        *from = program;
        lane->request[k] = (struct mbcf_request) {
            .command = MBCF_SIGNAL, .task = node, .address = (uintptr_t)&alone.signal,
            .bytes = sizeof(*from), .local = (uintptr_t)from,
            .operand = { (uintptr_t)programs[program] },
        };
    }
}

void stay_in_a_section(void (*work)(void))
{
    uint64_t start = udm_cycles();
    uint32_t cycles = 1000 * (1 + pick(60));

    udm_beginatom();
    while (udm_cycles() - start < cycles) {
        work();
    }
    udm_endatom();
}

uint32_t bursts_sent(uint32_t node)
{
    return sent[node];
}

bool bursts_settled(uint32_t expected)
{
    if (ran > expected) {
        fail("%lu programs of bursts, not %lu", (unsigned long)ran, (unsigned long)expected);
    }
    return ran == expected && !alone.signal.running && !fifo.used;
}
