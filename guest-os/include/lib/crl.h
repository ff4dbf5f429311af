/*
 * CRL: shared regions of memory, with the interface of CRL 1.0 (Johnson,
 * Kaashoek and Wallach, "CRL: High-Performance All-Software Distributed Shared
 * Memory", SOSP 1995).
 *
 * A region is a piece of memory with a name, its rid. A node maps a region,
 * and then reads or writes it between a start and an end of an operation. The
 * library keeps copies on the nodes that use a region, and keeps them coherent:
 * a read operation sees all write operations that ended before it started, on
 * any node; many nodes may read a region at the same time, and one node alone
 * may write it. docs/crl.md is the reference.
 *
 * One thread of a process at a time may be in a call: usually the thread of
 * main(). A mistake ends the job with status 118 and a line that names the
 * call, the region and the caller. Mistakes are: a call before crl_init(), in a
 * handler or in an atomic section; a call that has to wait or to send while
 * another thread is in a call; and what the comments below forbid.
 *
 *     #include <stdio.h>
 *     #include "crl.h"
 *
 *     int main(void)
 *     {
 *         rid_t rid;
 *         int *count;
 *
 *         crl_init();
 *         if (crl_self_addr == 0) {
 *             rid = rgn_create(sizeof(*count));
 *             rgn_bcast_send(sizeof(rid), &rid);
 *         } else {
 *             rgn_bcast_recv(sizeof(rid), &rid);
 *         }
 *         count = rgn_map(rid);
 *         rgn_start_write(count);
 *         ++*count;
 *         rgn_end_write(count);
 *         rgn_barrier();
 *         if (crl_self_addr == 0) {
 *             rgn_start_read(count);
 *             printf("the count is %d\n", *count);
 *             rgn_end_read(count);
 *         }
 *         rgn_unmap(count);
 *         return 0;
 *     }
 *
 * On four nodes it prints "the count is 4".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CRL_H
#define CRL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name of a region on all nodes. 0 is the name of no region. */
typedef uint32_t rid_t;

/* Where the program runs, from crl_init() on. */
extern unsigned crl_self_addr;  /* this node, from 0 */
extern unsigned crl_num_nodes;  /* the number of nodes; 0 before crl_init() */

/*
 * Starts the library. All nodes call this function once, before any other one.
 * Returns when all nodes have called it.
 *
 * Errors: ends the job (118) if it is called twice; and those above.
 */
void crl_init(void);

/* ---- Regions ------------------------------------------------------------ */

/*
 * Makes a region of `size` bytes, 1 or more, and returns its name. This node
 * becomes the region's home for ever. The region is not mapped, and its
 * contents are zero.
 *
 * Errors: ends the job (118) if the size is 0, or if no memory is left for the region.
 */
rid_t rgn_create(unsigned size);

/*
 * Destroys a region. Any node may call this function, for a region of any home.
 * No node may have the region mapped. Returns when no node knows the region
 * any more. Both names mean the same.
 *
 *   rid  a region's name, as rgn_create() has returned it on any node
 *
 * Errors: ends the job (118) if there is no such region, or if a node has it mapped.
 */
void rgn_delete(rid_t rid);
void rgn_destroy(rid_t rid);

/*
 * Maps a region and returns the address of its data on this node, a multiple
 * of 16. The address stays the same until the last rgn_unmap(). Mappings nest:
 * a region that is mapped n times must be unmapped n times. The data may be
 * accessed in operations only.
 *
 *   rid  a region's name, as rgn_create() has returned it on any node
 *
 * Errors: ends the job (118) if there is no such region, or no memory for the copy.
 */
void *rgn_map(rid_t rid);

/*
 * Undoes one rgn_map(), which has returned `data`. With the last one, no operation may
 * be open.
 *
 * Errors: ends the job (118) if one is, or if `data` is not that of a mapped region.
 */
void rgn_unmap(void *data);

/*
 * Return the name of a mapped region, and its size in bytes. `data` is what rgn_map()
 * has returned.
 *
 * Errors: ends the job (118) if `data` is not that of a mapped region.
 */
rid_t rgn_rid(void *data);
unsigned rgn_size(void *data);

/* ---- Operations --------------------------------------------------------- */

/*
 * Start and end an operation on a mapped region. Read operations of a node
 * nest, up to 2046 deep. A write operation excludes all other operations on the
 * region, those of the same node included. Operations on several regions may be
 * open at the same time. A start waits until the other nodes' operations let it begin.
 *
 *   data  what rgn_map() has returned
 *
 * Errors: end the job (118) if `data` is not that of a mapped region; if this node has
 * a write operation open on it, or at a write any operation; at more than 2046 read
 * operations; and at an end without a start. Nodes that wait for each other's
 * operations wait for ever: the run ends as a deadlock (125) once all wait.
 */
void rgn_start_read(void *data);
void rgn_end_read(void *data);
void rgn_start_write(void *data);
void rgn_end_write(void *data);

/*
 * Gives up this node's copy of a mapped region, and sends the data home if this
 * node may have changed them. No operation may be open. On the home: nothing.
 *
 *   data  what rgn_map() has returned
 *
 * Errors: ends the job (118) if an operation is open, or if `data` is not that of a
 * mapped region.
 */
void rgn_flush(void *data);

/* ---- All nodes ---------------------------------------------------------- */

/* Returns when all nodes have called it. Errors: those above. */
void rgn_barrier(void);

/*
 * One node calls rgn_bcast_send(), all others call rgn_bcast_recv() with the
 * same number of bytes: copies the sender's bytes at `data` to `data` on all
 * other nodes.
 *
 *   bytes  0 or more, the same on all nodes
 *   data   of any alignment; the nodes' addresses may differ
 *
 * Errors: end the job (118) if no node sends, or two do; if `bytes` is below 0; if
 * the nodes pass numbers that differ, rounded up to multiples of 4; or if no memory is
 * left.
 */
void rgn_bcast_send(int bytes, void *data);
void rgn_bcast_recv(int bytes, void *data);

/*
 * Return the sum, minimum or maximum of all nodes' values (`value`) on all nodes, with
 * the same bits. Errors: those above.
 */
double rgn_reduce_dadd(double value);
double rgn_reduce_dmin(double value);
double rgn_reduce_dmax(double value);

/* ---- Beyond CRL 1.0: waiting -------------------------------------------- */

/* How calls wait. */
enum crl_wait {
    /*
     * The thread reads a word in a loop, with interrupts enabled, and keeps its
     * slot. The default.
     */
    CRL_WAIT_SPIN,
    /*
     * The thread blocks: other threads run, and other jobs when all threads
     * wait.
     */
    CRL_WAIT_BLOCK,
};

/*
 * Selects how later calls of this node wait, and those of udm-collective.h.
 * Nodes may differ.
 *
 *   how  CRL_WAIT_SPIN or CRL_WAIT_BLOCK
 *
 * Errors: those above.
 */
void crl_wait(enum crl_wait how);

/* ---- Beyond CRL 1.0: statistics ----------------------------------------- */

/* Kinds of calls. */
enum crl_call {
    CRL_CREATE,
    CRL_DELETE,
    CRL_MAP,
    CRL_UNMAP,
    CRL_START_READ,
    CRL_END_READ,
    CRL_START_WRITE,
    CRL_END_WRITE,
    CRL_FLUSH,
    CRL_BARRIER,
    CRL_BCAST,
    CRL_REDUCE,
    CRL_OTHER,                  /* all functions that are not named above */
    CRL_CALLS,
};

/* What this node has done since crl_init() or crl_statistics_reset(). */
struct crl_statistics {
    struct {
        uint32_t hits;          /* calls that sent and awaited nothing */
        uint32_t misses;        /* calls that did. An end of an operation is a
                                   miss if a message of another node waited for
                                   it. Hits of CRL_END_* are not counted: each
                                   start has one end */
        uint64_t cycles;        /* from the start of each miss to its end */
    } call[CRL_CALLS];
    /* Messages that this node has sent: */
    uint32_t requests;          /* for a copy or a right to write; maps */
    uint32_t grants;            /* as home: copies and rights to write */
    uint32_t invalidations;     /* as home: demands to give up a copy */
    uint32_t recalls;           /* as home: demands to the copy's owner */
    uint32_t acknowledgements;  /* of invalidations */
    uint32_t writebacks;        /* of data: answers to recalls */
    uint32_t flushes;           /* of data: unasked */
    uint64_t bytes;             /* of data, in grants, writebacks, flushes */
    uint32_t evictions;         /* unmapped regions dropped by the cache */
    uint32_t deferred;          /* of data: those that a thread had to send */
};

/* Copies the statistics of this node to *statistics, or clears them.
 * Errors: those above. */
void crl_statistics(struct crl_statistics *statistics);
void crl_statistics_reset(void);

#ifdef __cplusplus
}
#endif

#endif /* CRL_H */
