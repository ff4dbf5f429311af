/*
 * Messages for a process that has ended.
 *
 *   ended counts UNTIL         node 0 counts how far it comes until the cycle UNTIL,
 *                              and prints it
 *   ended floods FROM UNTIL    node 0 ends at once. From the cycle FROM on, the
 *                              others send it messages, as many as they can
 *   ended waits FROM UNTIL     the same, but nothing is sent
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "udm.h"

static void take(void)
{
    udm_dispose();
}

static void count(uint64_t until)
{
    uint32_t turns = 0;

    while (udm_cycles() < until) {
        turns++;
    }
    printf("ended: %lu turns\n", (unsigned long)turns);
}

int main(int argc, char **argv)
{
    uint64_t until = strtoull(argv[argc - 1], NULL, 0);

    if (argc == 3) {
        if (udm_node() == 0) {
            count(until);
        }
        return 0;
    }
    if (argc != 4) {
        return 2;
    }
    if (udm_node()) {
        while (udm_cycles() < strtoull(argv[2], NULL, 0)) {
        }
        while (udm_cycles() < until) {
            if (!strcmp(argv[1], "floods")) {
                udm_inject(0, take);
            }
        }
    }
    return 0;
}
