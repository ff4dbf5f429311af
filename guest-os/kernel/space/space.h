/*
 * Address spaces: the tables of the SPARC reference MMU.
 *
 * Each process has a context of its own; the kernel, the RAM and the devices
 * are mapped in all of them, for the supervisor alone (glaze.h has the map).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SPACE_H
#define GLAZE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/* A page that is valid and has no frame yet: zeros at the first touch. */
#define PTE_ON_DEMAND   0x100

/*
 * A page that is in backing store: no page for the MMU, but with the access
 * that it had, and its slot.
 */
#define PTE_OUT         0x200
#define PTE_SLOT_SHIFT  10

static inline bool pte_is_out(uint32_t entry)
{
    return (entry & (PTE_TYPE | PTE_OUT)) == PTE_OUT;
}

static inline uint32_t pte_slot(uint32_t entry)
{
    return entry >> PTE_SLOT_SHIFT;
}

/*
 * The tables that all spaces share, and the idle process's; the MMU is on
 * afterwards. False: no frame for them.
 */
bool space_init(void);

/* An empty address space but for the kernel. False: no frame left. */
bool space_create(struct process *p, unsigned context);

/* Gives back all frames that it maps from RAM, and its tables. */
void space_destroy(struct process *p);

/* Switches to a process's context. */
void space_switch(const struct process *p);

/* The entry of a process's page; NULL if there is no table for it. */
uint32_t *space_entry(struct process *p, uint32_t address);

/* The same, and makes missing tables. NULL: no frame is free for one. */
uint32_t *space_make_entry(struct process *p, uint32_t address);

/* Maps a page. False: no frame is free for a table. */
bool space_map(struct process *p, uint32_t address, uint32_t physical,
               unsigned access);

/* Takes a page away, and gives back the frame or the slot that it has. */
void space_unmap(struct process *p, uint32_t address);

/*
 * The same, but a frame passes to the caller, who knows what is in it. Returns
 * the frame, or 0 if the page was in none.
 */
uint32_t space_take(struct process *p, uint32_t address);

/* Is it in memory, in a frame? In backing store? */
bool space_is_in(struct process *p, uint32_t address);
bool space_is_out(struct process *p, uint32_t address);

/* The next page from an address on that the user can write and that is in a
 * frame; 0: there is none. */
uint32_t space_next_page(struct process *p, uint32_t address);

/*
 * A page in memory is out from now on. Its frame, which is returned, passes to
 * the caller, and the slot to the page. And the other way: the slot passes to
 * the caller, the frame to the page.
 */
uint32_t space_page_out(struct process *p, uint32_t address, uint32_t slot);
void space_page_in(struct process *p, uint32_t address, uint32_t frame);

static inline uint32_t pte_physical(uint32_t entry)
{
    return (entry & ~0xffu) << 4;
}

#endif /* GLAZE_SPACE_H */
