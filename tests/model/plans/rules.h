/*
 * The rules of plans' ways, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_plans_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* The kernels. */
#define TREE_REACHES_ALL    1   /* five: a node sends to each power of 2 above its number, the smallest one first */
#define PASSES_ON           2   /* five: a plan that comes is a chore: plan_message() */
#define CLEARS_CHORE_FIRST  3   /* six: before it begins, so that a plan that comes meanwhile is a chore again */
#define WAITS_FOR_SPACE     4   /* five: a plan stays until the second network has space for it: message_send() */

/* The server and its calls. */
#define LOOKS_BEFORE_SLEEP  5   /* server: EVENT does not wait while there is a plan */
#define WAKES               6   /* server: a plan that comes wakes the server */
#define TAKES_AT_ONCE       7   /* server: no message comes between the copy of a plan and plan_taken() */

/* The second network. */
#define NETWORK_KEEPS_ORDER 8   /* room: between two nodes */
