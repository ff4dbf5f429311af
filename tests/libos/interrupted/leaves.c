/*
 * A handler that calls no function and has variables on the stack runs in the
 * window of its stub, and moves %sp. Once it has ended its section, another
 * handler interrupts it: one that uses the FPU, or one that becomes a thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "udm-thread.h"

enum { TIMES = 50 };

static volatile uint32_t inside, ended, after, wrong;
static volatile double product = 1.0;

/* Uses the FPU. */
static void on_compute(void)
{
    udm_dispose();
    product = product * 1.5;
    inside++;
}

/* Becomes a thread. */
static void on_wait(void)
{
    udm_dispose();
    inside++;
    udm_thread_yield();
    after++;
}

/* The leaf: waits until the other handler has interrupted it. */
static void on_leaf(void)
{
    volatile uint32_t before = inside, turns = 0;

    udm_dispose();
    udm_endatom();
    while (inside == before) {
        turns++;
    }
    udm_beginatom();
    ended++;
}

/* Interrupts on_leaf() by a handler, and checks that registers are what they were. */
static void meet(udm_handler_t handler)
{
    register double quarter asm ("f10") = 0.25;
    register uint32_t word asm ("l3") = 0x12345678;

    for (uint32_t k = 0; k < TIMES; k++) {
        uint32_t before = ended;

        asm volatile ("" : "+f" (quarter), "+r" (word));
        udm_inject(0, on_leaf);
        udm_inject(0, handler);
        while (ended == before) {
        }
        asm volatile ("" : "+f" (quarter), "+r" (word));
        wrong += quarter != 0.25 || word != 0x12345678;
        quarter = 0.25;
    }
}

int main(void)
{
    meet(on_compute);
    check("the FPU is the thread's", wrong, 0);
    meet(on_wait);
    settle();
    check("and after handlers that wait", wrong, 0);
    check("handlers have ended", ended, 2 * TIMES);
    check("and those that waited", after, TIMES);
    return check_end();
}
