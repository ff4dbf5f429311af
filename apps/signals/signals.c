/*
 * Remote procedure calls by signals. See README.md.
 *
 * A call is a SIGNAL: the kernel of the called node stores the request in a FIFO
 * and lets the task run serve(), which takes a request and writes the result to
 * the memory of the caller. The caller sleeps until then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "arguments.h"
#include "mbcf.h"
#include "udm-collective.h"

enum procedure { SQUARE, DIGITS, TOTAL, PROCEDURES };
enum { ROOM = 2 };              /* requests that wait on a node */

struct request {
    uint32_t procedure, argument;
    uint32_t caller;            /* node */
    uint32_t reply;             /* address of the caller's struct reply */
};

struct reply {
    uint32_t result, number;    /* of the call, from 1 */
};

/* ---- The called node ----------------------------------------------------- */

static void serve(struct mbcf_signal *signal);

static uint32_t waiting[ROOM * (sizeof(struct request) / 4 + 1)];
static struct mbcf_fifo requests = {
    .buffer = (uintptr_t)waiting, .size = sizeof(waiting),
};
static struct mbcf_signal call_me = {
    .invoke = MBCF_INVOKE_TARGET,
    .store = MBCF_STORE_FIFO,
    .during = MBCF_WHILE_INVOKE,        /* each request runs serve() once */
    .program = (uintptr_t)serve,
    .to = (uintptr_t)&requests,
};

static uint32_t total;          /* what calls have added */
static uint32_t served[1024];   /* calls of each node */

static uint32_t run(uint32_t procedure, uint32_t argument)
{
    uint32_t digits = 1;

    switch (procedure) {
    case SQUARE:
        return argument * argument;
    case DIGITS:
        while (argument /= 10) {
            digits++;
        }
        return digits;
    default:
        total += argument;
        return argument;
    }
}

/*
 * The program of the signal. It interrupts this node's own work, in an atomic
 * section, so it never runs twice at once.
 */
static void serve(struct mbcf_signal *signal)
{
    struct request r;
    struct reply reply;

    (void)signal;
    if (mbcf_take(&requests, &r, sizeof(r)) != sizeof(r)) {
        return;                 /* no request: nothing but a signal does this */
    }
    reply.result = run(r.procedure, r.argument);
    reply.number = ++served[r.caller];
    mbcf_write(r.caller, r.reply, &reply, sizeof(reply), MBCF_WAKES, NULL);
}

/* ---- The caller ---------------------------------------------------------- */

/* The last reply of each node. Its number changes last. */
static volatile struct reply replies[1024];

static uint32_t tried_again;

static uint32_t call(uint32_t node, enum procedure procedure,
                     uint32_t argument)
{
    const struct request request = { procedure, argument, udm_node(),
                                     (uintptr_t)&replies[node] };
    uint32_t before = replies[node].number, result;

    do {
        volatile uint32_t status = MBCF_PENDING;

        mbcf_signal(node, (uintptr_t)&call_me, 0, &request, sizeof(request),
                    MBCF_STATUS, &status);
        result = mbcf_await(&status);
        tried_again += result != MBCF_DONE;
    } while (result == MBCF_FULL);      /* too many others call this node */
    if (result != MBCF_DONE) {
        printf("signals: %s\n", mbcf_status_name(result));
        return 0;
    }
    mbcf_sleep_while(&replies[node].number, before);
    return replies[node].result;
}

static uint32_t calls = 30;

/* Calls procedures on all nodes in turn. Returns how many results were wrong. */
static uint32_t call_all(void)
{
    uint32_t wrong = 0;

    for (uint32_t k = 0; k < calls; k++) {
        uint32_t node = (udm_node() + k) % udm_nodes();

        switch (k % PROCEDURES) {
        case SQUARE:
            wrong += call(node, SQUARE, k) != k * k;
            break;
        case DIGITS:
            wrong += call(node, DIGITS, 1000 + k % 9000) != 4;
            break;
        default:
            wrong += call(node, TOTAL, k) != k;
        }
    }
    return wrong;
}

/* Returns what all TOTAL calls of a node have added. */
static uint32_t added(void)
{
    uint32_t sum = 0;

    for (uint32_t k = TOTAL; k < calls; k += PROCEDURES) {
        sum += k;
    }
    return sum;
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "CALLS", "calls of each node", 1, 60000, &calls }, { 0 },
    };
    struct arguments arguments = { .app = "signals", .numbers = numbers };
    uint32_t wrong, sum, again;
    uint64_t cycles, start;

    arguments_read(&arguments, argc, argv);
    if (udm_nodes() > sizeof(served) / sizeof(*served)) {
        arguments_wrong(&arguments, "1024 nodes at most");
    }
    mbcf_open();
    mbcf_take_signals();
    udm_barrier();              /* all nodes serve */
    start = udm_cycles();
    wrong = call_all();
    cycles = udm_cycles() - start;
    udm_barrier();
    wrong = udm_reduce_all_int(UDM_SUM, wrong);
    sum = udm_reduce_all_int(UDM_SUM, total);
    again = udm_reduce_all_int(UDM_SUM, tried_again);
    if (sum != added() * udm_nodes()) {
        wrong++;
    }
    if (udm_node() == 0) {
        printf("signals: %.0f cycles a call, %lu sent again\n",
               (double)cycles / calls, (unsigned long)again);
        printf("signals: %lu calls, %lu wrong: %s\n",
               (unsigned long)(calls * udm_nodes()), (unsigned long)wrong,
               wrong ? "wrong" : "right");
    }
    return wrong != 0;
}
