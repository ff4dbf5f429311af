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
 * Where an access to memory takes some ten cycles, attacks put a step of MBCF off 30
 * times in turn, and other work four times. After 50 times, such work begins as soon as
 * an entry has done little else, so that its own time is all that network and clock
 * wait for. After as many again, each entry is too long.
 */
#define PUT_OFF_MOST    50
#define LITTLE          4000

__attribute__((cold)) bool kernel_begins_late(unsigned *times)
{
    bool fresh = (uint32_t)now() - kernel_since < LITTLE;

    *times = *times < (fresh ? PUT_OFF_MOST : 2 * PUT_OFF_MOST) ? *times + 1 : 0;
    return !*times;
}
