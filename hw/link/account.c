/*
 * Accounts of the words that nodes have in the network. See account.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "account.h"

void link_account_init(LinkAccount *a, uint32_t nodes,
                       const uint32_t most[LINK_ACCOUNT_NETWORKS])
{
    *a = (LinkAccount) { .nodes = nodes };
    for (unsigned i = 0; i < LINK_ACCOUNT_NETWORKS; i++) {
        a->most[i] = most[i];
        a->balance[i] = calloc(nodes, sizeof(LinkBalance));
        if (!a->balance[i]) {
            abort();
        }
    }
}

void link_account_free(LinkAccount *a)
{
    for (unsigned i = 0; i < LINK_ACCOUNT_NETWORKS; i++) {
        free(a->balance[i]);
        a->balance[i] = NULL;
    }
}

void link_account_next_round(LinkAccount *a)
{
    a->round++;
}

/* Returns a node's balance, after bringing it forward to this round. */
static LinkBalance *balance_of(LinkAccount *a, unsigned network, uint32_t node)
{
    LinkBalance *b;

    assert(network < LINK_ACCOUNT_NETWORKS && node < a->nodes);
    b = &a->balance[network][node];
    if (b->round != a->round) {
        b->round = a->round;
        b->out -= b->back;
        b->fresh = 0;
        if (b->stream < 0) {
            /* They had no stream: nothing is left for later ones to make up for. */
            b->stream = -(int32_t)a->most[network];
        }
        b->back = 0;
    }
    return b;
}

const char *link_account_message(LinkAccount *a, unsigned network,
                                 uint32_t source, uint32_t words)
{
    LinkBalance *b = balance_of(a, network, source);

    if (words > a->most[network] - b->out) {
        return "more words than it has space for";
    }
    b->out += words;
    b->fresh += words;
    return NULL;
}

const char *link_account_stream(LinkAccount *a, unsigned network,
                                uint32_t source, int32_t words)
{
    LinkBalance *b = balance_of(a, network, source);
    int32_t most = a->most[network];

    b->stream += words;
    if (b->stream > most) {
        b->stream = most;               /* of streams that have ended early */
    }
    return b->stream < -most ? "more words than its streams have" : NULL;
}

const char *link_account_credit(LinkAccount *a, unsigned network,
                                uint32_t node, uint32_t words)
{
    LinkBalance *b = balance_of(a, network, node);

    if (words > b->out - b->fresh - b->back) {
        return "a credit for what was never sent";
    }
    b->back += words;
    return NULL;
}
