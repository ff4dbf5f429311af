/*
 * What a process waits for without a message: its own packets, and updates that come.
 * And the interrupts of SHRIMP's message part.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "buffer/end.h"
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/nipt.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/io.h"
#include "services/shrimp/pins.h"
#include "services/shrimp/waits.h"

/* Returns the process whose page is in a frame, if the page has mappings; NULL. */
static struct process *owner(uint32_t frame)
{
    struct process *p = processes[*frame_note(frame) >> PIN_GID_SHIFT];

    return p && p->shrimp ? p : NULL;
}

/* ---- Fence ---------------------------------------------------------------- */

/* The most cycles of one call: then interrupts have their turn. */
#define FENCE_MOST      2000

static bool engine_works_for(const struct process *p)
{
    uint32_t frame = nipt_engine();

    return frame && owner(frame) == p;
}

int32_t waits_fence(uint32_t number)
{
    struct shrimp_task *t = current->shrimp;
    uint32_t sp = current->registers.out[6], began = now();

    if (t->fences && (t->fence_sp != sp || t->fence_number != number)) {
        t->fences = false;      /* this is another fence: it waits for more */
    }
    while ((uint32_t)now() - began < FENCE_MOST) {
        if (!t->fences && !engine_works_for(current)) {
            t->fences = true;
            t->fence_sp = sp;
            t->fence_number = number;
            t->fence = nipt_sent();
        }
        if (t->fences && nipt_has_credited(t->fence)) {
            t->fences = false;
            return 0;
        }
    }
    return IO_AGAIN;
}

/* ---- Arrivals ------------------------------------------------------------- */

/* Arms the page of an address, if others map to it. Otherwise the first mapping to it
 * wakes the process. */
static void arm(uint32_t address)
{
    if (pins_has(current, address)) {
        pins_arm(current, address);
    }
}

int32_t waits_look(uint32_t address, uint32_t word)
{
    struct shrimp_task *t = current->shrimp;
    enum memory_result result;
    uint32_t found;
    bool waits;

    if (address & 3) {
        return -EINVAL;
    }
    if (address) {
        result = memory_touch(current, address, !space_is_closed(current, address));
        if (result != MEMORY_OK) {
            return io_error(result);
        }
        arm(address);
        result = memory_read(current, &found, address, sizeof(found));
        if (result != MEMORY_OK || found != word) {
            return io_error(result);
        }
    }
    waits = !t->arrived;
    t->arrived = false;
    return waits;
}

/* Pages whose arrivals one interrupt takes. */
#define ARRIVALS_MOST   8

static void take_arrivals(void)
{
    for (unsigned most = ARRIVALS_MOST; most; most--) {
        uint32_t page = read32(NI_K(ARRIVAL));
        struct process *p;

        if (page == FUGU_SHRIMP_NO_PAGE) {
            return;
        }
        write32(NI_K(ARRIVAL), page);
        p = owner(FUGU_RAM_BASE + page * GLAZE_PAGE);
        if (p) {
            shrimp_arrive(p);
        }
    }
}

/* ---- The Outgoing FIFO ---------------------------------------------------- */

/* Words that may be left in the FIFO when a process goes on after its threshold. */
#define GOES_ON         512

/*
 * The FIFO is above its threshold. Waits for room, and serves the second network; the
 * end of a slot ends the wait, and the next process has to wait too.
 */
static void wait_for_room(void)
{
    write32(NI_K(OUT_AWAIT), FUGU_SHRIMP_FIFO - GOES_ON);
    while (!(ni_pending() & FUGU_PEND_ROOM) &&
           !read32(FUGU_TIMER_BASE + FUGU_TIMER_STATUS)) {
        wait_for_interrupt();
        if (ni_second_present()) {
            message_serve();
        }
    }
    write32(NI_K(OUT_AWAIT), 0);
}

static void count_dropped(void)
{
    uint32_t dropped = read32(NI_K(DROPPED));

    write32(NI_K(DROPPED), 0);
    messages_dropped += dropped - shrimp->dropped;
    shrimp->dropped = dropped;
}

void waits_interrupt(void)
{
    uint32_t asked = ni_pending();

    if (asked & FUGU_PEND_DROPPED) {
        count_dropped();
    }
    if (asked & FUGU_PEND_ARRIVAL) {
        take_arrivals();
    }
    if (asked & FUGU_PEND_OUTGOING) {
        wait_for_room();
    }
}
