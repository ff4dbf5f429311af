/*
 * A barrier of all nodes by words that each node maps to the next one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RING_H
#define RING_H

#include "shrimp.h"

/*
 * A token goes round twice, in a word of the flags: `in` is the word to which the node
 * before tells it, and tell() stores to that of the next node. Node 0 begins.
 */
static inline void ring_token(uint32_t node, const volatile uint32_t *in,
                              void (*tell)(uint32_t what))
{
    static uint32_t turn;

    for (unsigned k = 0; k < 2; k++) {
        turn++;
        if (node) {
            shrimp_wait(in, turn);
        }
        tell(turn);
        if (!node) {
            shrimp_wait(in, turn);
        }
    }
}

#endif /* RING_H */
