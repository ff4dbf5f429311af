/*
 * Accounts of the words that nodes have in the network
 *
 * A node never has more words in a network than its source space there, and
 * credits never return more words than the node has sent. The interfaces of
 * this process obey this rule by design. The link checks each packet from
 * another process against the rule. So the number of packets that one process
 * can make another one store is bounded by the nodes and their source space,
 * and not only by the size of a frame.
 *
 * A node can use the words that a credit returns in a later round only, and the
 * credit for a message comes in a later round than the message. So the packets
 * of one round can be entered in any order.
 *
 * Like wire/codec.h, this file uses the C library alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_ACCOUNT_H
#define FUGU_LINK_ACCOUNT_H

#define LINK_ACCOUNT_NETWORKS   3

/* The balance of one node in one network, in words. */
typedef struct LinkBalance {
    uint64_t round;             /* the round of the members below */
    uint32_t out;               /* words in the network at the round's start,
                                   plus fresh */
    uint32_t fresh;             /* words sent in the round */
    uint32_t back;              /* words returned by credits in the round */
    int32_t stream;             /* words that its streams may still send */
} LinkBalance;

typedef struct LinkAccount {
    uint64_t round;             /* number of the current round */
    uint32_t nodes;
    uint32_t most[LINK_ACCOUNT_NETWORKS];       /* source space of a node */
    LinkBalance *balance[LINK_ACCOUNT_NETWORKS];        /* index: node */
} LinkAccount;

/*
 * Opens the account of @nodes nodes with nothing in the network. Aborts if
 * there is no memory.
 */
void link_account_init(LinkAccount *a, uint32_t nodes,
                       const uint32_t most[LINK_ACCOUNT_NETWORKS]);
void link_account_free(LinkAccount *a);

/* Begins the next round: later entries belong to it. */
void link_account_next_round(LinkAccount *a);

/*
 * link_account_message() enters a message of @words words that @source has
 * sent. link_account_credit() enters a credit that returns @words words to
 * @node. Both return NULL, or what is wrong. Caller must have checked that the
 * node and the network exist.
 */
const char *link_account_message(LinkAccount *a, unsigned network,
                                 uint32_t source, uint32_t words);
const char *link_account_credit(LinkAccount *a, unsigned network,
                                uint32_t node, uint32_t words);

/*
 * Enters that a stream of @source may send @words words after those that open it, or
 * has sent -@words. Returns NULL, or what is wrong. In a round the words may come
 * before their stream.
 */
const char *link_account_stream(LinkAccount *a, unsigned network,
                                uint32_t source, int32_t words);

#endif /* FUGU_LINK_ACCOUNT_H */
