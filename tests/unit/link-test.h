/*
 * Unit tests of the frames between processes: functions that the files share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LINK_TEST_H
#define LINK_TEST_H

#include <glib.h>
#include "wire/codec.h"

/* Two packets, and rules that allow both. */
extern const LinkLimits link_test_limits[LINK_NETWORKS];
extern const LinkRules link_test_rules;
extern const LinkPacket link_test_message, link_test_credit;

static inline LinkReader reader(const LinkBuffer *b)
{
    return (LinkReader) { b->data, b->len };
}

/* A frame that is cut or continued anywhere must give an error. */
typedef const char *Get(LinkReader r);
void link_assert_bounds(const LinkBuffer *b, Get *get);

/* link-packet-test.c */
void link_add_packet_tests(void);
/* link-account-test.c */
void link_add_account_tests(void);

#endif /* LINK_TEST_H */
