/*
 * What a program must not do with rq.h. Each case ends the job.
 *
 *      rq-mistakes NODE CASE
 *
 * The node NODE makes the mistake; the others wait, and poll.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rq.h"
#include "udm-collective.h"

enum { QUEUE = 1, MISSING = 7 };

static bool is(const char *argument, const char *name)
{
    return strcmp(argument, name) == 0;
}

/* Cases in which rq_init() has not been called. */
static void before_init(const char *name)
{
    if (is(name, "create-first")) {
        rq_create(QUEUE, RQ_POLL);
    } else if (is(name, "dequeue-first")) {
        rq_dequeue(QUEUE);
    } else if (is(name, "ni-first")) {
        rq_dequeue(RQ_NI);
    } else if (is(name, "back-end")) {
        rq_init(17);
    }
}

static void names(const char *name)
{
    uint32_t word;

    if (is(name, "init-twice")) {
        rq_init(RQ_BY_NI);
    } else if (is(name, "create-ni")) {
        rq_create(RQ_NI, RQ_POLL);
    } else if (is(name, "create-large")) {
        rq_create(RQ_LAST + 1, RQ_POLL);
    } else if (is(name, "create-kind")) {
        rq_create(QUEUE + 1, 5);
    } else if (is(name, "create-twice")) {
        rq_create(QUEUE, RQ_INTERRUPT);
    } else if (is(name, "dequeue")) {
        rq_dequeue(MISSING, &word);
    } else if (is(name, "read")) {
        rq_read_queue(MISSING, &word);
    } else if (is(name, "delete")) {
        rq_delete_queue(MISSING);
    } else if (is(name, "poll")) {
        rq_poll_am_of(MISSING);
    } else if (is(name, "poll-ni")) {
        rq_poll_am_of(RQ_NI);
    } else if (is(name, "waiting")) {
        rq_waiting(MISSING);
    }
}

/* Cases that another node notices. */
static void messages(const char *name)
{
    uint32_t node = (udm_node() + 1) % udm_nodes();

    if (is(name, "send")) {
        rq_send(node, MISSING, 1);
    } else if (is(name, "send-negative")) {
        rq_send(node, -1, 1);
    } else if (is(name, "forged-empty")) {
        udm_inject(node, rq_arrive_, QUEUE);
    } else if (is(name, "forged-data")) {
        udm_inject(node, rq_data_);
    } else if (is(name, "forged-ni")) {
        udm_inject(node, rq_arrive_, RQ_NI, 1);
    }
}

int main(int argc, char **argv)
{
    bool mine;

    if (argc != 3) {
        fprintf(stderr, "rq-mistakes: NODE CASE\n");
        return 2;
    }
    mine = udm_node() == strtoul(argv[1], NULL, 10);
    if (mine) {
        before_init(argv[2]);
    }
    rq_init(RQ_BY_MEMORY);
    rq_create(QUEUE, RQ_POLL);
    udm_barrier();
    if (mine) {
        names(argv[2]);
        messages(argv[2]);
    }
    udm_barrier();              /* messages have come to the next node */
    udm_barrier();
    return 0;
}
