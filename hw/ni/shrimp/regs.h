/*
 * The SHRIMP network interface: the registers of both pages
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_REGS_H
#define FUGU_SHRIMP_REGS_H

#include "hw/fugu/ni/shrimp/shrimp.h"

/* Sets the methods for registers. */
void shrimp_class_init_regs(FuguSystemNIClass *part);

#endif /* FUGU_SHRIMP_REGS_H */
