/*
 * A node's digest: a hash of what happens to it, and when
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_DIGEST_H
#define FUGU_DIGEST_H

#include "hw/fugu/node/state.h"

/* What happens to a node and is part of its digest. */
typedef enum FuguDigestKind {
    FUGU_DIGEST_LAUNCH = 1,
    FUGU_DIGEST_DELIVERY,
    FUGU_DIGEST_TRAP,
    FUGU_DIGEST_CONSOLE,
    FUGU_DIGEST_END,
    FUGU_DIGEST_UPDATE,         /* the interface writes to memory, or drops what
                                   it got */
} FuguDigestKind;

/* Adds an event to the node's digest, with the local time. */
void fugu_digest(FuguNode *node, FuguDigestKind kind, uint64_t value);
/* Adds @len bytes of data, a multiple of 4, to the event just added. */
void fugu_digest_data(FuguNode *node, const void *data, size_t len);

#endif /* FUGU_DIGEST_H */
