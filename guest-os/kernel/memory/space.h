/*
 * Address spaces: the tables of the SPARC reference MMU.
 *
 * Each process has a context. All contexts map the kernel, the RAM and the
 * devices for the supervisor only (glaze.h has the map).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SPACE_H
#define GLAZE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/*
 * Entry of a page that has no frame yet: zeros at the first touch. It has
 * PTE_MODIFIED as well, until space_watch() clears that bit. From PTE_TOUCHED on,
 * an entry is that of a frame or of a slot.
 */
#define PTE_ON_DEMAND   0x100
#define PTE_TOUCHED     0x200

/*
 * Entry of a page in backing store: invalid for the MMU, with the page's
 * access permissions, its slot, and whether it has changed.
 */
#define PTE_OUT         0x200
#define PTE_SLOT_SHIFT  10

static inline bool pte_is_out(uint32_t entry)
{
    return (entry & (PTE_TYPE | PTE_OUT)) == PTE_OUT;
}

/*
 * Returns whether a page of the program is closed: the process may read it, but a store
 * has to wait until the page's mappings to other nodes stand (services/shrimp/pages.h),
 * or wakes the process that waits for it (services/mm/guard.h).
 */
static inline bool pte_is_closed(uint32_t entry)
{
    return (entry & PTE_ACCESS) == ACCESS_R_RW << PTE_ACCESS_SHIFT;
}

/* Returns whether the entry maps a page. Outside devices and views that is a frame. */
static inline bool pte_is_page(uint32_t entry)
{
    return (entry & PTE_TYPE) == PTE_PAGE;
}

/* Bytes that the entries of one table map. The entries of adjacent pages are adjacent,
 * except across a multiple of this. */
#define SPACE_SEGMENT   0x40000

/*
 * Entry of a view whose page is in backing store: invalid for the MMU, with the
 * page's address and the view's access permissions.
 */
#define PTE_AWAY        0x400

static inline bool pte_is_away(uint32_t entry)
{
    return (entry & (PTE_TYPE | PTE_OUT | PTE_AWAY)) == PTE_AWAY;
}

static inline uint32_t pte_slot(uint32_t entry)
{
    return entry >> PTE_SLOT_SHIFT;
}

/* Returns the entry that maps a frame. */
static inline uint32_t pte_frame(uint32_t frame, unsigned access)
{
    return frame >> 4 | PTE_CACHEABLE | access << PTE_ACCESS_SHIFT | PTE_PAGE;
}

/*
 * Makes the tables that all spaces share, and those of the idle process, and
 * turns the MMU on. Returns false if there are too few frames.
 */
bool space_init(void);

/*
 * Makes an address space with only the kernel in it. Returns false if no frame
 * is free; another call goes on.
 */
bool space_create(struct process *p, unsigned context);

/*
 * A process ends: nothing can be accessed in its context any more. Its memory stays
 * until space_destroy().
 */
void space_leave(struct process *p);

/*
 * Gives back a part of a process's frames and slots, and at last its tables, even
 * if the address space was only half made: some 8,000 cycles at most. Returns false
 * if that was not all.
 */
bool space_destroy(struct process *p);

/*
 * Returns a frame that the kernel keeps for a process until it ends, full of
 * zeros: the one that the process has waited for, if there is one
 * (process_wait_for_frame()), or else one of a colour, as frame_alloc() finds it.
 * Returns 0 if no frame is free.
 */
uint32_t space_frame(struct process *p, unsigned colour);

/* Switches to a process's context. */
void space_switch(const struct process *p);

/*
 * Returns the entry of a process's page; NULL if there is no table for it.
 * Caller may write an entry that is 0. It calls no function, for
 * extend.c.
 */
uint32_t *space_entry(struct process *p, uint32_t address);

/* The same, but makes missing tables. Returns NULL if no frame is free for a
 * table. */
uint32_t *space_make_entry(struct process *p, uint32_t address);

/* Maps a page. Returns false if no frame is free for a table. */
bool space_map(struct process *p, uint32_t address, uint32_t physical,
               unsigned access);

/* Unmaps a page, and gives back its frame or its slot. */
void space_unmap(struct process *p, uint32_t address);

/*
 * Unmaps a page and gives back its slot, but leaves its frame to the caller,
 * who knows what is in it. Returns the frame; 0 if the page had none.
 */
uint32_t space_take(struct process *p, uint32_t address);

/* Returns whether the page at an address, of program or heap, is closed. */
bool space_is_closed(struct process *p, uint32_t address);

/* Closes a page that has been touched, or opens it. */
void space_close(struct process *p, uint32_t address, bool closed);

/* Return whether the page at an address is in a frame, or in backing store. */
bool space_is_in(struct process *p, uint32_t address);
bool space_is_out(struct process *p, uint32_t address);

/*
 * A view shows a page at a second address, `view`, from GLAZE_VIEWS on (glaze.h).
 * The page may go out: then its view's entry is away (PTE_AWAY) until the page
 * has come back. space_view() makes the view of a page that is in a frame, or
 * changes its rights. It returns false if no frame is free for a table; what it has
 * made so far stays. The MMU records stores to a view in the view's entry, so
 * space_view() marks the page itself as changed. space_view_end() takes the page's
 * view away; nothing happens if there is none. space_viewed() returns the view of a
 * page; 0: none. space_is_view() returns whether an address is the view of a page.
 */
bool space_view(struct process *p, uint32_t view, uint32_t page,
                unsigned access);
void space_view_end(struct process *p, uint32_t page);
uint32_t space_viewed(struct process *p, uint32_t page);
bool space_is_view(struct process *p, uint32_t view);

/*
 * Notes that a page is unchanged from now on: clears PTE_MODIFIED in its entry,
 * where the MMU sets it at the next store. Does nothing to a page that has a
 * view, or to which others map over the network.
 */
void space_watch(struct process *p, uint32_t address);

/*
 * Returns the first page from an address on that may go out: the user can
 * write it, and it is in a frame. Returns 0 if no page may. Looks at no more than
 * *most entries, and subtracts those from it. If they do not suffice, *most is 0,
 * and the result is the address from which to go on.
 */
uint32_t space_next_page(struct process *p, uint32_t address, unsigned *most);

/*
 * space_page_out() marks a page in memory as out, in a slot. It returns the
 * page's frame, which passes to the caller. space_page_in() maps a frame for a
 * page that is out. The page's slot passes to the caller.
 */
uint32_t space_page_out(struct process *p, uint32_t address, uint32_t slot);
void space_page_in(struct process *p, uint32_t address, uint32_t frame);

static inline uint32_t pte_physical(uint32_t entry)
{
    return (entry & ~0xffu) << 4;
}

#endif /* GLAZE_SPACE_H */
