/*
 * Unit tests of the accounts of words in the network
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "link/account.h"
#include "link-test.h"

#define NODES   3
#define SPACE   64
#define SECOND  32

static const char too_much[] = "more words than it has space for";
static const char never_sent[] = "a credit for what was never sent";

static void begin(LinkAccount *a)
{
    const uint32_t most[LINK_ACCOUNT_NETWORKS] = { SPACE, SECOND };

    link_account_init(a, NODES, most);
}

/* Each node can use its whole space in each network. */
static void test_space(void)
{
    const uint32_t most[] = { SPACE, SECOND };
    LinkAccount a;

    begin(&a);
    for (unsigned network = 0; network < 2; network++) {
        for (uint32_t node = 0; node < NODES; node++) {
            g_assert_null(link_account_message(&a, network, node,
                                               most[network] - 16));
            g_assert_cmpstr(link_account_message(&a, network, node, 17), ==,
                            too_much);
            g_assert_null(link_account_message(&a, network, node, 16));
            g_assert_cmpstr(link_account_message(&a, network, node, 1), ==,
                            too_much);
            link_account_next_round(&a);
            g_assert_cmpstr(link_account_message(&a, network, node, 1), ==,
                            too_much);
        }
    }
    g_assert_cmpstr(link_account_message(&a, 0, 0, UINT32_MAX), ==, too_much);
    link_account_free(&a);
}

/* Words are returned once, to the node that has sent them. */
static void test_credits(void)
{
    LinkAccount a;

    begin(&a);
    g_assert_cmpstr(link_account_credit(&a, 0, 1, 1), ==, never_sent);
    g_assert_null(link_account_message(&a, 0, 1, 10));
    link_account_next_round(&a);
    g_assert_cmpstr(link_account_credit(&a, 0, 0, 1), ==, never_sent);
    g_assert_cmpstr(link_account_credit(&a, 1, 1, 1), ==, never_sent);
    g_assert_cmpstr(link_account_credit(&a, 0, 1, 11), ==, never_sent);
    g_assert_cmpstr(link_account_credit(&a, 0, 1, UINT32_MAX), ==, never_sent);
    g_assert_null(link_account_credit(&a, 0, 1, 4));
    g_assert_cmpstr(link_account_credit(&a, 0, 1, 7), ==, never_sent);
    g_assert_null(link_account_credit(&a, 0, 1, 6));
    g_assert_cmpstr(link_account_credit(&a, 0, 1, 1), ==, never_sent);
    link_account_next_round(&a);
    g_assert_cmpstr(link_account_credit(&a, 0, 1, 1), ==, never_sent);
    link_account_free(&a);
}

/*
 * The order within a round does not matter: words that are returned can be
 * used in the next round, and a message can be answered then.
 */
static void test_one_round(void)
{
    LinkAccount a;

    begin(&a);
    g_assert_null(link_account_message(&a, 0, 2, SPACE));
    g_assert_cmpstr(link_account_credit(&a, 0, 2, 1), ==, never_sent);
    link_account_next_round(&a);
    g_assert_null(link_account_credit(&a, 0, 2, SPACE));
    g_assert_cmpstr(link_account_message(&a, 0, 2, 1), ==, too_much);
    link_account_next_round(&a);
    g_assert_null(link_account_message(&a, 0, 2, SPACE));
    link_account_free(&a);
}

/* A sender and a receiver that keep the rules, for many rounds. */
static void test_fair(void)
{
    LinkAccount a;
    uint32_t answered = 0;

    begin(&a);
    for (unsigned round = 0; round < 10000; round++) {
        uint32_t words = 1 + round % (SPACE / 2);

        g_assert_null(link_account_message(&a, 0, 0, words));
        if (answered) {
            g_assert_null(link_account_credit(&a, 0, 0, answered));
        }
        answered = words;
        link_account_next_round(&a);
    }
    link_account_free(&a);
}

/* A stream's words come after it or, in a round, before it. A node that has no stream
 * sends none: of a round's excess nothing is left for later streams to make up for. */
static void test_streams(void)
{
    static const char no_stream[] = "more words than its streams have";
    LinkAccount a;

    begin(&a);
    for (unsigned i = 0; i < 10; i++) {
        g_assert_null(link_account_stream(&a, 0, 1, -1));
    }
    g_assert_null(link_account_stream(&a, 0, 1, 10));
    link_account_next_round(&a);
    g_assert_null(link_account_stream(&a, 0, 1, -1));
    link_account_next_round(&a);
    g_assert_cmpstr(link_account_stream(&a, 0, 1, -1), ==, no_stream);

    for (unsigned i = 0; i < SPACE; i++) {
        g_assert_null(link_account_stream(&a, 0, 0, -1));
    }
    g_assert_cmpstr(link_account_stream(&a, 0, 0, -1), ==, no_stream);
    for (unsigned i = 0; i < 100; i++) {
        g_assert_null(link_account_stream(&a, 0, 2, 10));
    }
    for (unsigned i = 0; i < 2 * SPACE; i++) {
        g_assert_null(link_account_stream(&a, 0, 2, -1));
    }
    g_assert_cmpstr(link_account_stream(&a, 0, 2, -1), ==, no_stream);
    link_account_free(&a);
}

void link_add_account_tests(void)
{
    g_test_add_func("/link/account/space", test_space);
    g_test_add_func("/link/account/credits", test_credits);
    g_test_add_func("/link/account/one-round", test_one_round);
    g_test_add_func("/link/account/fair", test_fair);
    g_test_add_func("/link/account/streams", test_streams);
}
