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
bool kernel_idles;

__attribute__((cold)) bool kernel_is_asked_for(void)
{
    if (pending() || pending_interrupt()) {
        return true;
    }
    kernel_since = now();
    return false;
}

/*
 * Pieces of pages that come without a pause leave no entry the time for a step of MBCF.
 * After it has been put off eight times in turn, such work begins as soon as an entry
 * has done little else, so that its own time is nearly all that others wait for.
 * Where an access to memory takes some ten cycles, that is always soon. Elsewhere each
 * entry may be too long: then it begins after a hundred times.
 */
#define PUT_OFF         8
#define PUT_OFF_MOST    100
#define LITTLE          4000

__attribute__((cold)) bool kernel_begins_late(unsigned *times)
{
    bool fresh = (uint32_t)now() - kernel_since < LITTLE;

    *times = *times < (fresh ? PUT_OFF : PUT_OFF_MOST) ? *times + 1 : 0;
    return !*times;
}
