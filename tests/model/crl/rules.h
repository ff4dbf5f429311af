/*
 * The rules of CRL's protocol, each of which the model can be told to break.
 *
 * KEEP(RULE) is true unless the environment variable BROKEN has the rule's
 * number. Each rule is one line: its name, its number, the bounds
 * (test_crl_model.py) within which the checker must find an error without the
 * rule, and the rule itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define KEEP(rule) (broken != rule)

/* Network */
#define CHANNELS_IN_ORDER   1   /* words: messages from one node to another arrive in the order in which they are sent */

/* Home: one transaction at a time */
#define ONE_TRANSACTION     10  /* words: a request that comes during a transaction waits */
#define QUEUE_IN_ORDER      11  /* remote-live: waiting requests are served in the order of their arrival */
#define HOME_QUEUES         12  /* home-live: the home's own operations that miss wait in the same queue */
#define END_GOES_ON         13  /* words: when an operation of the home ends, the transaction that waits for it continues */
#define SENDING_IS_OPEN     14  /* bodies: while data are on their way out of the home, the transaction stays open */

/* Home: read */
#define READ_RECALLS        20  /* words: if another node is the owner, the home recalls the data */
#define READ_WAITS          21  /* words: data leave the home only when it has no open write */
#define READ_ADDS_SHARER    22  /* words: the requester becomes a sharer */
#define KEPT_IS_SHARER      23  /* words: an owner that has answered a recall and kept a copy becomes a sharer */

/* Home: write */
#define WRITE_RECALLS       30  /* words: if another node is the owner, the home recalls the data */
#define WRITE_INVALIDATES   31  /* words: the home sends INV to each sharer but the requester */
#define WRITE_COLLECTS      32  /* words: the grant waits for all acknowledgements */
#define WRITE_WAITS         33  /* words: the grant waits for the home's own open operations */
#define WRITE_DROPS_HOME    34  /* words: the home's own copy becomes invalid */
#define DROPS_FIRST         35  /* bodies: the home's copy becomes invalid before the data go out, not afterwards */
#define WRITE_NAMES_OWNER   36  /* words: the requester becomes the owner */
#define GRANT_TO_SHARER     37  /* words: no data are left out unless the requester is a sharer when the transaction begins */
#define GRANT_IF_IT_HAS     38  /* words: no data are left out unless the requester says that it has a copy */

/* Home: its own operations that hit */
#define HOME_READ_VALID     40  /* words: a read needs a valid copy */
#define HOME_WRITE_VALID    41  /* words: a write needs that no other node is the owner */
#define HOME_WRITE_ALONE    42  /* words: a write needs that there are no sharers */
#define HOME_WRITE_QUIET    43  /* words: a write needs that there is no transaction */

/* Remote copy: demands */
#define INV_WAITS           50  /* words: INV waits for the end of the last open operation */
#define INV_DROPS           51  /* words: the copy becomes invalid */
#define INV_ANSWERED        52  /* words: INV is acknowledged even if there is no copy */
#define RECALL_WAITS        53  /* words: RECALL_INVALID waits for the end of the last open operation */
#define SHARED_WAITS        54  /* words: RECALL_SHARED waits for the end of an open write */
#define SHARED_AT_ONCE      55  /* crossed: RECALL_SHARED is answered at once if only reads are open */
#define RECALL_DROPS        56  /* words: after RECALL_INVALID the copy is invalid */
#define SHARED_CANNOT_WRITE 57  /* words: after RECALL_SHARED the copy is shared */
#define LATE_RECALL_IGNORED 58  /* words: a recall that meets no exclusive copy is ignored */
#define END_ANSWERS         59  /* words: the end of an operation answers the demand that has waited for it */

/* Remote copy: requests */
#define HANDLER_OPENS       60  /* remote-live: the handler that brings the data opens the operation that waits for them */
#define HOME_HANDLER_OPENS  61  /* home-live: the same, for an operation of the home that has waited */
#define NESTED_HITS         62  /* words: a read within a read hits, even if a demand waits for the end */

/* Copies that are dropped */
#define EXCLUSIVE_FLUSHES   70  /* words: who drops an exclusive copy sends its data home */
#define FLUSH_ANSWERS       71  /* words: FLUSH is an answer to a recall that it has crossed */

#define DATA_STAY           72  /* bodies: the data stay where they are until they have left */

/* Delete */
#define FORGET_ALL          80  /* delete: the home tells all nodes that know the region */
#define FORGET_COLLECTS     81  /* delete: the region is gone when all of them have answered */
#define FORGET_AFTER_DATA   82  /* delete-bodies: the answer goes after the data that are still on their way out */
