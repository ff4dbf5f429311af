/*
 * Tells cache and debuggers of DMA to and from a node's memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef FUGU_TRANSFER_H
#define FUGU_TRANSFER_H

#include "hw/fugu/node/node.h"

/**
 * fugu_transfer_wrote: call this after DMA has written to RAM
 * @node: the node that has the RAM, and whose instruction started the DMA
 * @addr: physical address of the first byte
 * @len: number of bytes
 *
 * Drops the lines from the cache.  If a debugger has a write watchpoint on any
 * of the bytes, the node stops after the instruction that started the DMA.
 */
void fugu_transfer_wrote(FuguNode *node, hwaddr addr, hwaddr len);

/**
 * fugu_transfer_came: call this after an update of another node has been stored
 * @node: the node that has the RAM
 * @packet: the update
 * @addr: physical address of the first byte
 * @len: number of bytes
 * @time: when it was stored, in the node's time
 *
 * As fugu_transfer_wrote().  If a debugger looks for stores to any of the bytes,
 * it finds the update in @node->came.
 */
void fugu_transfer_came(FuguNode *node, const FuguPacket *packet, hwaddr addr,
                        hwaddr len, int64_t time);

/**
 * fugu_transfer_read: call this after DMA has read RAM
 *
 * The parameters are as for fugu_transfer_wrote().  A read watchpoint stops
 * the node; the cache does not change.
 */
void fugu_transfer_read(FuguNode *node, hwaddr addr, hwaddr len);

#endif
