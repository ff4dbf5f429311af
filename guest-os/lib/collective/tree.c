/*
 * A binomial tree of all nodes, with any root.
 *
 * Nodes are numbered relative to the root, which is 0. The parent of a node is
 * the number without its lowest bit; the children of a node are the numbers
 * with one more bit, below its lowest one. So the root has at most ROUNDS
 * children, and no path is longer than that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "collective.h"

/* Returns this node's number relative to the root. */
static uint32_t relative(const struct call *call)
{
    uint32_t node = udm_node();

    return node - call->root + (node < call->root ? udm_nodes() : 0);
}

static uint32_t absolute(const struct call *call, uint32_t relative)
{
    uint32_t node = relative + call->root;

    return node - (node >= udm_nodes() ? udm_nodes() : 0);
}

bool collective_is_root(const struct call *call)
{
    return udm_node() == call->root;
}

void collective_gather(struct call *call, union value *value,
                       combine_t *combine)
{
    uint32_t nodes = udm_nodes(), self = relative(call);

    for (unsigned k = 0; 1u << k < nodes; k++) {
        if (self & 1u << k) {
            collective_send(call, absolute(call, self - (1u << k)), k, value);
            return;
        }
        if (self + (1u << k) < nodes) {
            combine(value, collective_take(call, k));
        }
    }
}

unsigned collective_children(const struct call *call,
                             uint32_t children[ROUNDS])
{
    uint32_t nodes = udm_nodes(), self = relative(call);
    unsigned count = 0, k = 0;

    while (1u << k < nodes && !(self & 1u << k)) {
        k++;
    }
    while (k-- > 0) {
        if (self + (1u << k) < nodes) {
            children[count++] = absolute(call, self + (1u << k));
        }
    }
    return count;
}

void collective_release(struct call *call, union value *value)
{
    uint32_t children[ROUNDS];
    unsigned count = collective_children(call, children);

    if (!collective_is_root(call)) {
        *value = *collective_take(call, FROM_PARENT);
    }
    for (unsigned k = 0; k < count; k++) {
        collective_send(call, children[k], FROM_PARENT, value);
    }
}
