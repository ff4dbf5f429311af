/*
 * Remote procedure calls: threads that wait for replies. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "udm-collective.h"
#include "udm-thread.h"

enum {
    CALLS = 96,                 /* default: calls by each node in each test */
    CALLS_MAX = 1000000,
    THREADS_MAX = 8,            /* calls that a node has outstanding */
};

/* ---- Calls -------------------------------------------------------------- */

typedef uint32_t procedure_t(uint32_t argument);

/* A call, on the stack of the thread that waits for its reply. */
struct call {
    udm_thread_t *thread;
    volatile bool done;
    uint32_t result;
};

/* Handler on the caller's node. Arguments: the call, and the result. */
static void reply(void)
{
    struct call *call = (struct call *)udm_arg(0);

    call->result = udm_arg(1);
    udm_dispose();
    call->done = true;
    udm_thread_wake(call->thread);
}

/* Handler on the called node. Arguments: procedure, its argument, the call. */
static void request(void)
{
    uint32_t caller = udm_source();
    procedure_t *procedure = (procedure_t *)udm_arg(0);
    uint32_t argument = udm_arg(1), call = udm_arg(2);

    udm_dispose();
    udm_inject(caller, reply, call, procedure(argument));
}

/*
 * Calls `procedure` on a node, and returns its result. All nodes run the same
 * program, so the procedure has the same address there. The other threads of
 * this process run meanwhile.
 */
static uint32_t rpc(uint32_t node, procedure_t *procedure, uint32_t argument)
{
    struct call call = { .thread = udm_thread_self() };

    udm_inject(node, request, (uintptr_t)procedure, argument,
               (uintptr_t)&call);
    while (!call.done) {
        udm_thread_block();
    }
    return call.result;
}

/* ---- Two procedures ----------------------------------------------------- */

/* Quick: the handler runs it. */
static uint32_t square(uint32_t x)
{
    return x * x;
}

/*
 * Waits for another call. A handler cannot block, because nothing could wake
 * it. udm_thread_yield() makes a thread of the handler first.
 */
static uint32_t relay(uint32_t x)
{
    udm_thread_yield();
    return rpc((udm_node() + 1) % udm_nodes(), square, x);
}

/* ---- Tests -------------------------------------------------------------- */

static procedure_t *tested;
static uint32_t calls;          /* by each thread */
static uint32_t wrong;          /* results that are not right */

/* A thread: calls the procedure on one node after the other. */
static void *client(void *first)
{
    uint32_t node = (uintptr_t)first;

    for (uint32_t x = 0; x < calls; x++) {
        node = node + 1 < udm_nodes() ? node + 1 : 0;
        wrong += rpc(node, tested, x) != x * x;
    }
    return NULL;
}

/* Returns the cycles from the first call of any node to the last reply. */
static uint64_t measure(procedure_t *procedure, uint32_t threads,
                        uint32_t total)
{
    udm_thread_t *thread[THREADS_MAX];
    uint64_t start;

    tested = procedure;
    calls = total / threads;
    udm_barrier();
    start = udm_cycles();
    for (uint32_t i = 0; i < threads; i++) {
        thread[i] = udm_thread_create(client, (void *)(udm_node() + i),
                                      UDM_NORMAL);
    }
    for (uint32_t i = 0; i < threads; i++) {
        udm_thread_join(thread[i]);
    }
    udm_barrier();
    return udm_cycles() - start;
}

static void test(const char *name, procedure_t *procedure, uint32_t total)
{
    for (uint32_t threads = 1; threads <= THREADS_MAX; threads *= 2) {
        uint32_t made = total / threads * threads;
        uint64_t cycles = measure(procedure, threads, total);

        if (udm_node() == 0) {
            printf("%-9s %11lu %7lu %15.1f\n", name, (unsigned long)threads,
                   (unsigned long)made, (double)cycles / made);
        }
    }
}

int main(int argc, char **argv)
{
    char *end = "";
    unsigned long total = argc > 1 ? strtoul(argv[1], &end, 10) : CALLS;
    uint32_t errors;

    if (argc > 2 || *end || total < THREADS_MAX || total > CALLS_MAX) {
        if (udm_node() == 0) {
            fprintf(stderr, "rpc: its one argument is a number of calls, "
                    "%d to %d\n", THREADS_MAX, CALLS_MAX);
        }
        return 2;
    }
    /* Give the slot to other jobs when all threads wait. */
    udm_collective_wait(UDM_WAIT_BLOCK);
    if (udm_node() == 0) {
        printf("rpc: calls by each of %lu nodes at the same time\n",
               (unsigned long)udm_nodes());
        printf("procedure outstanding   calls   cycles a call\n");
    }
    test("square", square, total);
    test("relay", relay, total);
    errors = udm_reduce_all_int(UDM_SUM, wrong);
    if (udm_node() == 0) {
        printf("rpc: %lu results were wrong\n", (unsigned long)errors);
    }
    return errors != 0;
}
