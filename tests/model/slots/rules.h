/*
 * The rules of message slots, each of which the models can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_slots_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* Pages (slots.pml) */
#define NEVER_WAITS         1   /* pages: a slot whose page is out ends its job: messages of others are behind it */
#define FILLS               5   /* pages: one whose page nothing has touched goes on */
#define SHARED_STAYS        2   /* pages: a shared page does not go out */
#define UNMAP_FLUSHES       3   /* pages: no slot reaches a page that has been unmapped */
#define OUT_FLUSHES         4   /* pages: nor one that has gone out */

/* Faults and ends (slots.pml) */
#define DROPS_ONE           10  /* pages: the slot of a message that is dropped takes the next one, and loses no other */
#define DROPS_FOR_ENDED     11  /* ends: a slot at fault for a process that has ended goes on */
#define CLOSES_FIRST        12  /* ends: the address space is closed before any page of it is another's */
#define BEGINS_WAITING      13  /* ends: a slot that waits for a message in the memory of the process begins anew */
#define DRAINED_FIRST       14  /* ends: a GID is used again when no message with it is left */

/* Entries of the interface's tables (table.pml) */
#define INVALID_FIRST       20  /* table: an entry is made invalid before its words change */
#define VALID_LAST          21  /* table: it is made valid after all have changed */
#define FORGETS_ENTRY       22  /* table: a process that ends takes its entry out before its GID is used again */

/* Priorities (priorities.pml) */
#define REPLIES_AT_ONE      30  /* two: a handler of priority 0 sends at priority 1 */
#define ONES_SEND_NOTHING   31  /* two: a handler of priority 1 does not send */
#define OWN_SPACE           32  /* two: each priority has source space of its own */
#define OWN_QUEUE           33  /* two: and an input queue */
#define OWN_SLOT            34  /* two: and a slot */
#define SLOTS_GO_ON         35  /* two: slots go on while the program's SEND waits */

/* A GID that is used again (reuse.pml) */
#define MARKS_ZERO          40  /* gid: each node sends each node a marker at priority 0 */
#define MARKS_ONE           41  /* gid: and at priority 1 */
#define AFTER_ALL_ENDS      42  /* gid: markers leave when the job has ended on all nodes */
#define AWAITS_MARKERS      43  /* gid: the GID is used again when all of them have come */
#define STOPS_HANDLERS      44  /* gid: a handler of a process that ends sends nothing more */
#define DROPS_AFTER_END     45  /* gid: messages for a process that has ended are dropped */

/* Waits for a word (wake.pml) */
#define CLOSES_BEFORE_LOOK  50  /* wake: the kernel closes the page before it looks at the word */
#define STORE_WAKES         51  /* wake: a store that stops at the closed page wakes the process */
#define OPENS_PAGE          52  /* wake: and opens the page, so that further stores cause no interrupt */
#define OWN_STORE_OPENS     53  /* wake: so does a store of the process, if something else has woken it */
