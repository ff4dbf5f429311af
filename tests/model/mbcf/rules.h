/*
 * The rules of MBCF, each of which the models can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_mbcf_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* FIFOE, the target */
#define FULL_STOPS          1   /* window: a FIFOE that finds no room stops the FIFO */
#define STOPPED_REFUSES     2   /* window: a FIFO that is stopped refuses each FIFOE, even if there is room */
#define ONE_STOPS           3   /* window: only the FIFOE that stops the FIFO is told so; the others get STOPPED */
#define RETRY_GOES_ON       4   /* window: with a RETRY that finds room, the FIFO goes on */
#define PLAIN_LEAVES_IT     5   /* plain: a FIFO or SIGNAL that finds room leaves the FIFO stopped */

#define EPOCH_REFUSES       6   /* two: a FIFO refuses each FIFOE that names another epoch than its own */
#define RETRY_BEGINS_EPOCH  7   /* two: with the RETRY by which the FIFO goes on, an epoch begins */

/* FIFOE, the requester */
#define KEEPS_ENTRIES       10  /* window: keeps each entry until it is DONE */
#define AGAIN_IN_ORDER      11  /* window: sends what was refused again, in order, before anything else */
#define RETRY_AFTER_STOPS   12  /* window: sends with RETRY only what was told to have stopped the FIFO */
#define ADOPTS_AGAIN        13  /* two: names the epoch of a reply only when it sends again what was refused */

/* Multicasts */
#define WAITS_FOR_ALL       20  /* ends: replies when all copies have replied */
#define FAILURE_COUNTS      21  /* ends: one failure makes the combined reply a failure */
#define CIRCLE_ENDS         22  /* cast: a task does not pass on a multicast that it is passing on */
#define REMEMBERS           23  /* cast: nor one that it has passed on */
#define NO_TASK_REPLIES     24  /* ends: a command to a task that has ended is refused by a reply */
#define END_REPLIES         25  /* ends: a task that ends replies to what it has under way */
#define NOTHING_WAITS       26  /* narrow: a node takes messages while it has some that the network cannot take yet */
