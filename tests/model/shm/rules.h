/*
 * The rules of the protocol of shared memory, each of which the model can be
 * told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_shm_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* Release */
#define RELEASE_WAITS       1   /* pair: an interval ends when the homes have acknowledged its differences */
#define REFUSED_IS_SENT     4   /* whole: a page that the home has not taken whole goes to it as a difference */
#define ONLY_CHANGED        2   /* pair: a difference has what the process has changed, and no more of the page */
#define CLOSE_PROTECTS      3   /* pair: at the end of an interval, dirty pages become read-only */

/* Acquire */
#define NOTICES_DROP        10  /* pair: a node forgets its copies of the pages that a record lists */
#define LACKS_FORGETS       11  /* log: a node that needs records which are not in the log forgets all copies */
#define GAPS_KEPT           14  /* log-three: and notes that its own log does not have them */

/* Allocation */
#define FREE_RELEASES       12  /* blocks: a process that frees a block passes the lock of allocation first */
#define MALLOC_ACQUIRES     13  /* blocks: a process that gets a freed block passes that lock before it uses the block */

/* Fetch */
#define OPEN_WAITS          21  /* flag: a page of the home that the open interval may have written is sent when the interval has ended */
#define OWN_IS_SHARED       22  /* pair: once it has been sent, the process writes it with twin and notice */
#define SENT_PROTECTS       26  /* no-order: and the process loses its right to write it at once */
#define VERSIONS_ACQUIRED   23  /* flag: a reader acquires the intervals that a page has and that it has not seen */
#define TOLD_ALL            25  /* flag-log: with a page go all its intervals that some process may not have seen, in the home's log or not */
#define AGAIN               24  /* flag: if notices list the page that has come, it is fetched again */

/* Locks that carry words */
#define CARRIED_GO_HOME     51  /* carry: words that a lock has carried go to their home before another lock or a barrier shows them */
#define CARRIED_RECORDED    52  /* carry: and into the record of the interval */
#define CARRIED_OTHERS      57  /* seen: a lock that is passed on shows the words of other locks */
#define CARRIED_IN_ORDER    53  /* carry: a home takes no words that are older than those it has of the same lock */
#define CARRIED_GO_FIRST    54  /* carry-three: a home gets the words that it may lack before the page is fetched */
#define CARRIED_OR_DIRTY    55  /* carry: what a lock carries is no longer its own when the page has a twin */
#define CARRIED_FOLLOW      56  /* carry-own: a copy gets the words that are new to it */
#define CARRIED_FORGOTTEN   59  /* carry: records that come in no order bring no words: a copy that lacks these is forgotten */

/* Home */
#define WHOLE_COUNTS        31  /* whole: a home takes a whole page if the page has not changed since the writer's copy */
#define WHOLE_NOT_DIRTY     32  /* whole: and if the home's open interval has not written it */
#define WRITER_STAYS        34  /* pair: a process that writes a page at home is its home for ever */
#define NEW_HOME_SHARES     33  /* pair: a new home learns that other nodes have copies */

/* Faults at home */
#define MAPPED_AT_ONCE      41  /* pair: the memory that a page gets is clear before a difference or the page can be stored in it */
#define HOME_STAYS          42  /* pair: a process gets a right to a page of its own node's home if the home has not changed during the fault */
#define NOTHING_UNSEEN      43  /* flag-home: and if no writes have come that the process has not acquired */
