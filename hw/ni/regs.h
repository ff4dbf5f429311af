/*
 * The FUGU network interface: the registers of both pages
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_REGS_H
#define FUGU_NI_REGS_H

#include "hw/fugu/ni/ni.h"

/* Makes both pages, and maps them into the node's memory. */
void fugu_ni_init_pages(FuguNI *ni);

/* Makes the access that a register's handler could not. Returns 0, a trap
 * type, or SPARCLE_WAIT. */
int fugu_ni_resolve(FuguNI *ni, uintptr_t ra);

#endif /* FUGU_NI_REGS_H */
