/*
 * The FUGU network interface: bodies from memory and to memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_DMA_H
#define FUGU_NI_DMA_H

#include "hw/fugu/ni/fugu/ni.h"

void fugu_dma_init(FuguNI *ni);

/*
 * The functions below return 0, a trap type, or SPARCLE_WAIT. If the
 * processor's access would fault, they leave by longjmp with the fault, and
 * need @ra for that.
 */

/* Checks whether a body can be read. @pair holds @pairs pairs of address and
 * length, which describe the body. */
int fugu_dma_check(FuguNI *ni, const uint32_t *pair, unsigned pairs,
                   uintptr_t ra);
/* Reads the body into @packet. fugu_dma_check() must have returned 0. */
void fugu_dma_gather(FuguNI *ni, const uint32_t *pair, unsigned pairs,
                     FuguPacket *packet, uintptr_t ra);

/* Writes @count bytes of the head's body, as the storeback registers say. */
int fugu_dma_storeback(FuguNI *ni, uint32_t count, bool user, uintptr_t ra);
/* Writes the whole head to physical memory: its words to dma_addr, its body to
 * dma_body, or after the words if that is 0. */
int fugu_dma_store_head(FuguNI *ni, FuguPacket *head);

#endif /* FUGU_NI_DMA_H */
