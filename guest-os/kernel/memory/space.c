/*
 * Address spaces. Three levels: 256 regions of 16 MiB, 64 segments of
 * 256 KiB, 64 pages of 4 KiB (SPARC V8 manual, appendix H).
 *
 * Tables of the same form hold the view of each page, by the page's address:
 * p->views. They are made with the first view.
 *
 * A process's tables lie in frames that the process keeps until it ends: a
 * chain linked by frame_note().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/hardware.h"
#include "machine/ni.h"
#include "memory/frames.h"
#include "memory/space.h"
#include "memory/slots.h"

#define REGIONS         256
#define ENTRIES         64
#define REGION(a)       ((a) >> 24)
#define SEGMENT(a)      ((a) >> 18 & (ENTRIES - 1))
#define PAGE(a)         ((a) >> 12 & (ENTRIES - 1))

/* Tables are aligned to their sizes. */
static uint32_t contexts[GID_MAX + 1] __attribute__((aligned(1024)));
static uint32_t device_segments[ENTRIES] __attribute__((aligned(256)));
static uint32_t device_pages[ENTRIES] __attribute__((aligned(256)));

static uint32_t pointer(const uint32_t *table)
{
    return (uint32_t)table >> 4 | PTE_POINTER;
}

static uint32_t *table(uint32_t entry)
{
    return (uint32_t *)((entry & ~3u) << 4);
}

static uint32_t page(uint32_t physical, unsigned access)
{
    bool memory = physical < FUGU_FILES_BASE;

    return physical >> 4 | (memory ? PTE_CACHEABLE : 0) |
           access << PTE_ACCESS_SHIFT | PTE_PAGE;
}

static __attribute__((cold)) void map_devices(void)
{
    for (uint32_t a = FUGU_FILES_BASE; a; a += FUGU_DEVICE_PAGE) {
        device_pages[PAGE(a)] = page(a, a == FUGU_NI_USER_BASE ?
                                     ACCESS_RW_RW : ACCESS_NONE_RWX);
    }
    device_segments[SEGMENT(FUGU_NI_USER_BASE)] = pointer(device_pages);
}

__attribute__((cold)) bool space_init(void)
{
    map_devices();
    mmu_write(MMU_CONTEXT_TABLE, (uint32_t)contexts >> 4);
    if (!space_create(current, 0)) {
        return false;
    }
    space_switch(current);
    mmu_flush(MMU_FLUSH_ALL);
    mmu_write(MMU_CONTROL, mmu_read(MMU_CONTROL) | 1);
    return true;
}

/* Counts a frame that the kernel uses for p: the one that p has waited for, if any. */
static uint32_t keep(struct process *p, uint32_t frame)
{
    frame = p->granted ? p->granted : frame;
    p->granted = 0;
    p->refused &= !frame;       /* it finds one after all */
    p->kernel_frames += frame != 0;
    return frame;
}

uint32_t space_frame(struct process *p, unsigned colour)
{
    return keep(p, p->granted ? 0 : frame_alloc(colour));
}

/*
 * Returns a table of `bytes`, a power of two, full of zeros; NULL: no frame. Each table
 * is cleared by itself: to clear their frame takes as long as to clear a page, and the
 * page that needs the table is cleared in the same entry into the kernel.
 */
static uint32_t *table_alloc(struct process *p, uint32_t bytes)
{
    uint32_t frame = p->tables;

    if (!frame || p->tables_used + bytes > GLAZE_PAGE) {
        frame = keep(p, p->granted ? 0 : frame_alloc_to_fill(FRAME_COLOUR_ANY));
        if (!frame) {
            return NULL;
        }
        *frame_note(frame) = p->tables;
        p->tables = frame;
        p->tables_used = 0;
    }
    p->tables_used += bytes;
    return memset((void *)(frame + p->tables_used - bytes), 0, bytes);
}

static __attribute__((cold)) void map_kernel(uint32_t *regions)
{
    regions[REGION(FUGU_BOOT_BASE)] = page(FUGU_BOOT_BASE, ACCESS_NONE_RX);
    for (unsigned i = 0; i < FUGU_RAM_MAX >> 24; i++) {
        regions[REGION(FUGU_RAM_BASE) + i] = page(FUGU_RAM_BASE + (i << 24),
                                                  ACCESS_NONE_RWX);
    }
    regions[REGION(FUGU_NI_USER_BASE)] = pointer(device_segments);
}

bool space_create(struct process *p, unsigned context)
{
    uint32_t info = (uint32_t)p - GLAZE_PAGE;

    if (!p->regions) {
        p->regions = table_alloc(p, REGIONS * sizeof(uint32_t));
        if (!p->regions) {
            return false;
        }
        map_kernel(p->regions);
        p->context = context;
        contexts[context] = pointer(p->regions);
    }
    return space_map(p, GLAZE_INFO, info, ACCESS_R_RW) &&
           space_map(p, GLAZE_PROCESS, (uint32_t)p, ACCESS_NONE_RWX);
}

void space_switch(const struct process *p)
{
    mmu_write(MMU_CONTEXT, p->context);
}

/* Returns the entry of an address in tables from level 1 on; NULL: no table. */
static uint32_t *entry_in(uint32_t *regions, uint32_t address)
{
    uint32_t region = regions[REGION(address)], segment;

    if ((region & PTE_TYPE) != PTE_POINTER) {
        return NULL;
    }
    segment = table(region)[SEGMENT(address)];
    return segment ? &table(segment)[PAGE(address)] : NULL;
}

uint32_t *space_entry(struct process *p, uint32_t address)
{
    return entry_in(p->regions, address);
}

/* Makes a table of segments or pages for an entry that is 0. */
static void make_table(struct process *p, uint32_t *entry)
{
    if (!*entry) {
        uint32_t *new = table_alloc(p, ENTRIES * sizeof(uint32_t));

        *entry = new ? pointer(new) : 0;
    }
}

static uint32_t *make_entry_in(struct process *p, uint32_t *regions,
                               uint32_t address)
{
    uint32_t *region = &regions[REGION(address)];

    make_table(p, region);
    if ((*region & PTE_TYPE) == PTE_POINTER) {
        make_table(p, &table(*region)[SEGMENT(address)]);
    }
    return entry_in(regions, address);
}

uint32_t *space_make_entry(struct process *p, uint32_t address)
{
    return make_entry_in(p, p->regions, address);
}

static void flush(const struct process *p, uint32_t address)
{
    if (p == current) {
        mmu_flush((address & ~(GLAZE_PAGE - 1)) + MMU_FLUSH_PAGE);
    } else {
        mmu_flush(MMU_FLUSH_ALL);
    }
}

bool space_map(struct process *p, uint32_t address, uint32_t physical,
               unsigned access)
{
    uint32_t *entry = space_make_entry(p, address);
    bool was_valid;

    if (!entry) {
        return false;
    }
    was_valid = (*entry & PTE_TYPE) == PTE_PAGE;
    *entry = page(physical, access);
    if (was_valid) {
        flush(p, address);
    }
    return true;
}

static bool is_frame(uint32_t entry)
{
    return (entry & PTE_TYPE) == PTE_PAGE &&
           pte_physical(entry) - FUGU_RAM_BASE < FUGU_RAM_MAX;
}

bool space_is_in(struct process *p, uint32_t address)
{
    const uint32_t *entry = space_entry(p, address);

    return entry && is_frame(*entry);
}

bool space_is_out(struct process *p, uint32_t address)
{
    const uint32_t *entry = space_entry(p, address);

    return entry && pte_is_out(*entry);
}

static bool has_touched(uint32_t entry)
{
    return (entry & PTE_TYPE) == PTE_PAGE || pte_is_out(entry);
}

__attribute__((cold)) bool space_is_closed(struct process *p, uint32_t address)
{
    const uint32_t *entry = space_entry(p, address);

    return entry && has_touched(*entry) && pte_is_closed(*entry);
}

__attribute__((cold)) void space_close(struct process *p, uint32_t address, bool closed)
{
    uint32_t *entry = space_entry(p, address);
    unsigned access = closed ? ACCESS_R_RW : ACCESS_RW_RW;

    if (entry && has_touched(*entry) && pte_is_closed(*entry) != closed) {
        *entry = (*entry & ~PTE_ACCESS) | access << PTE_ACCESS_SHIFT;
        if (is_frame(*entry)) {
            flush(p, address);
        }
    }
}

/* Returns whether the note of a frame lets its page go out. */
static inline bool note_lets(uint32_t note)
{
    return !note || note & FRAME_MAY_GO;
}

static inline bool may_go_out(uint32_t entry)
{
    return ((entry & (PTE_TYPE | PTE_ACCESS)) ==
            (PTE_PAGE | ACCESS_RW_RW << PTE_ACCESS_SHIFT) ||
            (entry & (PTE_TYPE | PTE_ACCESS)) ==
            (PTE_PAGE | ACCESS_R_RW << PTE_ACCESS_SHIFT)) && is_frame(entry) &&
           note_lets(*frame_note(pte_physical(entry)));
}

/* ---- Views -------------------------------------------------------------- */

/* Returns where the view of a page is noted; NULL: the page has none. */
static uint32_t *view_of(struct process *p, uint32_t page)
{
    uint32_t *view = p->views ? entry_in(p->views, page) : NULL;

    return view && *view ? view : NULL;
}

/* Returns where to note the view of a page; NULL: no frame for a table. */
static uint32_t *make_view_of(struct process *p, uint32_t page)
{
    if (!p->views) {
        p->views = table_alloc(p, REGIONS * sizeof(uint32_t));
    }
    return p->views ? make_entry_in(p, p->views, page) : NULL;
}

bool space_view(struct process *p, uint32_t view, uint32_t page,
                unsigned access)
{
    uint32_t *note = make_view_of(p, page), *entry = space_entry(p, page);

    if (!note || !space_map(p, view, pte_physical(*entry), access)) {
        return false;
    }
    *note = view;
    *entry |= PTE_MODIFIED;
    return true;
}

void space_view_end(struct process *p, uint32_t page)
{
    uint32_t *note = view_of(p, page);

    if (note) {
        uint32_t *entry = space_entry(p, *note);

        p->info->away -= pte_is_away(*entry);
        *entry = 0;
        flush(p, *note);
        *note = 0;
    }
}

uint32_t space_viewed(struct process *p, uint32_t page)
{
    const uint32_t *note = view_of(p, page);

    return note ? *note : 0;
}

bool space_is_view(struct process *p, uint32_t view)
{
    const uint32_t *entry = space_entry(p, view);

    return entry && *entry;
}

/* Makes the view of a page that goes out inaccessible, or shows it again. */
static void view_goes(struct process *p, uint32_t page)
{
    const uint32_t *note = view_of(p, page);

    if (note) {
        uint32_t *entry = space_entry(p, *note);

        *entry = page | (*entry & PTE_ACCESS) | PTE_AWAY;
        flush(p, *note);
        p->info->away++;
    }
}

static void view_comes(struct process *p, uint32_t address, uint32_t frame)
{
    const uint32_t *note = view_of(p, address);

    if (note) {
        uint32_t *entry = space_entry(p, *note);

        *entry = page(frame, (*entry & PTE_ACCESS) >> PTE_ACCESS_SHIFT);
        p->info->away--;
    }
}

/* ---- Pages that change -------------------------------------------------- */

/* Returns whether others map to a page: the MMU does not see their updates. */
static bool is_mapped_in(uint32_t entry)
{
    return is_frame(entry) && *frame_note(pte_physical(entry)) & FRAME_PIN_IN_MASK;
}

void space_watch(struct process *p, uint32_t address)
{
    uint32_t *entry = space_entry(p, address);

    if (entry && *entry & PTE_MODIFIED && !view_of(p, address) &&
        !is_mapped_in(*entry)) {
        *entry &= ~PTE_MODIFIED;
        flush(p, address);
    }
}

/* ---- Pages that go and come --------------------------------------------- */

/* Returns the start of the next unit of `bytes`, a power of two. */
static uint32_t next_unit(uint32_t address, uint32_t bytes)
{
    return (address | (bytes - 1)) + 1;
}

/* Entries at which untouched() looks at once, and how many others take as long. */
#define BLOCK           8
#define BLOCK_COSTS     2

/*
 * Returns how many entries, of those from here to the end of the table, belong to pages
 * that have neither a frame nor a slot: a multiple of BLOCK. A program can map nearly
 * all addresses, and touch few.
 */
static unsigned untouched(const uint32_t *entry, const uint32_t *end)
{
    const uint32_t *from = entry;

    while (end - entry >= BLOCK &&
           (entry[0] | entry[1] | entry[2] | entry[3] |
            entry[4] | entry[5] | entry[6] | entry[7]) < PTE_TOUCHED) {
        entry += BLOCK;
    }
    return entry - from;
}

__attribute__((cold)) uint32_t space_next_page(struct process *p, uint32_t address,
                                                unsigned *most)
{
    while (address < GLAZE_STACKS_END && *most) {
        uint32_t region = p->regions[REGION(address)], segment;
        const uint32_t *entry, *end;

        if ((region & PTE_TYPE) != PTE_POINTER) {
            --*most;
            address = next_unit(address, 1u << 24);
            continue;
        }
        segment = table(region)[SEGMENT(address)];
        if (!segment) {
            --*most;
            address = next_unit(address, ENTRIES * GLAZE_PAGE);
            continue;
        }
        end = table(segment) + ENTRIES;
        for (entry = end - ENTRIES + PAGE(address); entry < end && *most;
             entry++, --*most) {
            unsigned skipped = untouched(entry, end);
            unsigned cost = skipped / BLOCK * BLOCK_COSTS;

            entry += skipped;
            address += skipped * GLAZE_PAGE;
            *most -= cost < *most ? cost : *most;
            if (entry == end || !*most) {
                break;
            }
            if (may_go_out(*entry)) {
                return address;
            }
            address += GLAZE_PAGE;
        }
    }
    return address < GLAZE_STACKS_END ? address : 0;
}

uint32_t space_page_out(struct process *p, uint32_t address, uint32_t slot)
{
    uint32_t *entry = space_entry(p, address);
    uint32_t frame = pte_physical(*entry);

    *entry = (*entry & (PTE_ACCESS | PTE_MODIFIED)) | PTE_OUT |
             slot << PTE_SLOT_SHIFT;
    flush(p, address);
    view_goes(p, address);
    p->pages--;
    p->pages_out++;
    return frame;
}

void space_page_in(struct process *p, uint32_t address, uint32_t frame)
{
    uint32_t *entry = space_entry(p, address);

    *entry = page(frame, (*entry & PTE_ACCESS) >> PTE_ACCESS_SHIFT) |
             (*entry & PTE_MODIFIED);
    view_comes(p, address, frame);
    p->pages++;
    p->pages_out--;
}

/*
 * Empties an entry, and gives its slot back. Returns the frame that the page
 * was in; 0: none. Caller must flush the page.
 */
static uint32_t empty(struct process *p, uint32_t *entry)
{
    uint32_t frame = 0;

    if (is_frame(*entry)) {
        frame = pte_physical(*entry);
        p->pages--;
    } else if (pte_is_out(*entry)) {
        slot_free(pte_slot(*entry));
        p->pages_out--;
    }
    *entry = 0;
    return frame;
}

uint32_t space_take(struct process *p, uint32_t address)
{
    uint32_t *entry = space_entry(p, address);
    uint32_t frame;

    if (!entry || !*entry) {
        return 0;
    }
    space_view_end(p, address);
    frame = empty(p, entry);
    flush(p, address);
    return frame;
}

void space_unmap(struct process *p, uint32_t address)
{
    uint32_t frame = space_take(p, address);

    if (frame) {
        frame_free(frame);
    }
}

/* Gives back the pages of a table, in memory or not. */
static __attribute__((cold)) void free_pages(struct process *p, uint32_t *pages)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        uint32_t frame;

        i += untouched(&pages[i], &pages[ENTRIES]);
        frame = i < ENTRIES && pages[i] ? empty(p, &pages[i]) : 0;

        if (frame) {
            frame_free(frame);
        }
    }
}

static bool is_view(uint32_t address)
{
    return address >= GLAZE_VIEWS && address < GLAZE_VIEWS_END;
}

/* Returns whether a region has pages to give back. */
static bool is_destroyed(uint32_t entry, unsigned region)
{
    return (entry & PTE_TYPE) == PTE_POINTER && region != REGION(GLAZE_INFO) &&
           region != REGION(FUGU_NI_USER_BASE) && !is_view(region << 24);
}

/* Cycles of one part of space_destroy(), and of one table more. */
#define DESTROY_CYCLES  4000

/*
 * Gives back the pages of tables from p->destroyed on, until `end`. Returns false if
 * there are more.
 */
static __attribute__((cold)) bool destroy_pages(struct process *p, uint64_t end)
{
    do {
        uint32_t address = p->destroyed;
        uint32_t region = p->regions[REGION(address)], segment;

        if (is_destroyed(region, REGION(address))) {
            segment = table(region)[SEGMENT(address)];
            if (segment) {
                free_pages(p, table(segment));
            }
            p->destroyed = next_unit(address, ENTRIES * GLAZE_PAGE);
        } else {
            p->destroyed = next_unit(address, 1u << 24);
        }
        if (!p->destroyed) {
            return true;        /* the last region: the devices */
        }
    } while (now() < end);
    return false;
}

/* Gives back frames of tables, until `end`. Returns false if there are more. */
static bool destroy_tables(struct process *p, uint64_t end)
{
    while (p->tables && now() < end) {
        uint32_t frame = p->tables;

        p->tables = *frame_note(frame);
        frame_free(frame);
    }
    return !p->tables;
}

void space_leave(struct process *p)
{
    if (p->regions && contexts[p->context]) {
        contexts[p->context] = 0;
        mmu_flush(MMU_FLUSH_ALL);
        p->destroyed = GLAZE_PROGRAM;   /* below is the kernel alone */
        p->pages_are_left = true;
    }
}

/*
 * Does not free the information, upcall and process pages. The frames of views
 * are those of other pages.
 */
bool space_destroy(struct process *p)
{
    uint64_t end = now() + DESTROY_CYCLES;

    if (!p->regions) {
        return true;
    }
    space_leave(p);
    p->pages_are_left = p->pages_are_left && !destroy_pages(p, end);
    if (p->pages_are_left || !destroy_tables(p, end)) {
        return false;
    }
    if (p->granted) {
        frame_free(p->granted);
    }
    p->regions = p->views = NULL;
    p->granted = p->tables_used = p->kernel_frames = 0;
    return true;
}
