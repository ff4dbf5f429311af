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

uint32_t kernel_since;

__attribute__((cold)) bool kernel_is_asked_for(void)
{
    if (pending() || pending_interrupt()) {
        return true;
    }
    kernel_since = now();
    return false;
}

/*
 * Attacks put work off four times in turn, where an access to memory takes some ten
 * cycles: what has had no time comes first in the next entry. With more than 16, each
 * entry is too long, and 16 of 15,000 cycles take no longer than a page from the disk.
 */
#define PUT_OFF_MOST    16

__attribute__((cold)) bool kernel_begins_late(unsigned *times)
{
    *times = *times < PUT_OFF_MOST ? *times + 1 : 0;
    return !*times;
}
