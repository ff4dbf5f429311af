/*
 * Variables that processes synchronise on, by their addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_NAMES_H
#define SHM_NAMES_H

#include "shm-state.h"

#define NAMES           256     /* slots of a table */

/* The beginning of what a table holds. */
struct named {
    struct named *next;
    uint32_t address;
};

/*
 * Returns what the table has for an address. If it has nothing, that becomes
 * `bytes` bytes of zeros after the address. In an atomic section or a handler.
 */
void *named(struct named **table, uint32_t address, uint32_t bytes);

/* Returns the node that manages the variable at an address. */
uint32_t manager_of(uint32_t address);

#endif /* SHM_NAMES_H */
