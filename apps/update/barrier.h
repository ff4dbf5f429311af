/*
 * A barrier on memory that is mapped over the network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BARRIER_H
#define BARRIER_H

/* Maps what the barrier needs. All nodes call it once, before the first one. */
void barrier_init(void);

/*
 * Returns when all nodes have called it. It orders nothing else: data that were
 * sent before have arrived if shrimp_fence() came between.
 */
void barrier(void);

#endif /* BARRIER_H */
