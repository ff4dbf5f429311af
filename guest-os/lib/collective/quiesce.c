/*
 * Quiescence, after Mattern, "Algorithms for distributed termination
 * detection", 1987: the four-counter method.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "collective.h"

enum { SENT, HANDLED };         /* words of a wave's value */

#ifndef BY_UPDATES
volatile uint32_t udm_sent_, udm_handled_;
#endif

static void add_both(union value *to, const union value *from)
{
    to->word[SENT] += from->word[SENT];
    to->word[HANDLED] += from->word[HANDLED];
}

/*
 * Returns the sums of both counts over all nodes. The nodes do not read their
 * counts at the same time. But each node reads them after all nodes have begun
 * the wave before, and before any node ends this one.
 */
static union value wave(void)
{
    struct call *call = collective_begin(QUIESCE, 0, 0);
    union value counts = {
        .word = { [SENT] = udm_sent_, [HANDLED] = udm_handled_ }
    };

    collective_gather(call, &counts, add_both);
    collective_release(call, &counts);
    collective_end(call);
    return counts;
}

/*
 * Let t be a time when all nodes have read their counts for one wave, and no
 * node has for the next one. The first wave has counted as handled no more
 * messages than have been handled by t. The next wave has counted as sent no
 * fewer messages than have been sent by t. If these two sums are equal, all
 * messages sent by t have been handled by t. Nothing can send another one: all
 * threads are in this function.
 */
void udm_quiesce(void)
{
    union value before, now;

    ELSE_BY_UPDATES(updates_quiesce());
    now = wave();
    do {
        before = now;
        now = wave();
    } while (now.word[SENT] != before.word[HANDLED]);
}
