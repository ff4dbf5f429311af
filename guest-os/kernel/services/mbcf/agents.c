/*
 * Agents: their ranges and keys.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "services/mbcf/agents.h"
#include "services/mbcf/keys.h"
#include "machine/ni.h"

/* Returns whether both have a byte in common. Neither goes over the end of
 * all addresses. */
static bool overlap(uint32_t a, uint32_t a_bytes, uint32_t b, uint32_t b_bytes)
{
    return a < b ? b - a < a_bytes && b_bytes : a - b < b_bytes && a_bytes;
}

static bool covers(const struct mbcf_range *range, uint32_t address,
                   uint32_t bytes, uint32_t rights)
{
    uint32_t offset = address - range->address;

    return offset < range->bytes && bytes <= range->bytes - offset &&
           (range->rights & rights) == rights;
}

static bool touches(const struct mbcf_agent *agent, uint32_t address,
                    uint32_t bytes, uint32_t rights)
{
    for (unsigned k = 0; k < MBCF_RANGES; k++) {
        const struct mbcf_range *range = &agent->range[k];

        if (range->rights & rights &&
            overlap(range->address, range->bytes, address, bytes)) {
            return true;
        }
    }
    return false;
}

bool agents_cover(const struct mbcf_task *t, uint32_t agent, uint32_t address,
                  uint32_t bytes, uint32_t rights)
{
    uint32_t first = agent == AGENTS_ANY ? 0 : agent - 1;
    uint32_t end = agent == AGENTS_ANY ? MBCF_AGENTS : agent;

    for (; first < end; first++) {
        for (unsigned k = 0; k < MBCF_RANGES; k++) {
            if (covers(&t->agent[first].range[k], address, bytes, rights)) {
                return true;
            }
        }
    }
    return false;
}

bool agents_touch(const struct mbcf_task *t, uint32_t address, uint32_t bytes,
                  uint32_t rights)
{
    for (unsigned k = 0; k < MBCF_AGENTS; k++) {
        if (touches(&t->agent[k], address, bytes, rights)) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether a range is one that an agent can have. Ranges hold no views:
 * a view is a second address of a page, which a comparison of addresses would
 * not find.
 */
static bool is_range(const struct mbcf_range *range)
{
    uint32_t rights = range->rights & ~MBCF_RANGE_READ;

    return range->bytes <= -range->address && range->rights &&
           (rights == 0 || rights == MBCF_RANGE_WRITE ||
            rights == MBCF_RANGE_STRUCTURE ||
            rights == (MBCF_RANGE_WRITE | MBCF_RANGE_CAST)) &&
           !overlap(range->address, range->bytes, GLAZE_VIEWS,
                    GLAZE_VIEWS_END - GLAZE_VIEWS);
}

/*
 * Returns whether clients of either agent could write to a structure of the
 * other.
 */
static bool clash(const struct mbcf_agent *a, const struct mbcf_agent *b)
{
    for (unsigned k = 0; k < MBCF_RANGES; k++) {
        const struct mbcf_range *range = &a->range[k];
        uint32_t other = range->rights & MBCF_RANGE_WRITE ?
                         MBCF_RANGE_STRUCTURE :
                         range->rights & MBCF_RANGE_STRUCTURE ?
                         MBCF_RANGE_WRITE : 0;

        if (touches(b, range->address, range->bytes, other)) {
            return true;
        }
    }
    return false;
}

bool agents_make(struct mbcf_task *t, uint32_t index, struct mbcf_agent *agent)
{
    uint32_t bytes = 0;

    if (index >= MBCF_AGENTS) {
        return false;
    }
    for (unsigned k = 0; k < MBCF_RANGES; k++) {
        bytes |= agent->range[k].bytes;
        if (agent->range[k].bytes && !is_range(&agent->range[k])) {
            return false;
        }
    }
    for (unsigned k = 0; k < MBCF_AGENTS; k++) {
        if (clash(agent, k == index ? agent : &t->agent[k])) {
            return false;
        }
    }
    agent->key = !bytes ? 0 : t->agent[index].key ? t->agent[index].key :
                 keys_of_agent(ni_node(), current->number, ++t->agents_made);
    agent->task = (index + 1) << 8 | t->page.task;
    t->agent[index] = *agent;
    return true;
}
