/*
 * Nodes that have left: their processes have ended, so calls that they have not
 * made cannot complete.
 *
 * A process that ends tells the nodes that may wait for its messages: those at
 * distances 2^k in both directions (barrier.c, tree.c). Each notes how many calls
 * the process has made. In a later call, one of these nodes waits for it, as all
 * others wait for each other. That node ends the job.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "collective.h"

static uint32_t calls;          /* that this node has begun */
static volatile enum function waits;    /* function of a call that this node is
                                           in; NO_FUNCTION: in none */

/* The node that has left after the fewest calls. */
static volatile uint32_t left_after = UINT32_MAX;
static volatile uint32_t left_node;

/* Ends the job if this node is in a call that a node has left before. */
static void check(void)
{
    char text[64];

    if (waits && calls > left_after) {
        snprintf(text, sizeof(text), "node %lu has ended after %lu such calls",
                 (unsigned long)left_node, (unsigned long)left_after);
        collective_mistake(waits, text);
    }
}

void collective_left(uint32_t node, uint32_t after)
{
    if (after < left_after) {
        left_after = after;
        left_node = node;
    }
    check();
}

/* At the process's end. A call that another thread is in counts as not made. */
static void tell(void)
{
    uint32_t nodes = udm_nodes(), made = calls - (waits != NO_FUNCTION);

    collective_look_for_others();
    for (unsigned k = 0; 1u << k < nodes; k++) {
        collective_tell((udm_node() + (1u << k)) % nodes, AFTER, k, made);
        collective_tell((udm_node() + nodes - (1u << k)) % nodes, BEFORE, k, made);
    }
}

/* Every program that has this file tells, since others may have made calls. */
__attribute__((constructor))
static void tell_at_exit(void)
{
    if (COLLECTIVE_IS_HERE) {
        atexit(tell);
    }
}

void collective_enter(enum function function)
{
    calls++;
    waits = function;
    collective_look_for_left();
    check();
}

void collective_leave(void)
{
    waits = NO_FUNCTION;
}
