/*
 * Buffers that are mapped over the network: how both ends connect them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "shrimp-buffers.h"

#define NBYTES_AT       offsetof(struct shrimp_buffer, nbytes)
#define NBYTES_PART     (sizeof(struct shrimp_buffer) - NBYTES_AT)

/* Maps nbytes of each buffer, and what is behind it, to those of the other end. */
static int32_t map_nbytes(struct shrimp_buffer *buffers, uint32_t count, uint32_t node,
                          uint32_t number)
{
    int32_t made = 0;

    for (uint32_t k = 0; k < count && made >= 0; k++) {
        made = shrimp_map(&buffers[k].nbytes, NBYTES_PART, node, number,
                          k * sizeof(*buffers) + NBYTES_AT, SHRIMP_SINGLE);
    }
    return made < 0 ? made : 0;
}

int32_t shrimp_offer(struct shrimp_buffer *buffers, uint32_t count, uint32_t number)
{
    return shrimp_export(number, buffers, count * sizeof(*buffers));
}

int32_t shrimp_connect_send(struct shrimp_buffer *buffers, uint32_t count,
                            uint32_t node, uint32_t number, uint32_t mode)
{
    int32_t made = shrimp_offer(buffers, count, number + SHRIMP_SENDS);

    for (uint32_t k = 0; k < count && made >= 0; k++) {
        made = shrimp_map(buffers[k].data, SHRIMP_BUFFER_BYTES, node, number,
                          k * sizeof(*buffers), mode);
    }
    return made < 0 ? made : map_nbytes(buffers, count, node, number);
}

int32_t shrimp_connect_receive(struct shrimp_buffer *buffers, uint32_t count,
                               uint32_t node, uint32_t number)
{
    return map_nbytes(buffers, count, node, number + SHRIMP_SENDS);
}
