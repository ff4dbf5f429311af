/*
 * Lab 3, solved.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "udm.h"
#include "udm-measure.h"

#define NODES_MAX 64

static uint32_t items = 300, window = 16;
static volatile uint32_t came, sum;             /* on node 0 */
static uint32_t owed[NODES_MAX];    /* on node 0: items without a credit */
static volatile uint32_t allowed;   /* items that may be sent in all */

/* Takes an item. Some 400 cycles. */
static void consume(uint32_t value)
{
    volatile uint32_t work = 0;

    for (uint32_t k = 0; k < 25; k++) {
        work = work + k;
    }
    sum += value;
}

/* Handler, on a node that sends: that many more items may be sent. */
static void credit(void)
{
    allowed += udm_arg(0);
    udm_dispose();
}

/* Handler, on node 0: an item. */
static void item(void)
{
    uint32_t value = udm_arg(0), from = udm_source();

    udm_dispose();
    consume(value);
    came++;
    if (++owed[from] >= (window + 1) / 2) {
        udm_inject(from, credit, owed[from]);
        owed[from] = 0;
    }
}

static void send_all(void)
{
    for (uint32_t k = 0; k < items; k++) {
        while (k >= allowed) {
        }
        udm_inject(0, item, k);
    }
}

int main(int argc, char **argv)
{
    struct udm_measured measured;

    if (argc > 1) {
        items = strtoul(argv[1], NULL, 10);
    }
    if (argc > 2) {
        window = strtoul(argv[2], NULL, 10);
    }
    allowed = window;
    udm_measure_begin();
    if (udm_node() > 0) {
        send_all();
    } else {
        while (came < items * (udm_nodes() - 1)) {
        }
    }
    measured = udm_measure_end();
    if (udm_node() == 0) {
        printf("node 0: %u items, sum %u, %u messages buffered in %u pages\n",
               came, sum, (unsigned)measured.inserted, measured.buffer_pages);
    }
    return 0;
}
