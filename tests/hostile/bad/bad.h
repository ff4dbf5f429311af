/*
 * Programs that misbehave: a table of named cases for each topic.
 *
 * Where a case ends its job, the source line has a comment with the mark
 * "ends:" and a name; test_hostile.py finds the line by it.
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
    bool everywhere;            /* on all nodes, not only the last one */
};

/* One table per topic, each ended by an entry without a name. */
extern const struct bad_case message_cases[], memory_cases[], window_cases[],
                             trap_cases[], spy_cases[];

/* Argument k after the case's name, as a number; 0 if there is none. */
uint32_t argument(unsigned k);

/* Returns the node that this one talks to: 0, and on node 0 the last one,
 * where most cases happen. */
static inline uint32_t other_node(void)
{
    return udm_node() ? 0 : udm_nodes() - 1;
}

/* Waits longer than a message to this node takes. The wait touches no memory:
 * a missing page would make the kernel move the message to the buffer. */
static inline void pause_for_message(void)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < 5000) {
    }
}

/*
 * Waits until a slot has just begun, so that none ends in the code that
 * follows. A long gap between two readings of the clock was the other job's
 * slot. The wait is bounded, since there may be no other job.
 */
static inline void fresh_slot(void)
{
    uint32_t start = udm_cycles32(), last = start, time = start;

    while (time - last < 2000 && time - start < 200000) {
        last = time;
        time = udm_cycles32();
    }
}

/* A correct handler. */
void good_handler(void);
extern volatile uint32_t good_handled;

#endif /* HOSTILE_BAD_H */
