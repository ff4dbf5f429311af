/*
 * Pages that two processes share, with SHRIMP's interface (--ni shrimp): each has a
 * copy, and what one stores is stored in the other's copy as well. docs/shrimp.md has
 * an example. The source is Blumrich et al., Virtual Memory Mapped Network Interface
 * for the SHRIMP Multicomputer, ISCA 1994, section 4.1. The order is that of pipelined
 * RAM: R. Lipton and J. Sandberg, PRAM: A Scalable Shared Memory, Princeton, 1988.
 *
 * What holds: a process sees its own stores at once, and those of the other one in the
 * order in which that has made them, each as a whole. So a word that one of the two
 * writes has the same values, in the same order, in both copies; and who sees a flag
 * sees what was stored before it.
 *
 * What does not: the stores of both have no common order. Two processes that each
 * store a word and then look at the other's may both find it old, so Dekker's
 * algorithm, Peterson's and the like do not exclude anything. If both store to one word
 * at the same time, each copy may end with the other one's value, and stay so. A swap
 * is a load of the own copy and a store.
 *
 * Addresses and sizes are in bytes. A result below 0 is -errno, and nothing has
 * changed then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PRAM_H
#define PRAM_H

#include "shrimp.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Shares a range of program or heap with a process of this job on another node. Both
 * call it, each with the other's node, with the same size and number, which is an
 * export of both (shrimp.h), and with copies that are the same. Waits until the other
 * one has called it; what a process stores from then on is sent, one by one
 * (SHRIMP_SINGLE) or merged (SHRIMP_BLOCKED). Returns the mapping's number.
 *
 *   memory  a multiple of 8, in program or heap
 *   bytes   a multiple of 8, 8 to SHRIMP_MAP_MOST
 *   node    the other's, 0 to udm_nodes() - 1
 *   number  of the export, the same for both
 *   mode    SHRIMP_SINGLE or SHRIMP_BLOCKED
 *
 * Errors: EINVAL, also for the own node, nodes that are not there and other modes, and
 * those of shrimp_export() and shrimp_map().
 */
int32_t pram_share(volatile void *memory, size_t bytes, uint32_t node, uint32_t number,
                   uint32_t mode);

/*
 * Ends sharing, for both: nothing that either stores is sent any more. What this
 * process has stored before is in the other's copy. Each calls it; the first ends it.
 * `number` is that of pram_share(), `mapping` what that has returned. Returns 0.
 * Errors: EINVAL if there is no such mapping, ENOENT if there is no such export.
 */
int32_t pram_unshare(uint32_t number, int32_t mapping);

#ifdef __cplusplus
}
#endif

#endif /* PRAM_H */
