/*
 * The trap table of a machine with SHRIMP's network interface. Its interrupts have the
 * levels of FUGU's messages, for which vectors.S has fast paths. So this table, in a
 * frame of RAM, leads to C for these two, and to the vectors of vectors.S for all other
 * traps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_TABLE_IN_RAM_H
#define GLAZE_TABLE_IN_RAM_H

#include <stdbool.h>

/* Makes the table, and begins to use it, if the machine needs it. For the start, when
 * frames can be had. Returns false if there is none. */
bool table_in_ram_init(void);

#endif /* GLAZE_TABLE_IN_RAM_H */
