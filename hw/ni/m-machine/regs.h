/*
 * The M-Machine's message interface: the registers of the user's and the kernel's
 * page
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_REGS_H
#define FUGU_MM_REGS_H

#include "hw/fugu/ni/m-machine/mm.h"

void mm_class_init_regs(FuguSystemNIClass *part);

#endif /* FUGU_MM_REGS_H */
