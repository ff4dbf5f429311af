/*
 * What the network interface asks of the kernel. Soft atomicity changes that:
 * its divert-mode is set for other reasons as well (docs/soft-kernel.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PENDING_H
#define GLAZE_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/hardware.h"

/*
 * Whether the machine leaves atomicity to the kernel. soft_init() sets this.
 */
extern bool soft;

/*
 * Returns whether there is a head message and it is for the current process.
 */
bool pending_is_mine(void);

/*
 * Returns K_PENDING as it is with hard atomicity: FUGU_PEND_MESSAGE for a head
 * message that the current process is to take, FUGU_PEND_MISMATCH for one that
 * the kernel is to take.
 */
uint32_t pending(void);

/*
 * Returns whether the network interface or the cycle timer would interrupt the
 * user. Long work in the kernel asks this, since the kernel masks interrupts.
 */
bool pending_interrupt(void);

/*
 * Of the 20,000 cycles that docs/glaze.md allows an entry into the kernel ("What a job
 * can cost another"), the others are for the way in and the way back.
 */
#define KERNEL_MOST     15000

/* When the kernel was entered, or has seen last that nothing asks for it: the low word
 * of now(). */
extern uint32_t kernel_since;

/* The node has nothing to run: no process waits for the kernel to end its work. */
extern bool kernel_idles;

/* Returns whether network or clock asks for it. If not, its time begins anew. */
bool kernel_is_asked_for(void);

/*
 * While the kernel works, the node serves neither network nor clock. So work that can
 * be done later begins at time t, the low word of now(), only if this function
 * returns true: it can end in time if it takes at most `cycles`, or nothing has asked
 * for the kernel until now.
 */
static inline bool kernel_has_time(uint32_t t, uint32_t cycles)
{
    return t - kernel_since + cycles <= KERNEL_MOST ||
           !kernel_is_asked_for();
}

/* Returns how many cycles of that time are left. */
static inline uint32_t kernel_time_left(void)
{
    uint32_t used = (uint32_t)now() - kernel_since;

    return used < KERNEL_MOST ? KERNEL_MOST - used : 0;
}

/* Counts that work has been put off. Returns whether it begins all the same. */
bool kernel_begins_late(unsigned *times);

/*
 * Returns whether such work begins: if it has time now, or after it has been put off
 * many times in turn, which *times counts. Where an access to memory takes hundreds of
 * cycles, each entry into the kernel is too long.
 */
static inline bool kernel_begins(bool has_time, unsigned *times)
{
    if (__builtin_expect(!has_time, false)) {
        return kernel_begins_late(times);
    }
    *times = 0;
    return true;
}

#endif /* GLAZE_PENDING_H */
