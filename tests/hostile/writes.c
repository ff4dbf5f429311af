/*
 * WRITEs of a word to one node, from all others, as fast as they can be sent.
 *
 *      writes NODE UNTIL
 *
 * The fast path of MBCF takes them. The process on the node NODE computes. All end at
 * the cycle UNTIL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "mbcf.h"
#include "udm.h"
#include "udm-collective.h"

static uint32_t word;

int main(int argc, char **argv)
{
    uint32_t node = argc == 3 ? strtoul(argv[1], NULL, 0) : udm_nodes();
    uint64_t until = argc == 3 ? strtoull(argv[2], NULL, 0) : 0;
    struct mbcf_request request = {
        .command = MBCF_WRITE,
        .task = node,
        .address = (uintptr_t)&word,
        .bytes = sizeof(word),
        .local = (uintptr_t)&word,
    };

    if (node >= udm_nodes()) {
        return 2;
    }
    mbcf_open();
    udm_barrier();
    while (udm_cycles() < until) {
        if (udm_node() != node) {
            mbcf_try(&request, 1);
        }
    }
    return 0;
}
