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
