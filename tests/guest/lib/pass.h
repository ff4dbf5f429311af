/*
 * Time that passes beside message slots.
 */
#ifndef GUEST_PASS_H
#define GUEST_PASS_H

#include "cycles.h"
#include "trap.h"

/* Passes so many cycles with the processor. */
static inline void pass(uint32_t cycles_to_pass)
{
    uint32_t end = cycles32() + cycles_to_pass;

    while ((int32_t)(cycles32() - end) < 0) {
    }
}

/* Passes so many cycles by a wait for the timer, which is on: a slot has the processor
 * alone. */
static inline void sleep(uint32_t cycles_to_sleep)
{
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + cycles_to_sleep;
    cpu_wait();
}

#endif
