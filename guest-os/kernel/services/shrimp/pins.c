/*
 * Pins.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/nipt.h"
#include "memory/space.h"
#include "services/shrimp/pins.h"

#define IN_MASK         (FRAME_PIN_IN_MASK)

uint32_t pins_frame(struct process *p, uint32_t page)
{
    return pte_physical(*space_entry(p, page));
}

bool pins_has(struct process *p, uint32_t page)
{
    return space_is_in(p, page) && *frame_note(pins_frame(p, page));
}

bool pins_prepare(struct process *p, uint32_t page)
{
    return space_make_entry(p, page + SHRIMP_COMMANDS);
}

uint32_t pins_command_entry(uint32_t frame)
{
    return (frame + FUGU_COMMAND_OFFSET) >> 4 | ACCESS_RW_RW << PTE_ACCESS_SHIFT |
           PTE_PAGE;
}

bool pins_add(struct process *p, uint32_t page, uint32_t which)
{
    uint32_t frame = pins_frame(p, page), *note = frame_note(frame);

    if (!*note) {
        if (shrimp->pinned >= frames_total() / 2 || p->pinned >= frames_total() / 4) {
            return false;
        }
        shrimp->pinned++;
        p->pinned++;
        *note = p->gid << PIN_GID_SHIFT;
        *space_entry(p, page + SHRIMP_COMMANDS) = pins_command_entry(frame);
    }
    *note += which;
    if (which == PIN_IN) {
        *space_entry(p, page) |= PTE_MODIFIED;
        nipt_select(frame);
        if ((*note & IN_MASK) == PIN_IN) {
            nipt_set_in(true);
        }
    }
    return true;
}

void pins_arm(struct process *p, uint32_t page)
{
    uint32_t frame = pins_frame(p, page);

    if (*frame_note(frame) & IN_MASK) {
        nipt_select(frame);
        write32(NI_K(NIPT_IN), FUGU_NIPT_IN_MAPPED | FUGU_NIPT_IN_ARMED);
    }
}

void pins_remove(struct process *p, uint32_t page, uint32_t which)
{
    uint32_t frame = pins_frame(p, page), *note = frame_note(frame);

    *note -= which;
    if (which == PIN_IN && !(*note & IN_MASK)) {
        nipt_select(frame);
        nipt_set_in(false);
        shrimp_arrive(p);       /* the interrupt of an update may not be taken yet */
    }
    if (*note == p->gid << PIN_GID_SHIFT) {
        *note = 0;
        shrimp->pinned--;
        p->pinned--;
        *space_entry(p, page + SHRIMP_COMMANDS) = 0;
        mmu_flush(p == current ? page + SHRIMP_COMMANDS + MMU_FLUSH_PAGE
                               : MMU_FLUSH_ALL);
    }
}
