/*
 * Memory of a task, as a command reaches it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/gids.h"
#include "machine/message.h"
#include "machine/pending.h"
#include "services/mbcf/agents.h"
#include "services/mbcf/reach.h"
#include "memory/memory.h"
#include "memory/space.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/* Returns whether an agent lets a command reach memory: MBCF_DONE or why not. */
static uint32_t agent_lets(const struct mbcf_task *t, uint32_t agent,
                           uint32_t address, uint32_t bytes, enum reach how)
{
    static const uint32_t needs[] = {
        [REACH_READ] = MBCF_RANGE_READ,
        [REACH_WRITE] = MBCF_RANGE_WRITE,
        [REACH_CAST] = MBCF_RANGE_WRITE | MBCF_RANGE_CAST,
        [REACH_STRUCTURE] = MBCF_RANGE_STRUCTURE,
    };

    switch (how) {
    case REACH_INNER:
        return agents_cover(t, AGENTS_ANY, address, bytes,
                            MBCF_RANGE_STRUCTURE)
               ? MBCF_DONE : MBCF_BAD_STRUCTURE;
    case REACH_POINTED:
        return agents_touch(t, address, bytes, MBCF_RANGE_STRUCTURE)
               ? MBCF_BAD_STRUCTURE : MBCF_DONE;
    default:
        return agents_cover(t, agent, address, bytes, needs[how])
               ? MBCF_DONE : MBCF_BAD_ADDRESS;
    }
}

/*
 * Returns the status of a command that needs a page which is not in memory. The page
 * that the pager brings first stays the first: what comes later never replaces it.
 */
static uint32_t wait(struct process *p, uint32_t page)
{
    if (p->lost) {
        return MBCF_LOST;
    }
    if (p->remote_refused == page) {
        p->remote_refused = 0;
        return MBCF_NO_MEMORY;
    }
    if (!p->remote) {
        p->remote = page;
        gids_add(&processes_needy, p->gid);
        p->remote_own = false;
    }
    return REACH_LATER;
}

uint32_t reach_check(struct process *p, uint32_t agent, uint32_t address,
                     uint32_t bytes, enum reach how)
{
    uint32_t last = address + bytes - 1, missing = 0, status;

    if (last < address) {
        return MBCF_BAD_ADDRESS;
    }
    status = agent ? agent_lets(p->mbcf, agent, address, bytes, how)
                   : MBCF_DONE;
    if (status != MBCF_DONE) {
        return status;
    }
    for (uint32_t page = address & ~PAGE_MASK; page - 1 != (last | PAGE_MASK);
         page += GLAZE_PAGE) {
        switch (memory_look(p, page, how != REACH_READ)) {
        case MEMORY_OK:
            break;
        case MEMORY_LATER:
            missing = missing ? missing : memory_page(p, page);
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

uint32_t reach_physical_to_write(struct process *p, uint32_t address)
{
    *space_entry(p, address) |= PTE_MODIFIED;
    return reach_physical(p, address);
}

/* Bytes between two looks for a piece of a page, and cycles that one of them takes at
 * most. A piece would wait for the end of the command otherwise, and a page has 79. */
#define LOOK_BYTES      256
#define BYTE_MOST       4

void reach_load(struct process *p, void *to, uint32_t from, uint32_t bytes)
{
    for (; bytes > LOOK_BYTES; bytes -= LOOK_BYTES, from += LOOK_BYTES) {
        memory_read(p, to, from, LOOK_BYTES);
        to = (uint8_t *)to + LOOK_BYTES;
        message_look(BYTE_MOST * bytes);
    }
    memory_read(p, to, from, bytes);
}

void reach_store(struct process *p, uint32_t to, const void *from,
                 uint32_t bytes)
{
    for (; bytes > LOOK_BYTES; bytes -= LOOK_BYTES, to += LOOK_BYTES) {
        memory_write(p, to, from, LOOK_BYTES);
        from = (const uint8_t *)from + LOOK_BYTES;
        message_look(BYTE_MOST * bytes);
    }
    memory_write(p, to, from, bytes);
}
