/*
 * Sharing: what shared memory has cost a job on a node
 *
 * Marks in the library of shared memory (names.h) tell when a fault, a lock and
 * so on begin and end, and for which address. Costs are added up by kind and
 * address. A twin or a difference begins and ends inside another cost, and its
 * cycles count for both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHARING_H
#define FUGU_SHARING_H

#include "hw/fugu/observe/names.h"

typedef struct FuguSharing FuguSharing;

FuguSharing *fugu_sharing_new(void);

/* Whether a mark is one of shared memory. */
static inline bool fugu_sharing_has(unsigned kind)
{
    return kind >= FUGU_MARK_SHM_READ_FAULT && kind <= FUGU_MARK_SHM_BLOCK;
}

/* The processor has reached a mark of shared memory, with these operands. */
void fugu_sharing_mark(FuguSharing *s, int64_t now, unsigned kind,
                       const uint32_t *value);

/*
 * Writes a line for each kind and address, and for each block:
 *
 *      cost NODE GID KIND ADDRESS TIMES CYCLES
 *      block NODE GID ADDRESS BYTES PC
 *
 * A cost that has not ended is left out.
 */
void fugu_sharing_write(const FuguSharing *s, uint32_t node, uint32_t gid,
                        FILE *file);

#endif /* FUGU_SHARING_H */
