/*
 * Variables that processes synchronise on, and blocks of memory, by their addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHM_NAMES_H
#define SHM_NAMES_H

#include "shm-state.h"

#define PART_SLOTS      256
#define PARTS           512

/* The beginning of what a table holds. */
struct named {
    struct named *next;         /* in the same slot */
    uint32_t address;
};

/* A table, all zeros at first. It gets another slot with each entry, so no function
 * takes longer when there are many. */
struct names {
    struct named **part[PARTS]; /* slots; NULL: none yet */
    uint32_t slots, count;      /* count: of entries */
    uint32_t half;              /* the largest power of 2 up to `slots` */
};

/* The functions below are for atomic sections and handlers. */

/*
 * Returns what the table has for an address. If it has nothing, that becomes
 * `bytes` bytes of zeros after the address.
 */
void *named(struct names *table, uint32_t address, uint32_t bytes);

/* Returns what the table has for an address, or NULL. */
void *named_before(const struct names *table, uint32_t address);

/* Adds what the caller has filled in but for `next`: the table has nothing for its
 * address. Takes it out again. */
void named_add(struct names *table, struct named *entry);
void named_remove(struct names *table, struct named *entry);

/* Returns the node that manages the variable at an address. */
uint32_t manager_of(uint32_t address);

#endif /* SHM_NAMES_H */
