/*
 * Plans of the scheduler's server.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/chores.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/process.h"
#include "policy/plan.h"

static struct glaze_plan newest;
static bool untaken;            /* by the server of this node */

_Static_assert(sizeof(newest) == 4 * PLAN_WORDS, "a message holds a plan");

/* Returns the smallest power of 2 above n. */
static uint32_t above(uint32_t n)
{
    uint32_t power = 1;

    while (power <= n) {
        power *= 2;
    }
    return power;
}

void plan_announce(const struct glaze_plan *plan)
{
    newest = *plan;
    chores_wait |= CHORE_PLAN;
}

void plan_message(const uint32_t *words)
{
    memcpy(&newest, words, sizeof(newest));
    untaken = true;
    process_noted = true;       /* wakes the server */
}

/*
 * Sends to the nodes with the most nodes behind them first. If a newer plan comes
 * while this waits for the network, the nodes that are left get the newer one, and
 * the chore that it notes sends it to all.
 */
void plan_step(void)
{
    uint32_t node = ni_node(), nodes = ni_nodes();

    for (uint32_t step = above(node); node + step < nodes; step *= 2) {
        message_send(node + step, OPERATION_PLAN,
                     (const uint32_t *)&newest, PLAN_WORDS);
    }
}

const struct glaze_plan *plan_new(void)
{
    return untaken ? &newest : NULL;
}

void plan_taken(void)
{
    untaken = false;
}
