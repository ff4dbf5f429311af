/*
 * mbcf-ending victim DELAY | last UNTIL: jobs that are cancelled while kernels send much.
 *
 * A victim's process on node TARGET sends node 0 a first message. DELAY cycles after
 * all is ready, node 0 cancels the job and sends the process a message. The process uses
 * all windows, and has not touched the pages of its stack that they would go to: the
 * message's upcall would wait for such a page.
 *
 * `last` says on each node that it has run up to the cycle UNTIL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbcf.h"
#include "udm-collective.h"

#define TARGET  7
#define DEEP    6               /* calls within each other: more than there are windows */
#define READY   200000          /* cycles by which node TARGET is in all of them */
#define AWAITED 3000000         /* cycles for which it awaits its end */
#define APART   10000           /* cycles between the ends of two nodes of `last` */

static void handler(void)
{
    udm_dispose();
    puts("FAIL the message reaches a process that has ended");
}

static void wait_until(uint64_t time)
{
    while (udm_cycles() < time) {
    }
}

/* Each call has a frame of two pages, which it does not touch. */
static unsigned __attribute__((noinline)) wait_deep(unsigned calls, uint64_t time)
{
    uint8_t frame[2 * GLAZE_PAGE];
    unsigned result = 0;

    if (calls) {
        result = wait_deep(calls - 1, time) + 1;
    } else {
        wait_until(time);
    }
    asm volatile ("" :: "r" (frame));
    return result;
}

static void greet(void)
{
    static const uint32_t word = 1;
    volatile uint32_t status = MBCF_PENDING;

    mbcf_send(MBCF_WRITE_QUEUE, 0, 0, &word, sizeof(word), MBCF_STATUS | MBCF_CANCELS,
              &status);
    mbcf_await(&status);
    wait_deep(DEEP, udm_cycles() + AWAITED);
    puts("FAIL the job has not been cancelled");
}

static void cancel(uint32_t delay)
{
    struct mbcf_first first;
    struct mbcf_request r = { .command = MBCF_CANCEL };

    while (!mbcf_read_queue(&first)) {
    }
    wait_until(udm_cycles() + READY + delay);
    r.task = mbcf_enter(0, first.source.node, first.source.number, first.cancel);
    mbcf_request(&r, 1);
    udm_inject(TARGET, handler);
}

int main(int argc, char **argv)
{
    uint32_t number = strtoul(argv[argc - 1], NULL, 10);

    if (!strcmp(argv[1], "last")) {
        wait_until(number + APART * udm_node());
        printf("last: node %u\n", (unsigned)udm_node());
        return 0;
    }
    mbcf_open();
    if (udm_node() == 0) {
        mbcf_queue();
    }
    udm_barrier();
    if (udm_node() == TARGET) {
        greet();
    } else if (udm_node() == 0) {
        cancel(number);
    }
    return 0;
}
