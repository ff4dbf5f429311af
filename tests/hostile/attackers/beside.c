/*
 * A program that does a fixed amount of work, and says how long it took.
 *
 *      beside KIND AMOUNT FROM
 *
 * KIND: compute    node 0 computes; AMOUNT: thousands of turns
 *       trips      node 0 sends a message to node 1 and back; AMOUNT: round trips
 *       pages      node 0 works on pages in turn, more than the node has frames
 *                  for; AMOUNT: pages
 *       receive    node 0 receives messages into its buffer, then takes them;
 *                  AMOUNT: times 50 messages
 * The work begins at the cycle FROM.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000
#define PAGES   100
#define BATCH   50              /* messages */

static volatile uint32_t got;
static uint32_t amount;

static void take(void)
{
    udm_dispose();
    got++;
}

static void wait_for(uint32_t count)
{
    while (got < count) {
    }
}

static void compute(void)
{
    for (volatile uint32_t k = 0; k < 1000 * amount; k++) {
    }
}

static void trips(void)
{
    for (uint32_t k = 1; k <= amount; k++) {
        udm_inject(1, take);
        wait_for(k);
    }
}

static void answer_trips(void)
{
    for (uint32_t k = 1; k <= amount; k++) {
        wait_for(k);
        udm_inject(0, take);
    }
}

static void work_on_pages(void)
{
    for (uint32_t k = 0; k < amount; k++) {
        ++*(volatile uint32_t *)(HEAP + k % PAGES * GLAZE_PAGE);
    }
}

static void receive(void)
{
    for (uint32_t k = 1; k <= amount; k++) {
        uint32_t inserted;

        udm_beginatom();
        glaze_divert();
        inserted = glaze_info(GLAZE_I_INSERTED) + BATCH;
        udm_inject(1, take);
        while (glaze_info(GLAZE_I_INSERTED) < inserted) {
        }
        udm_endatom();
        wait_for(k * BATCH);
    }
}

static void send_batches(void)
{
    for (uint32_t k = 1; k <= amount; k++) {
        wait_for(k);
        for (uint32_t i = 0; i < BATCH; i++) {
            udm_inject(0, take);
        }
    }
}

static void map_pages(void)
{
    glaze_map(HEAP, PAGES * GLAZE_PAGE);
    for (uint32_t k = 0; k < PAGES; k++) {
        *(volatile uint32_t *)(HEAP + k * GLAZE_PAGE) = k;
    }
}

static const struct {
    const char *name;
    void (*work)(void);         /* on node 0 */
    void (*help)(void);         /* on node 1 */
    void (*prepare)(void);      /* on node 0 */
} kinds[] = {
    { "compute", compute },
    { "trips", trips, answer_trips },
    { "pages", work_on_pages, NULL, map_pages },
    { "receive", receive, send_batches },
};

int main(int argc, char **argv)
{
    uint64_t from, began;
    unsigned k = 0;

    while (k < 4 && argc == 4 && strcmp(kinds[k].name, argv[1])) {
        k++;
    }
    if (argc != 4 || k == 4) {
        return 2;
    }
    amount = strtoul(argv[2], NULL, 0);
    from = strtoull(argv[3], NULL, 0);
    if (udm_node()) {
        if (udm_node() == 1 && kinds[k].help) {
            kinds[k].help();
        }
        return 0;
    }
    if (kinds[k].prepare) {
        kinds[k].prepare();
    }
    while (udm_cycles() < from) {
    }
    began = udm_cycles();
    kinds[k].work();
    printf("\nbeside: %s took %.0f cycles\n", argv[1],
           (double)(udm_cycles() - began));
    return 0;
}
