/*
 * A node's digest: a hash of what happens to it, and when
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/xxhash.h"
#include "hw/fugu/node/digest.h"

static void digest_mix(FuguNode *node, uint64_t value)
{
    node->digest = XXH64_round(node->digest, value);
}

void fugu_digest(FuguNode *node, FuguDigestKind kind, uint64_t value)
{
    digest_mix(node, ((uint64_t)fugu_node_time(node) << 3) | kind);
    digest_mix(node, value);
}

void fugu_digest_data(FuguNode *node, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (; len >= 4; len -= 4, p += 4) {
        digest_mix(node, ldl_be_p(p));
    }
}
