/*
 * RQ_BY_FETCH: items whose WRITE the receiver's kernel refuses, at moments that kernels
 * choose seldom.
 *
 * Here two functions between the library and the kernel refuse a WRITE whenever the test
 * wants (--wrap, meson.build): it is not sent, and its status comes when the test stores
 * it. Node OTHER has node 1's place in the library (pending.c).
 *
 *      rq-places CASE          on more than OTHER nodes
 *
 * reused: node 0 sends an item to node 1, which ends: its kernel answers a READ by NO_TASK,
 *   and refuses the item afterwards. Kernels do so if they are short of frames at that
 *   moment. Meanwhile node 0 sends to OTHER.
 * ended: the same status has come when node 0 looks into a queue in a section.
 * next: the item is OTHER's, and BUSY. The next item for OTHER repeats it first.
 * self: the item is node 0's own, and BUSY. Node 0 misses it, and sends it again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "mbcf.h"
#include "rq.h"
#include "udm-collective.h"

enum { QUEUE = 1, ENDS = 1, OTHER = 33, NOBODY = -1 };

static uint32_t refuses = NOBODY;       /* the next WRITE to this node is refused */
static volatile uint32_t *late;         /* where its status goes */

void __real_mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                       uint32_t options, volatile uint32_t *status);
uint32_t __real_mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes);

void __wrap_mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                       uint32_t options, volatile uint32_t *status);
uint32_t __wrap_mbcf_read_now(uint32_t task, void *to, uint32_t from, uint32_t bytes);

void __wrap_mbcf_write(uint32_t task, uint32_t to, const void *from, uint32_t bytes,
                       uint32_t options, volatile uint32_t *status)
{
    if (task == refuses) {
        refuses = NOBODY;
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

/* Sends an item to a node, whose WRITE is refused. */
static void send_refused(uint32_t node)
{
    refuses = node;
    rq_send(node, QUEUE, 1);
}

/* Takes two items. Returns how many are wrong. */
static uint32_t receive(void)
{
    uint32_t item, wrong = 0;

    for (uint32_t k = 1; k <= 2; k++) {
        while (!rq_dequeue(QUEUE, &item)) {
        }
        wrong += item != k;
    }
    printf("places: 2 items, %lu wrong\n", (unsigned long)wrong);
    return wrong;
}

static void send(const char *name)
{
    if (!strcmp(name, "next")) {
        send_refused(OTHER);
        *late = MBCF_BUSY;
    } else if (!strcmp(name, "reused")) {
        send_refused(ENDS);
        rq_send(OTHER, QUEUE, 1);
        *late = MBCF_NO_TASK;
    } else {
        send_refused(ENDS);
        *late = MBCF_NO_TASK;
        udm_beginatom();
        rq_waiting(QUEUE);
        udm_endatom();
        rq_send(OTHER, QUEUE, 1);
    }
    rq_send(OTHER, QUEUE, 2);
}

/* Node 0 alone: it sends to itself. */
static uint32_t send_to_self(void)
{
    uint32_t item, got = 0;

    send_refused(0);
    *late = MBCF_BUSY;
    for (uint64_t start = udm_cycles(); !got && udm_cycles() - start < 1000000;) {
        got = rq_dequeue(QUEUE, &item);
    }
    printf("places: %lu items\n", (unsigned long)got);
    return !got;
}

int main(int argc, char **argv)
{
    bool self = argc == 2 && !strcmp(argv[1], "self");
    uint32_t wrong = 0;

    if (argc != 2 || udm_nodes() <= OTHER) {
        return 2;
    }
    rq_init(RQ_BY_FETCH);
    rq_create(QUEUE, RQ_POLL);
    udm_barrier();
    if (udm_node() == 0 && self) {
        wrong = send_to_self();
    } else if (udm_node() == 0) {
        send(argv[1]);
    } else if (udm_node() == OTHER && !self) {
        wrong = receive();
    }
    udm_barrier();
    return wrong;
}
