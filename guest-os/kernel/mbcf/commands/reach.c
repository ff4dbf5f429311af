/*
 * Memory of a task, as a command reaches it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mbcf/commands/reach.h"
#include "space/memory.h"
#include "space/space.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

static bool covers(const struct mbcf_range *range, uint32_t address,
                   uint32_t bytes, enum reach how)
{
    static const uint32_t needs[] = {
        [REACH_READ] = MBCF_RANGE_READ,
        [REACH_WRITE] = MBCF_RANGE_WRITE,
        [REACH_STRUCTURE] = 0,
    };
    uint32_t offset = address - range->address;

    return offset < range->bytes && bytes <= range->bytes - offset &&
           (range->rights & needs[how]) == needs[how];
}

static bool agent_may(const struct mbcf_task *t, uint32_t agent,
                      uint32_t address, uint32_t bytes, enum reach how)
{
    if (!agent) {
        return true;
    }
    for (unsigned k = 0; k < MBCF_RANGES; k++) {
        if (covers(&t->agent[agent - 1].range[k], address, bytes, how)) {
            return true;
        }
    }
    return false;
}

/* Returns the status of a command that needs a page which is not in memory. */
static uint32_t wait(struct process *p, uint32_t page)
{
    if (p->lost) {
        return MBCF_LOST;
    }
    if (p->remote_refused == page) {
        p->remote_refused = 0;
        return MBCF_NO_MEMORY;
    }
    p->remote = page;
    return REACH_LATER;
}

uint32_t reach_check(struct process *p, uint32_t agent, uint32_t address,
                     uint32_t bytes, enum reach how)
{
    uint32_t last = address + bytes - 1, missing = 0;

    if (last < address || !agent_may(p->mbcf, agent, address, bytes, how)) {
        return MBCF_BAD_ADDRESS;
    }
    for (uint32_t page = address & ~PAGE_MASK; page - 1 != (last | PAGE_MASK);
         page += GLAZE_PAGE) {
        switch (memory_look(p, page, how != REACH_READ)) {
        case MEMORY_OK:
            break;
        case MEMORY_LATER:
            missing = missing ? missing : page;
            break;
        default:
            return MBCF_BAD_ADDRESS;
        }
    }
    return missing ? wait(p, missing) : MBCF_DONE;
}

uint32_t reach_physical(struct process *p, uint32_t address)
{
    return pte_physical(*space_entry(p, address)) + (address & PAGE_MASK);
}

void reach_load(struct process *p, void *to, uint32_t from, uint32_t bytes)
{
    memory_read(p, to, from, bytes);
}

void reach_store(struct process *p, uint32_t to, const void *from,
                 uint32_t bytes)
{
    memory_write(p, to, from, bytes);
}
