/*
 * Regions: the protocol. This is the file that you change.
 *
 * At first, a read operation asks the home for the data each time, and a write
 * operation sends no message. The steps in the text make a protocol of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>

#include "region.h"
#include "udm.h"

/* What a node knows of a region. */
static struct region {
    uint32_t data[REGION_WORDS];        /* this node's copy */
    volatile bool opened;               /* an operation is open */
    /* Step 1: the state of this node's copy. */
    /* Step 4: what the home demands at the end of the operation. */

    /* On the home alone: */
    uint32_t memory[REGION_WORDS];      /* the data, if no node has written */
    /* Step 2: the nodes that have copies; the owner, if there is one. */
    /* Step 3: the request that is being served; those that wait. */
} regions[REGIONS];

static uint32_t home(uint32_t region)
{
    return region % udm_nodes();
}

/* DATA region, words: the home's answer. Opens the operation. */
static void data(void)
{
    struct region *here = &regions[udm_arg(0)];

    for (unsigned k = 0; k < REGION_WORDS; k++) {
        here->data[k] = udm_arg(1 + k);
    }
    udm_dispose();
    here->opened = true;
}

/* READ region: a request. Runs on the home. */
static void read_request(void)
{
    uint32_t region = udm_arg(0), from = udm_source();

    udm_dispose();
    udm_inject_words(from, data, regions[region].memory, REGION_WORDS, region);
}

uint32_t *region_data(uint32_t region)
{
    return regions[region].data;
}

void region_start_read(uint32_t region)
{
    struct region *here = &regions[region];

    udm_inject(home(region), read_request, region);
    while (!here->opened) {
        /* the handler of DATA ends this loop */
    }
}

void region_end_read(uint32_t region)
{
    regions[region].opened = false;
}

void region_start_write(uint32_t region)
{
    regions[region].opened = true;
}

void region_end_write(uint32_t region)
{
    regions[region].opened = false;
}
