/*
 * What the rest of a node hears of when DMA has touched its memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef FUGU_TRANSFER_H
#define FUGU_TRANSFER_H

#include "hw/fugu/node/node.h"

/**
 * fugu_transfer_wrote: DMA has written to RAM
 * @node: the node whose RAM it is; one of its instructions started the DMA
 * @addr: physical address
 * @len: bytes
 *
 * Drops the lines from the cache.  If a debugger watches the bytes, the node
 * stops behind the instruction that started the DMA.
 */
void fugu_transfer_wrote(FuguNode *node, hwaddr addr, hwaddr len);

/** fugu_transfer_read: DMA has read RAM, as fugu_transfer_wrote() has it */
void fugu_transfer_read(FuguNode *node, hwaddr addr, hwaddr len);

#endif
