/*
 * One operation, some times, for tests that count its messages.
 *
 *     counts TIMES OPERATION [ROOT [BYTES]]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "udm-collective.h"

int main(int argc, char **argv)
{
    static uint32_t data[4096];
    uint32_t times = atoi(argv[1]), root = argc > 3 ? atoi(argv[3]) : 0;
    uint32_t bytes = argc > 4 ? atoi(argv[4]) : 0;

    for (uint32_t i = 0; i < times; i++) {
        if (!strcmp(argv[2], "barrier")) {
            udm_barrier();
        } else if (!strcmp(argv[2], "broadcast")) {
            udm_broadcast(root, data, bytes);
        } else if (!strcmp(argv[2], "reduce")) {
            udm_reduce_int(root, UDM_SUM, 1);
        } else if (!strcmp(argv[2], "reduce-all")) {
            udm_reduce_all_double(UDM_SUM, 1);
        } else if (!strcmp(argv[2], "quiesce")) {
            udm_quiesce();
        }
    }
    return 0;
}
