/*
 * Sends messages with a tag to all nodes, and ends without waiting for those of
 * others. A message with another tag is one of a job that had the GID before:
 * the process then prints a line and ends with status 1. test_gids.py runs it.
 *
 *      stray TAG MESSAGES
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "udm.h"

/* The lowest and highest tag of messages, some of which come before main(). */
static volatile uint32_t lowest = UINT32_MAX, highest;

/* Handler. Argument: the sender's tag. */
static void take(void)
{
    uint32_t tag = udm_arg(0);

    udm_dispose();
    lowest = tag < lowest ? tag : lowest;
    highest = tag > highest ? tag : highest;
}

int main(int argc, char **argv)
{
    uint32_t tag = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
    uint32_t messages = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;

    for (uint32_t i = 0; i < messages; i++) {
        udm_inject((udm_node() + i) % udm_nodes(), take, tag);
    }
    if (lowest < tag || highest > tag) {
        printf("stray: job %lu got messages of jobs %lu to %lu\n",
               (unsigned long)tag, (unsigned long)lowest,
               (unsigned long)highest);
        return 1;
    }
    return 0;
}
