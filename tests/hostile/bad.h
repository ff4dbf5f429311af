/*
 * Programs that misbehave: a table of named cases for each theme.
 *
 * Where a case ends its job, the line of the source has the mark "ends:" and
 * a name in a comment; test_hostile.py finds the line by it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HOSTILE_BAD_H
#define HOSTILE_BAD_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze-calls.h"
#include "udm.h"

struct bad_case {
    const char *name;
    void (*run)(void);
    bool everywhere;            /* on all nodes, not on the last one alone */
};

/* By theme, up to one without a name. */
extern const struct bad_case message_cases[], memory_cases[], window_cases[],
                             trap_cases[], spy_cases[];

/* Word k behind the case's name, as a number; 0 if there is none. */
uint32_t argument(unsigned k);

/* The last node, where most cases happen, and the one it talks to. */
static inline uint32_t other_node(void)
{
    return udm_node() ? 0 : udm_nodes() - 1;
}

/* Longer than a message to oneself takes; touches no memory, since a page that
 * is missing while it waits would send it through the buffer. */
static inline void pause_for_message(void)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < 5000) {
    }
}

/*
 * Until a slot has just begun, so that none ends in what follows: the other
 * job's lies between two looks at the clock. Bounded, for those alone.
 */
static inline void fresh_slot(void)
{
    uint32_t start = udm_cycles32(), last = start, time = start;

    while (time - last < 2000 && time - start < 200000) {
        last = time;
        time = udm_cycles32();
    }
}

/* A handler that is as it should be. */
void good_handler(void);
extern volatile uint32_t good_handled;

#endif /* HOSTILE_BAD_H */
