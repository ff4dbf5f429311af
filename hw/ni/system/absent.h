/*
 * The registers of a message part that a kind does not have
 *
 * On both pages, the registers of the FUGU interface's message part read as 0
 * and ignore stores, so that a kernel can write them without a second code
 * path. What would start something for a user is a protection violation: a
 * store to the output window, and a storeback. Where FUGU has no register,
 * there is none here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYSTEM_ABSENT_H
#define FUGU_SYSTEM_ABSENT_H

#include "hw/fugu/ni/system/system.h"

/* Methods of FuguSystemNIClass. */
uint32_t fugu_absent_user_read(FuguSystemNI *ni, hwaddr offset, bool *ok);
uint32_t fugu_absent_kernel_read(FuguSystemNI *ni, hwaddr offset, bool *ok);
MemTxResult fugu_absent_user_write(FuguSystemNI *ni, hwaddr offset,
                                   unsigned size, uint64_t value);
MemTxResult fugu_absent_kernel_write(FuguSystemNI *ni, hwaddr offset,
                                     unsigned size, uint64_t value);

#endif /* FUGU_SYSTEM_ABSENT_H */
