/*
 * Typed messages of NX/2 on memory that is mapped over the network, with SHRIMP's
 * interface (--ni shrimp): csend() and crecv(). docs/shrimp.md has an example, and says
 * what they cost. "Paper" means Blumrich et al., Virtual Memory Mapped Network
 * Interface for the SHRIMP Multicomputer, ISCA 1994, section 5.2; NX/2 is P. Pierce,
 * The NX/2 operating system, 3rd Conference on Hypercube Concurrent Computers and
 * Applications, 1988.
 *
 * As in the paper, a type is a number of 16 bits, and at each receiver one process
 * sends messages of a type. Messages of one type are received in the order in which
 * they were sent; those of different types in any order that the receiver wants. Until
 * then the library keeps them in memory of the receiver's process. No kernel has a part
 * in a message.
 *
 * Lengths are in bytes, from 0 on; buffers may have any address, and those that are
 * multiples of 4 (of 8, for long messages) are faster. Nodes are the job's, from 0 to
 * NX_NODES - 1, and each has one process, 0. A peer takes two of a process's mappings
 * (SHRIMP_MAPS), whichever of the two sends. It may be one of its peers itself.
 *
 * A mistake ends the job with status 118 and a line that names the call: a type, node,
 * process or length that does not exist; NULL in place of a buffer; a message that is
 * longer than the buffer it is received in; a second sender of a type; no mapping that
 * is left.
 *
 * One thread of a process makes these calls. No handler does.
 *
 * Node 0 greets the others:
 *
 *     #include <stdio.h>
 *     #include "nx.h"
 *     #include "udm.h"
 *
 *     enum { GREETING = 7 };                  // a type: any number of 16 bits
 *
 *     int main(void)
 *     {
 *         char text[32] = "hello";
 *
 *         if (udm_node() == 0) {
 *             for (uint32_t node = 1; node < udm_nodes(); node++) {
 *                 csend(GREETING, text, 6, node, 0);
 *             }
 *         } else {
 *             crecv(GREETING, text, sizeof(text));
 *             printf("%s, %ld bytes from node %ld\n", text, infocount(), infonode());
 *         }
 *         return 0;
 *     }
 *
 * On two nodes, with --ni shrimp, it prints "hello, 6 bytes from node 0".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef NX_H
#define NX_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NX_TYPES        65536           /* types are 0 to NX_TYPES - 1 */
#define NX_LENGTH_MOST  0x7fffffff      /* bytes of a message */
#define NX_NODES        256             /* of a machine, at most */

/* csend() and crecv() of another name, with the same parameters: type, buffer, length,
 * node and process. Errors: the same. */
void nx_csend(long type, const void *buffer, long length, long node, long process);
void nx_crecv(long type, void *buffer, long length);

/* nx_info: the message that the last crecv() of this process has received. */
extern struct nx_info {
    uint32_t bytes;
    uint32_t node;              /* its sender */
    uint32_t type;
} nx_info;

/*
 * Sends a message of a type to a node. It ends when the buffer may change. If the
 * receiver has much to take, waits until it takes messages, in csend() or crecv();
 * meanwhile takes those that come here. What is sent to a process that has ended is
 * lost.
 *
 *   type     0 to NX_TYPES - 1
 *   buffer   the message, of any alignment; NULL if `length` is 0
 *   length   its bytes, 0 to NX_LENGTH_MOST
 *   node     0 to the smaller of udm_nodes() and NX_NODES, less one
 *   process  0
 *
 * Errors: ends the job (118) if one is another, if no mapping or memory is left, or, on
 * the receiver, if another node sends that type, too.
 */
static inline void csend(long type, const void *buffer, long length, long node,
                         long process)
{
    nx_csend(type, buffer, length, node, process);
}

/*
 * Receives the next message of a `type` in a `buffer`, of `length` bytes at most: waits
 * until it has come, soon without using the processor. The buffer behind it stays as it
 * is. The ranges are those of csend().
 *
 * Errors: ends the job (118) if one is another, or if the message is longer than
 * `length`. If none comes, it waits for ever.
 */
static inline void crecv(long type, void *buffer, long length)
{
    nx_crecv(type, buffer, length);
}

/*
 * infocount(), infonode() and infotype() return bytes, sender and type of the message
 * that the last crecv() has received; 0 before. Errors: none.
 */
static inline long infocount(void)
{
    return nx_info.bytes;
}

static inline long infonode(void)
{
    return nx_info.node;
}

static inline long infotype(void)
{
    return nx_info.type;
}

#ifdef __cplusplus
}
#endif

#endif /* NX_H */
