/*
 * The smallest program: each node prints a line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "udm.h"

int main(int argc, char **argv)
{
    printf("hello from node %lu of %lu:", (unsigned long)udm_node(),
           (unsigned long)udm_nodes());
    for (int i = 0; i < argc; i++) {
        printf(" %s", argv[i]);
    }
    printf("\n");
    return 0;
}
