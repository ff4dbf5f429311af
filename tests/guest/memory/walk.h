/*
 * Page tables with entries at each level, for tests of faults and of probes.
 */
#ifndef GUEST_WALK_H
#define GUEST_WALK_H

#include <stdint.h>

#include "mmu.h"

#define ASI_USER_TEXT   8
#define ASI_KERNEL_TEXT 9
#define ASI_USER_DATA   10
#define ASI_KERNEL_DATA 11

/* 256 KiB of RAM that nothing else uses. */
#define WALK_FRAMES     0x40080000

/*
 * Addresses of its first page, by the level of the entry that maps it. The
 * region and the segment are unused by mmu_on(); the page is the first one of
 * the test window.
 */
#define WALK_LEVELS     3
uint32_t walk_address(unsigned level);

/* Maps the address of this level with any access rights (ACC), and flushes. */
void walk_map(unsigned level, unsigned access);

/* The entry that the MMU's walk for an address reads in the table of this
 * level. Level 0 is the context table. The levels above must be pointers. */
volatile uint32_t *walk_entry(uint32_t address, unsigned level);

/* Probes the MMU: types 0 to 4 are page, segment, region, context, entire. */
uint32_t mmu_probe(uint32_t address, unsigned type);

#endif
