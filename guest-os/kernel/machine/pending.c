/*
 * What the network interface asks of the kernel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/pending.h"
#include "machine/hardware.h"
#include "machine/ni.h"
#include "machine/process.h"

bool soft;

bool pending_is_mine(void)
{
    return ni_head_present() && !ni_head_of_kernel() &&
           ni_head_gid() == current->gid;
}

uint32_t pending(void)
{
    uint32_t pending = ni_pending();

    if (soft && pending & FUGU_PEND_MESSAGE &&
        (current->info->mode != GLAZE_FAST || !pending_is_mine())) {
        pending ^= FUGU_PEND_MESSAGE | FUGU_PEND_MISMATCH;
    }
    return pending;
}

bool pending_interrupt(void)
{
    return pending() & (FUGU_PEND_MISMATCH | FUGU_PEND_TIMEOUT |
                        FUGU_PEND_SECOND) ||
           read32(FUGU_TIMER_BASE + FUGU_TIMER_STATUS);
}

uint64_t kernel_since;

/*
 * Of the 20,000 cycles that docs/glaze.md allows an entry into the kernel ("What a job
 * can cost another"), the others are for the way in and the way back.
 */
#define ENTRY_MOST      15000

bool kernel_has_time(uint32_t cycles)
{
    if (now() - kernel_since + cycles <= ENTRY_MOST) {
        return true;
    }
    if (pending() || pending_interrupt()) {
        return false;
    }
    kernel_since = now();
    return true;
}

/* More than attacks reach where an access takes some ten cycles. */
#define PUT_OFF_MOST    50

bool kernel_begins(bool has_time, unsigned *times)
{
    if (!has_time && ++*times <= PUT_OFF_MOST) {
        return false;
    }
    *times = 0;
    return true;
}
