/*
 * The instruction at a process's pc, which has trapped, decoded as far as the
 * kernel emulates or reports it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_INSTRUCTION_H
#define GLAZE_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/* Returns the address that a load or store uses; 0 for other instructions. */
uint32_t instruction_address(struct process *p);

/* Returns the word that a store of an integer or FP register stores. */
uint32_t instruction_stored(struct process *p);

/*
 * Returns the network interface's operation, FUGU_OPC_*; 0 for other
 * instructions.
 */
uint32_t instruction_operation(struct process *p);

/* Returns the operand of beginatom or endatom. */
uint32_t instruction_mask(struct process *p);

#endif /* GLAZE_INSTRUCTION_H */
