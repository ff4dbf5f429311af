/*
 * The rules of maps over the network, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_maps_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* The source (services/shrimp/source.c). */
#define CLEARS_FIRST    1   /* pages: the entry is cleared before the fence begins */
#define FENCES_UNMAP    2   /* pages: the target learns of an end when all packets have entered its FIFO */
#define FENCES_END      3   /* pages: so it does when it has asked for the end */
#define NAMES_GRANT     4   /* pages: an end from the target is for the mapping with the grant that it names */
#define AWAITS_REPLY    5   /* pages: a process that is being answered ends after that */
#define ANSWER_FIRST    10  /* pages: an answer that has come is taken before the news of an export */

/* The target (services/shrimp/target.c). */
#define DRAINS          6   /* pages: a page is free when all packets that had entered have been stored */
#define ENDS_GRANTS     7   /* pages: a process keeps its pages until nothing maps to them */
#define RETRIES         8   /* pages: a new export is told to those who wait for it */
#define RETRIES_AT_END  9   /* pages: the end of a process is told to them, too */
