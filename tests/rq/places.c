/*
 * RQ_BY_FETCH: the statuses of items for a node that ends, which come late.
 *
 * Node 0 sends an item to node 1, which ends: its kernel answers a READ by NO_TASK, and
 * refuses the item afterwards. Kernels do so if they are short of frames at that moment.
 * Here two functions between the library and the kernel do it, whenever the test wants
 * (--wrap, meson.build). Node OTHER has node 1's place in the library (pending.c).
 *
 *      rq-places reused | ended        on more than OTHER nodes
 *
 * reused: node 0 sends two items to OTHER; the status of node 1's comes between them.
 * ended: the status has come, and node 0 looks into a queue in a section.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "mbcf.h"
#include "rq.h"
#include "udm-collective.h"

enum { QUEUE = 1, ENDS = 1, OTHER = 33 };

static volatile uint32_t *late;         /* where the status of ENDS' item goes */

void __real_mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                       uint32_t options, volatile uint32_t *status);
uint32_t __real_mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes);

void __wrap_mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                       uint32_t options, volatile uint32_t *status);
uint32_t __wrap_mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes);

void __wrap_mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                       uint32_t options, volatile uint32_t *status)
{
    if (udm_node() == 0 && task == ENDS) {
        late = status;
    } else {
        __real_mbcf_write(task, to, from, bytes, options, status);
    }
}

uint32_t __wrap_mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes)
{
    return udm_node() == 0 && task == ENDS && late
         ? MBCF_NO_TASK : __real_mbcf_read_now(task, to, from, bytes);
}

static void send(bool reused)
{
    rq_send(ENDS, QUEUE, 1);
    if (reused) {
        rq_send(OTHER, QUEUE, 1);
        *late = MBCF_NO_TASK;
        rq_send(OTHER, QUEUE, 2);
        return;
    }
    *late = MBCF_NO_TASK;
    udm_beginatom();
    rq_waiting(QUEUE);
    udm_endatom();
    rq_send(OTHER, QUEUE, 1);
    rq_send(OTHER, QUEUE, 2);
}

int main(int argc, char **argv)
{
    uint32_t item, wrong = 0;

    if (argc != 2 || udm_nodes() <= OTHER) {
        return 2;
    }
    rq_init(RQ_BY_FETCH);
    rq_create(QUEUE, RQ_POLL);
    udm_barrier();
    if (udm_node() == 0) {
        send(!strcmp(argv[1], "reused"));
    } else if (udm_node() == OTHER) {
        for (uint32_t k = 1; k <= 2; k++) {
            while (!rq_dequeue(QUEUE, &item)) {
            }
            wrong += item != k;
        }
        printf("places: 2 items, %lu wrong\n", (unsigned long)wrong);
    }
    udm_barrier();
    return wrong;
}
