/*
 * How a process that ends tells others, by updates.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "inbox.h"

#define own             (*collective_own)

void collective_tell(uint32_t node, enum side side, unsigned k, uint32_t made)
{
    volatile uint32_t *left = &own.left[side == AFTER ? BEFORE : AFTER][k];
    volatile struct inbox *to;

    if (COLLECTIVE_BY_MESSAGES) {
        collective_store(node, left, made + 1);
    } else if ((to = collective_try_to(node))) {
        to->left[side == AFTER ? BEFORE : AFTER][k] = made + 1;
        collective_flush();
    }
}

void collective_look_for_left(void)
{
    uint32_t nodes = udm_nodes(), node = udm_node();

    for (unsigned k = 0; 1u << k < nodes; k++) {
        if (own.left[AFTER][k]) {
            collective_left((node + (1u << k)) % nodes, own.left[AFTER][k] - 1);
        }
        if (own.left[BEFORE][k]) {
            collective_left((node + nodes - (1u << k)) % nodes,
                            own.left[BEFORE][k] - 1);
        }
    }
}
