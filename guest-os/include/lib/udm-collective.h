/*
 * Collective operations: barrier, broadcast, reduction and quiescence.
 *
 * All nodes of a job call the same operations in the same order, with the same
 * operation and root. Any number of nodes will do. The library sends plain UDM
 * messages (udm.h), so the program's own messages can be on their way before,
 * during and after a call, and their handlers run meanwhile. On a machine with
 * SHRIMP's interface it sends updates instead (shrimp.h), after a fence, and on one
 * with the M-Machine's messages that store (mm.h). docs/udm.md is the reference.
 *
 * No node begins to send for a call before all nodes have begun the call
 * before it. So a node can be at most one call ahead of any other node, and a
 * program may make one call right after the other.
 *
 * One thread of a process at a time may be in a call: usually the thread of
 * main(). These mistakes end the job with status 118 and a line that names the
 * call: a call in a handler or in an atomic section; two threads in calls at
 * the same time; a root that does not exist; wrong addresses or lengths; and
 * nodes that make different calls, when a message for one call arrives at a
 * node that makes the other. If no message does, as when one node makes
 * fewer calls than another, nodes wait; once all do, the run ends as a deadlock
 * (125).
 *
 * In the costs below, N is the number of nodes, and L is log2 N, rounded up.
 * No call sends a message if N is 1.
 *
 *     #include <stdio.h>
 *     #include "udm-collective.h"
 *
 *     int main(void)
 *     {
 *         uint32_t number = udm_node() == 0 ? 10 : 0;
 *         int64_t sum;
 *
 *         udm_broadcast(0, &number, sizeof(number));
 *         sum = udm_reduce_int(0, UDM_SUM, number + udm_node());
 *         if (udm_node() == 0) {
 *             printf("the sum is %lld\n", (long long)sum);
 *         }
 *         return 0;
 *     }
 *
 * On four nodes it prints "the sum is 46".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef UDM_COLLECTIVE_H
#define UDM_COLLECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "udm.h"
#include "udm-thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Waiting ------------------------------------------------------------ */

/*
 * Selects how the following calls on this node wait. UDM_WAIT_SPIN is the
 * default; udm-thread.h describes both ways. Nodes may wait in different ways.
 * Sends no messages. Not to be called while another thread is in a call.
 *
 *   how  UDM_WAIT_SPIN or UDM_WAIT_BLOCK; any other value spins
 *
 * Errors: none.
 */
void udm_collective_wait(enum udm_wait how);

/* ---- Barrier ------------------------------------------------------------ */

/*
 * Returns when all nodes have called it. A dissemination barrier of L rounds:
 * each node sends L messages of one argument and receives as many, N * L in
 * all. If all nodes call at the same time, about 110 cycles and 250 cycles a
 * round, cache misses not counted.
 *
 * Errors: those above.
 */
void udm_barrier(void);

/* ---- Broadcast ---------------------------------------------------------- */

/*
 * Copies `bytes` bytes at `data` on node `root` to `data` on all other nodes.
 *
 *   root   0 to udm_nodes() - 1, the same on all nodes
 *   data   a multiple of 4; nodes may pass different addresses
 *   bytes  a multiple of 4, also 0; the same on all nodes
 *
 * Returns when the data of this node are complete, and, on all nodes, not
 * before all nodes have called it. After the call the data may change.
 *
 * Along a binomial tree, N - 1 messages say that their senders are ready, and
 * then the data go the other way: N - 1 messages if `bytes` is at most 8, and
 * otherwise (N - 1) * P messages with bodies of up to FUGU_BODY_MAX bytes, P
 * being bytes / FUGU_BODY_MAX, rounded up. Each node stores the bodies where
 * they belong, without another copy. Takes 2 * L messages one after the other.
 * A node sends at most L copies of a body, one after the other.
 *
 * Errors: ends the job (118) if an address or length is no multiple of 4, or if the
 * nodes pass different numbers of bytes; and those above.
 */
void udm_broadcast(uint32_t root, void *data, size_t bytes);

/* ---- Reduction ---------------------------------------------------------- */

/* What a reduction does with two values. */
enum udm_operation {
    UDM_SUM,                    /* of integers: modulo 2^64 */
    UDM_MIN,
    UDM_MAX,
};

/*
 * Returns the sum, minimum or maximum of the values of all nodes on node
 * `root`, and 0 on all others. All nodes pass the same root and operation. A
 * node other than the root need not wait for all nodes: it returns when it has
 * sent its part. Integers have 64 bits, so that sums of counts have room.
 *
 *   root       0 to udm_nodes() - 1, the same on all nodes
 *   operation  UDM_SUM, UDM_MIN or UDM_MAX, the same on all nodes
 *   value      this node's
 *
 * The nodes form a binomial tree. Each one waits for its children, combines
 * their values with its own, and sends the result to its parent: N - 1
 * messages, at most L one after the other. N - 1 further messages lead back
 * from the root: they say that the next call may begin. A node waits for its
 * message, and forwards it, at the beginning of its next call. The last call of
 * a program needs none after it.
 *
 * Threads combine the values while they wait. No handler does, so handlers use
 * no FPU. The order in which values are combined depends on N and root alone:
 * a sum of doubles has the same bits in each run. If a value is NaN, so is the result,
 * from whichever node it comes; as a minimum and maximum, -0 is less than +0.
 *
 * Errors: ends the job (118) if there is no such operation or root; and those above.
 */
int64_t udm_reduce_int(uint32_t root, enum udm_operation operation,
                       int64_t value);
double udm_reduce_double(uint32_t root, enum udm_operation operation,
                         double value);

/*
 * The same `operation` on each node's `value`, with the result on all nodes, and the
 * same bits on each of them. Returns not before all nodes have called it.
 * 2 * (N - 1) messages: first those to node 0, and then the result goes back along
 * the same tree. Takes 2 * L messages one after the other.
 *
 * Errors: as above.
 */
int64_t udm_reduce_all_int(enum udm_operation operation, int64_t value);
double udm_reduce_all_double(enum udm_operation operation, double value);

/* ---- Quiescence --------------------------------------------------------- */

/*
 * Returns when all nodes have called it, and all counted messages have been
 * handled: those that were sent before the calls, those that their handlers
 * have sent, and so on.
 *
 * The program counts. Who sends a message that matters calls udm_count_sent()
 * before the send, or uses udm_inject_counted(); this may be a thread or a
 * handler. The message's handler calls udm_count_handled() when it has done
 * everything else: all that it sends must be counted before. If the handler
 * hands its work to a thread, that thread calls udm_count_handled() when it
 * has done the work. Count all messages of a kind, or none. The messages of
 * this library are not counted.
 *
 * Nothing else may send counted messages during the call: no other thread, if
 * not on behalf of a message that is still to be counted as handled. When a
 * node has returned, it may send again, also to nodes that have not returned.
 *
 * Mattern's four counters: waves of a reduction sum up both counts over all
 * nodes, until the messages sent by one wave are as many as were handled by the
 * wave before. W waves cost W * 2 * (N - 1) messages. W is 2 if all messages
 * have been handled when the last node calls, and it is at least 2. Counts are
 * modulo 2^32.
 *
 * Errors: those above. If more messages are counted as sent than are handled, or the
 * other way round, it never returns.
 */
void udm_quiesce(void);

extern volatile uint32_t udm_sent_, udm_handled_;

/*
 * Adds to a count. Handlers and threads change the same count, so the change
 * needs an atomic section: the one that is open, or a new one.
 */
UDM_INLINE void udm_count_(volatile uint32_t *count, uint32_t messages)
{
    if (udm_atomic()) {
        *count += messages;
    } else {
        udm_beginatom();
        *count += messages;
        udm_endatom();
    }
}

/*
 * udm_count_sent() and udm_count_handled() count so many `messages` for
 * udm_quiesce(). May be called everywhere, and keep an open atomic section open. 16
 * cycles. Errors: none.
 */
UDM_INLINE void udm_count_sent(uint32_t messages)
{
    udm_count_(&udm_sent_, messages);
}

UDM_INLINE void udm_count_handled(uint32_t messages)
{
    udm_count_(&udm_handled_, messages);
}

/*
 * udm_inject_counted(node, handler, word...): udm_inject(), counted as sent. Errors:
 * those of udm_inject().
 */
#define udm_inject_counted(node, handler, ...) \
    do { \
        udm_count_sent(1); \
        udm_inject(node, handler, ##__VA_ARGS__); \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif /* UDM_COLLECTIVE_H */
