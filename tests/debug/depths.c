/*
 * Call chains that are known at each moment, for tests of backtraces.
 *
 * Node 0 descends a recursion and returns, to a different depth each time. So
 * does the handler of the messages that the other nodes send. Each call has
 * its depth as argument, so that a test can check each number of a backtrace.
 *
 * depths ROUNDS: number of recursions; with a second argument, in buffered
 * mode. Prints one line on node 0 at the end; exits with status 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

enum { DEPTHS = 17 };           /* more than twice the number of windows */

static volatile uint32_t ended;
static volatile uint32_t handled;

/* Keeps the depth in its register until the call has returned. */
#define KEEP(depth) asm volatile ("" : "+r" (depth))

static uint32_t __attribute__((noinline)) work(uint32_t depth)
{
    uint32_t sum = depth;

    for (volatile uint32_t k = 0; k < 20; k++) {
        sum += k;
    }
    return sum;
}

static uint32_t __attribute__((noinline)) main_down(uint32_t depth,
                                                    uint32_t bottom)
{
    uint32_t sum = depth < bottom ? main_down(depth + 1, bottom) : work(depth);

    KEEP(depth);
    return sum + depth;
}

static uint32_t __attribute__((noinline)) handler_down(uint32_t depth,
                                                       uint32_t bottom)
{
    uint32_t sum = depth < bottom ? handler_down(depth + 1, bottom)
                                  : work(depth);

    KEEP(depth);
    return sum + depth;
}

static void message(void)
{
    uint32_t bottom = udm_arg(0);

    handler_down(0, bottom);
    udm_dispose();
    handled++;
}

static void end(void)
{
    udm_dispose();
    ended++;
}

static void send(uint32_t rounds)
{
    for (uint32_t k = 0; k < rounds; k++) {
        udm_inject(0, message, (5 * k + udm_node()) % DEPTHS);
    }
    udm_inject(0, end);
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 20;
    uint32_t sum = 0;

    if (udm_node() > 0) {
        send(rounds);
        return 0;
    }
    for (uint32_t k = 0; k < rounds || ended < udm_nodes() - 1; k++) {
        if (argc > 2 && glaze_info(GLAZE_I_MODE) == GLAZE_FAST) {
            glaze_divert();
        }
        sum += main_down(0, 3 * k % DEPTHS);
    }
    printf("handled %u, sum %s\n", (unsigned)handled, sum ? "there" : "lost");
    return 0;
}
