/*
 * The SHRIMP network interface: command memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_COMMAND_H
#define FUGU_SHRIMP_COMMAND_H

#include "hw/fugu/ni/shrimp/shrimp.h"

/* Makes the memory, and maps it into the node's address space. */
void shrimp_command_init(ShrimpNI *ni);

#endif /* FUGU_SHRIMP_COMMAND_H */
