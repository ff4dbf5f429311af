/*
 * The FUGU network interface: launch, dispose
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_OP_H
#define FUGU_NI_OP_H

#include "hw/fugu/ni/fugu/ni.h"

/* An operation of the processor. Returns 0, a trap type, or SPARCLE_WAIT. */
int fugu_ni_op(FuguNI *ni, SparcleOp op, uint32_t a, uint32_t b, bool user,
               uintptr_t ra);

/* Returns the words of source space that the user's or the kernel's window may
 * use: all that are not reserved for the other one. */
uint32_t fugu_ni_space(FuguNI *ni, const FuguDescriptor *d);

#endif /* FUGU_NI_OP_H */
