/*
 * Accounts of the words that nodes have in the network
 *
 * A node has no more words in a network than its space there, and gets no
 * more back than it has sent. Interfaces keep to that by themselves; what
 * comes from another process has to be held to it, packet by packet. So the
 * packets that one process can make another store depend on the nodes and
 * their space, and not on the room in a frame.
 *
 * Words that a credit returns are the sender's again in a later round, and a
 * message is answered in a later round than that in which it was sent. So
 * packets of one round can be entered in any order.
 *
 * Like wire/codec.h it uses the C library alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_ACCOUNT_H
#define FUGU_LINK_ACCOUNT_H

#define LINK_ACCOUNT_NETWORKS   2

/* Of one node in one network, in words. */
typedef struct LinkBalance {
    uint64_t round;             /* that of fresh and back */
    uint32_t out;               /* in the network when it began, and fresh */
    uint32_t fresh;             /* sent in it */
    uint32_t back;              /* returned in it */
} LinkBalance;

typedef struct LinkAccount {
    uint64_t round;
    uint32_t nodes;
    uint32_t most[LINK_ACCOUNT_NETWORKS];       /* words of a node */
    LinkBalance *balance[LINK_ACCOUNT_NETWORKS];        /* by node */
} LinkAccount;

/* Nothing is in the network. Out of memory aborts. */
void link_account_init(LinkAccount *a, uint32_t nodes,
                       const uint32_t most[LINK_ACCOUNT_NETWORKS]);
void link_account_free(LinkAccount *a);

/* What is entered from now on is of the next round. */
void link_account_next_round(LinkAccount *a);

/*
 * Enter a message of @words that @source has sent, or a credit that returns
 * @words to @node. Return NULL, or what is wrong. Caller must have checked
 * that there are such a node and such a network.
 */
const char *link_account_message(LinkAccount *a, unsigned network,
                                 uint32_t source, uint32_t words);
const char *link_account_credit(LinkAccount *a, unsigned network,
                                uint32_t node, uint32_t words);

#endif /* FUGU_LINK_ACCOUNT_H */
