/*
 * Node 0 sends messages to a process that has ended: that of node 1.
 *
 *   wasted MESSAGES UNTIL
 *
 * Node 0 sends MESSAGES messages, but none after the cycle UNTIL, and none once its
 * job has been suspended for that. It prints how often that was. If MESSAGES is 0, all
 * processes wait for ever.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define WAIT    200000          /* cycles until node 1's process has ended */

static void take(void)
{
    udm_dispose();
}

int main(int argc, char **argv)
{
    uint64_t begun = udm_cycles(), until;
    uint32_t messages;

    if (argc != 3) {
        return 2;
    }
    messages = strtoul(argv[1], NULL, 0);
    until = strtoull(argv[2], NULL, 0);
    while (!messages) {
        glaze_wait();
    }
    if (udm_node()) {
        return 0;
    }
    while (udm_cycles() < begun + WAIT) {
    }
    while (messages-- && !glaze_info(GLAZE_I_SUSPENSIONS) && udm_cycles() < until) {
        udm_inject(1, take);
    }
    printf("wasted: %u suspensions\n", (unsigned)glaze_info(GLAZE_I_SUSPENSIONS));
    return 0;
}
