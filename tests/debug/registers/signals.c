/*
 * Signals of MBCF that interrupt code whose registers are known.
 *
 * signals ROUNDS: node 0 calls hold() while the other nodes send it signals.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "mbcf.h"
#include "spin.h"
#include "udm-collective.h"

enum { PAUSE = 3000 };

static void serve(struct mbcf_signal *signal);

static struct mbcf_signal call_me = {
    .invoke = MBCF_INVOKE_TARGET,
    .store = MBCF_STORE_FIFO,
    .during = MBCF_WHILE_INVOKE,
    .program = (uintptr_t)serve,
};
static uint32_t waiting[16];
static struct mbcf_fifo fifo = {
    .buffer = (uintptr_t)waiting, .size = sizeof(waiting),
};
static volatile uint32_t memory[2], served;
static volatile uint32_t ended;

static void serve(struct mbcf_signal *signal)
{
    uint32_t word;

    (void)signal;
    mbcf_take(&fifo, &word, sizeof(word));
    clobber();
    served++;
}

static void end(void)
{
    udm_dispose();
    ended++;
}

static void send(uint32_t rounds)
{
    for (uint32_t k = 0; k < 20 * rounds; k++) {
        volatile uint32_t status = MBCF_PENDING;
        uint64_t until = udm_cycles() + PAUSE;

        mbcf_signal(0, (uintptr_t)&call_me, 0, &k, sizeof(k), MBCF_STATUS,
                    &status);
        mbcf_await(&status);
        while (udm_cycles() < until) {
        }
    }
    udm_inject(0, end);
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 20;

    call_me.to = (uintptr_t)&fifo;
    mbcf_open();
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() > 0) {
        send(rounds);
        return 0;
    }
    for (uint32_t salt = 0; ended < udm_nodes() - 1;) {
        volatile uint32_t counter = 0;

        hold(&counter, memory, ++salt);
    }
    printf("served %lu\n", (unsigned long)served);
    return 0;
}
