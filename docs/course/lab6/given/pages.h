/*
 * Pages that move: memory that all nodes of a job use at the same addresses. Each
 * page is on one node at a time, its owner. A node that touches another page gets
 * it over the network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PAGES_H
#define PAGES_H

#include <stdint.h>

#include "glaze.h"

#define PAGES           8
#define PAGE_WORDS      (GLAZE_PAGE / 4)

/*
 * Where a page, 0 to PAGES - 1, is: the same address on all nodes. Its words are 0
 * at first. At first, page p is on node p % udm_nodes(). Threads may touch pages
 * outside of atomic sections; handlers may not.
 */
static inline volatile uint32_t *page_at(uint32_t page)
{
    return (volatile uint32_t *)(GLAZE_VIEWS + page * GLAZE_PAGE);
}

/* Prepares the pages. All nodes call it once, before they touch pages. */
void pages_init(void);

#endif
