/*
 * A flag of one node for the data of another, with a race: nothing keeps the
 * flag from being there first.
 *
 * The last node sends node 0 an answer. Node 1 tells node 0, a little later,
 * that the answer has come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "udm.h"

static volatile unsigned answer, ready;

static void is_ready(void)
{
    udm_dispose();
    ready = 1;
}

static void answer_arrives(void)
{
    answer = udm_arg(0);
    udm_dispose();
}

static void work(unsigned amount)
{
    for (volatile unsigned k = 0; k < amount; k++) {
    }
}

int main(void)
{
    if (udm_node() == udm_nodes() - 1) {
        work(1500);
        udm_inject(0, answer_arrives, 42);
    } else if (udm_node() == 1) {
        work(1502);
        udm_inject(0, is_ready);
    } else if (udm_node() == 0) {
        while (!ready) {
        }
        printf("the answer is %u\n", answer);
    }
    return 0;
}
