/*
 * Listens for messages, sends some itself, and ends while they are still in
 * the network. A message with another tag is one of a job that had the GID
 * before. test_gids.py runs it.
 *
 *      linger CYCLES [TAG RECEIVER]
 *
 * The process on each node listens for CYCLES cycles, in which it leaves the
 * processor to other jobs. With a TAG, it prints a line that says how many
 * messages had another one, and sends MESSAGES messages of the highest length
 * to node RECEIVER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

enum {
    MESSAGES = 4,
};

/* Messages with another tag may come before main() has set @tag. */
static volatile uint32_t tag, strays;

/* Handler. Argument: the sender's tag. */
static void take(void)
{
    uint32_t sent = udm_arg(0);

    udm_dispose();
    strays += sent != tag;
}

int main(int argc, char **argv)
{
    uint64_t start = udm_cycles();
    uint32_t words[UDM_ARGS_MAX] = { 0 };
    uint32_t cycles = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;

    tag = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
    while (udm_cycles() - start < cycles) {
        glaze_yield();
    }
    if (argc > 3) {
        uint32_t receiver = strtoul(argv[3], NULL, 0);

        printf("linger: job %s got %lu strays\n", argv[2],
               (unsigned long)strays);
        words[0] = tag;
        for (unsigned i = 0; i < MESSAGES; i++) {
            udm_inject_words(receiver, take, words, UDM_ARGS_MAX);
        }
    }
    return 0;
}
