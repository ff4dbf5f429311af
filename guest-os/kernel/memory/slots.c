/*
 * Slots of backing store.
 *
 * A program may unmap a page, and a job may end, while the page is on its way
 * to or from its slot. The slot is held for that time: the transfer still uses
 * it, so no other page may get it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/print.h"
#include "memory/slots.h"

static uint32_t total, available;
static uint32_t next;                   /* where the next search begins */
static uint32_t used[SLOTS_MAX / 32];   /* a bit for each slot */

static struct {
    bool active;
    bool given_back;
    uint32_t slot;
} held;

void slots_init(uint32_t count)
{
    total = available = count;
}

uint32_t slots_total(void)
{
    return total;
}

uint32_t slots_free(void)
{
    return available;
}

static bool is_used(uint32_t slot)
{
    return used[slot / 32] >> slot % 32 & 1;
}

uint32_t slot_alloc(void)
{
    uint32_t slot = next;

    if (!available) {
        panic("no slot of backing store is free");
    }
    while (is_used(slot)) {
        slot = (slot + 1) % total;
    }
    used[slot / 32] |= 1u << slot % 32;
    next = (slot + 1) % total;
    available--;
    return slot;
}

void slot_free(uint32_t slot)
{
    if (held.active && held.slot == slot) {
        held.given_back = true;
        return;
    }
    if (!is_used(slot)) {
        panic("slot %u of backing store is given back twice", (unsigned)slot);
    }
    used[slot / 32] &= ~(1u << slot % 32);
    available++;
}

void slot_hold(uint32_t slot)
{
    held.active = true;
    held.given_back = false;
    held.slot = slot;
}

bool slot_release(uint32_t slot)
{
    bool page_exists = !held.given_back;

    held.active = false;
    if (!page_exists) {
        slot_free(slot);
    }
    return page_exists;
}
