/*
 * The FUGU network interface: the registers of both pages
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_REGS_H
#define FUGU_NI_REGS_H

#include "hw/fugu/ni/fugu/ni.h"

/* Sets the methods for registers. */
void fugu_ni_class_init_regs(FuguSystemNIClass *part);

#endif /* FUGU_NI_REGS_H */
