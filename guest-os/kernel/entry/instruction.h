/*
 * The instruction of the current process that trapped, decoded as far as the
 * kernel has to emulate it or say what it wanted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_INSTRUCTION_H
#define GLAZE_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/* The address of a load or store; 0 for anything else. */
uint32_t instruction_address(struct process *p);

/* The word that a store of a word stores, be it of an FP register. */
uint32_t instruction_stored(struct process *p);

/* The network interface's operation that it is, FUGU_OPC_*; 0 for others. */
uint32_t instruction_operation(struct process *p);

/* The operand of beginatom or endatom. */
uint32_t instruction_mask(struct process *p);

#endif /* GLAZE_INSTRUCTION_H */
