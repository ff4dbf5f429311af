/*
 * The rules of shoot-downs, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_shoot_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* The source of a mapping, whose target's page is to go out. */
#define PROTECTS        1   /* pages: a page whose entry is cleared takes no store: the next one faults */
#define CLOSES          2   /* pages: the open packet is closed before the fence begins */
#define FENCES          3   /* pages: the target learns that the entry is cleared when all packets have entered its FIFO */
#define FENCES_ENGINE   4   /* pages: the fence waits for a command that the engine is at */
#define ANSWER_FIRST    5   /* pages: an answer that has come is taken before a shoot-down that came after it */
#define BOTH_SIDES      6   /* pages: a kernel that waits for one shoot-down serves the other's */

/* The target. */
#define DRAINS          7   /* pages: a page goes out when the packets that had entered by then have been stored */
#define COUNTS          8   /* pages: it does not wait until the FIFO is empty, which others' packets keep filled */
#define ANSWERS_IN      9   /* pages: a page that is going out is granted to nobody until it has come back */

/* Each node for its own page, which is mapped out. */
#define CLEARS_OWN      10  /* pages: the entry of a page is cleared before its frame is another's */
#define CLOSES_OWN      11  /* pages: so is its open packet closed */
#define ENGINE_OWN      12  /* pages: so has the engine done with it */
#define DISCARDS        13  /* pages: an answer for a page that is going out sets no entry */
