/*
 * Regions: blocks of memory that all nodes of a job share, with a protocol that
 * keeps copies of them coherent (a small CRL).
 *
 * Region r has its home on node r % udm_nodes(). A program accesses the data
 * between the start and the end of an operation. All of these functions are for
 * the thread of main(), outside of atomic sections, and a node has one operation
 * at a time open.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef REGION_H
#define REGION_H

#include <stdint.h>

#define REGIONS         8
#define REGION_WORDS    8       /* of data, all 0 at first */

/*
 * Returns the data of a region, 0 to REGIONS - 1, on this node. They may be read
 * in a read operation, and read and written in a write operation.
 */
uint32_t *region_data(uint32_t region);

/* A read operation. While it is open, no node has a write operation open. */
void region_start_read(uint32_t region);
void region_end_read(uint32_t region);

/* A write operation. While it is open, no other node has an operation open. */
void region_start_write(uint32_t region);
void region_end_write(uint32_t region);

#endif
