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

#include "mbcf.h"
#include "rq.h"
#include "../../guest-os/lib/rq/rq-state.h"
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
        rq_init(RQ_BY_FETCH + 1);
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
        rq_create(QUEUE + 1, RQ_INTERRUPT + 1);
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

/* ---- With RQ_BY_FETCH ---------------------------------------------------- */

/* Finds the ring of QUEUE in this node's memory: the same place on all nodes. */
static struct slot *slots(void)
{
    const struct queue *queue = rq_shelves[0]->queue[QUEUE];

    return ((struct ring *)(uintptr_t)queue->ring)->slot;
}

/* Overwrites the slot of another node's queue that is the next to be taken. */
static void overwrite(uint32_t node, uint32_t bytes, uint32_t present)
{
    const uint32_t words[2] = { bytes, present };

    mbcf_write_now(node, (uintptr_t)&slots()[1].bytes, words, sizeof(words));
}

static void by_fetch(const char *name)
{
    uint32_t node = (udm_node() + 1) % udm_nodes();
    static uint32_t body[FUGU_BODY_MAX / 4 + 1];

    if (is(name, "fetch-send")) {
        rq_send(node, MISSING, 1);
    } else if (is(name, "fetch-negative")) {
        rq_send(node, -1, 1);
    } else if (is(name, "fetch-node")) {
        rq_send(udm_nodes(), QUEUE, 1);
    } else if (is(name, "fetch-block")) {
        rq_store(udm_nodes(), body, body, 4, NULL, NULL);
    } else if (is(name, "fetch-no-block")) {    /* no byte goes anywhere */
        rq_store(udm_nodes(), body, body, 0, NULL, NULL);
    } else if (is(name, "fetch-address")) {
        rq_send_body(node, QUEUE, (char *)body + 1, 4, 1);
    } else if (is(name, "fetch-length")) {
        rq_send_body(node, QUEUE, body, 3, 1);
    } else if (is(name, "fetch-long")) {
        rq_send_body(node, QUEUE, body, sizeof(body), 1);
    } else if (is(name, "fetch-alone") || is(name, "fetch-ended")) {
        rq_send(node, QUEUE, 1);
    } else if (is(name, "fetch-words")) {
        overwrite(node, 0, present_word(0, 1, RQ_WORDS_MAX + 1));
    } else if (is(name, "fetch-slots")) {
        overwrite(node, 0, present_word(0, RQ_SLOTS + 1, 1));
    } else if (is(name, "fetch-end")) {         /* one slot more than is left */
        overwrite(node, 0, present_word(0, RQ_SLOTS, 0));
    } else if (is(name, "fetch-bytes")) {
        overwrite(node, FUGU_BODY_MAX, present_word(0, 1, 1));
    }
}

/* The back end of a node. */
static enum rq_back_end back_end(const char *name, bool mine)
{
    return !strncmp(name, "fetch-", 6) && (mine || !is(name, "fetch-alone"))
           ? RQ_BY_FETCH : RQ_BY_MEMORY;
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
    rq_init(back_end(argv[2], mine));
    rq_create(QUEUE, RQ_POLL);
    udm_barrier();
    if (rq_fetch_ && !is(argv[2], "fetch-alone")) {
        /* the kernel keeps a frame from the first command on: now, for all */
        rq_send((udm_node() + 1) % udm_nodes(), QUEUE, 0);
        udm_barrier();
        rq_delete_queue(QUEUE);
    }
    if (!mine && is(argv[2], "fetch-ended")) {
        return 0;
    }
    if (mine) {
        for (uint64_t start = udm_cycles();
             is(argv[2], "fetch-ended") && udm_cycles() - start < 1000000;) {
            /* the next node ends */
        }
        names(argv[2]);
        messages(argv[2]);
        by_fetch(argv[2]);
    }
    udm_barrier();              /* messages have come to the next node */
    rq_read_queue(QUEUE);
    udm_barrier();
    return 0;
}
