/*
 * Remote procedure calls by messages of the M-Machine's interface. See
 * README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "mm-times.h"
#include "mm.h"
#include "udm-collective.h"

/* call.S */
typedef uint32_t call(uint32_t dest, uint32_t handler,
                      const volatile uint32_t *answer, uint32_t answer_dest,
                      uint32_t answer_handler);
call rpc_call_8, rpc_call_10;
extern const uint32_t rpc_arguments[4];

/* Where a call's arguments go, and its answer. Handlers write both. */
struct record {
    uint32_t argument[8], ready, came;
};

struct answer {
    uint32_t sum, at, came;
};

static volatile struct {
    struct record record;
    struct answer answer;
} memory __attribute__((aligned(GLAZE_PAGE)));
static struct mm_shared shared;
static uint32_t wrong;

/* Calls a node in a try. Returns when that began; the answer is there then. */
static uint32_t call_node(uint32_t try, call *call, uint32_t handler,
                          uint32_t node)
{
    uint32_t dest = mm_at(&shared, node, &memory.record.argument[0]);
    uint32_t answer_dest = mm_at(&shared, 0, &memory.answer.sum);
    uint32_t sum = 4 * dest, began;

    memory.answer.sum = 0;
    times_vary(try);
    began = call(dest, handler, &memory.answer.sum, answer_dest,
                 MM_HANDLER_IP(rpc_answer));
    for (unsigned i = 0; i < 4; i++) {
        sum += 2 * rpc_arguments[i];
    }
    wrong += memory.answer.sum != sum;
    return began;
}

static void by_handler(uint32_t node, uint32_t tries)
{
    struct times answered = { 0 };

    for (uint32_t k = 0; k < tries; k++) {
        uint32_t began = call_node(k, rpc_call_10, MM_HANDLER_IP(rpc_add), node);

        times_add(&answered, memory.answer.at - began);
    }
    times_print("answered by a handler", &answered);
}

static void by_thread(uint32_t node, uint32_t tries)
{
    struct times started = { 0 }, answered = { 0 };

    for (uint32_t k = 0; k < tries; k++) {
        uint32_t began = call_node(k, rpc_call_8, MM_HANDLER_IP(rpc_start), node);

        times_add(&started, memory.answer.came - began);
        times_add(&answered, memory.answer.at - began);
    }
    times_print("started", &started);
    times_print("answered by a thread", &answered);
}

/* The thread that answers. */
static void answer(uint32_t tries)
{
    volatile struct record *r = &memory.record;

    for (uint32_t k = 0; k < tries; k++) {
        uint32_t sum = 0, came;

        times_look(&r->ready, 0);
        for (unsigned i = 0; i < 8; i++) {
            sum += r->argument[i];
        }
        came = times_look(&r->came, 0);
        r->ready = 0;
        r->came = 0;
        mm_send2(mm_at(&shared, 0, &memory.answer.sum),
                 MM_HANDLER_IP(rpc_answer), sum, came);
    }
}

int main(int argc, char **argv)
{
    uint32_t last = udm_nodes() - 1;
    uint32_t tries = times_argument("mmrpc", argc, argv, TIMES_MOST, 2);

    times_share("mmrpc", &shared, &memory, GLAZE_PAGE);
    udm_barrier();              /* a handler that sends: its node has shared */
    if (udm_node() == 0) {
        by_handler(last, tries);
        by_thread(last, tries);
        printf("mmrpc: %lu answers were wrong\n", (unsigned long)wrong);
    } else if (udm_node() == last) {
        answer(tries);
    }
    return wrong != 0;
}
