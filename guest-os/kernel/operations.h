/*
 * The network interface's operations for assembly (docs/machine.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_OPERATIONS_H
#define GLAZE_OPERATIONS_H

#include "fugu-regs.h"

#define DISPOSE         .word FUGU_INSN(FUGU_OPC_DISPOSE, 0, 0, 0)
#define BEGINATOM(mask) .word FUGU_INSN(FUGU_OPC_BEGINATOM, mask, 0, 0)
#define ENDATOM(mask)   .word FUGU_INSN(FUGU_OPC_ENDATOM, mask, 0, 0)

#endif /* GLAZE_OPERATIONS_H */
