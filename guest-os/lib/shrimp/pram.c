/*
 * Pages that two processes share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "pram.h"
#include "udm.h"

int32_t pram_share(volatile void *memory, size_t bytes, uint32_t node, uint32_t number,
                   uint32_t mode)
{
    int32_t result;

    /* Before the export: others could map to it, and lose that when it ends again. */
    if (node == udm_node() || node >= udm_nodes() ||
        (mode != SHRIMP_SINGLE && mode != SHRIMP_BLOCKED)) {
        return -EINVAL;
    }
    result = shrimp_export(number, memory, bytes);
    if (result >= 0) {
        result = shrimp_map(memory, bytes, node, number, 0, mode);
        if (result < 0) {
            shrimp_unexport(number);
        }
    }
    return result;
}

int32_t pram_unshare(uint32_t number, int32_t mapping)
{
    int32_t result = shrimp_unmap(mapping);

    return result < 0 ? result : shrimp_unexport(number);
}
