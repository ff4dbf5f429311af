/*
 * The barrier. In round k, each node signals the node 2^k after it, and waits
 * for the node 2^k before it. After round k it knows of 2^(k+1) nodes, itself
 * among them, that they have called.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "collective.h"

void udm_barrier(void)
{
    uint32_t nodes = udm_nodes();
    struct call *call;

    ELSE_BY_UPDATES(updates_barrier());
    call = collective_begin(BARRIER, 0, 0);
    for (unsigned k = 0; 1u << k < nodes; k++) {
        uint32_t to = udm_node() + (1u << k);

        collective_signal(call, to < nodes ? to : to - nodes, k);
        collective_take(call, k);
    }
    collective_end(call);
}
