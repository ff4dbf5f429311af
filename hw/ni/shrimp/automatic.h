/*
 * The SHRIMP network interface: automatic update
 *
 * The interface snoops the processor's stores off the memory bus. What is stored
 * to a page that is mapped out for automatic update goes into the Outgoing FIFO at
 * the cycle of the store (paper, sections 3 and 4.1). Only stores of the processor
 * are snooped: an update that comes in is not forwarded, nor is what DMA, a
 * debugger or the MMU stores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_AUTOMATIC_H
#define FUGU_SHRIMP_AUTOMATIC_H

#include "hw/fugu/ni/shrimp/shrimp.h"

/* Sets the methods by which the processor's stores reach the interface. */
void shrimp_class_init_automatic(FuguNetifClass *nc);

/* A page is now mapped out, or no longer: the stores to it are snooped from the
 * next instruction on, or are not. */
void shrimp_automatic_changed(ShrimpNI *ni);

#endif /* FUGU_SHRIMP_AUTOMATIC_H */
