/*
 * Address spaces. Three levels: 256 regions of 16 MiB, 64 segments of
 * 256 KiB, 64 pages of 4 KiB (SPARC V8 manual, appendix H).
 *
 * A process's tables lie in frames that the process keeps until it ends: a
 * chain linked by frame_note().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hardware.h"
#include "ni.h"
#include "space/frames.h"
#include "space/space.h"
#include "store/slots.h"

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

static void map_devices(void)
{
    for (uint32_t a = FUGU_FILES_BASE; a; a += FUGU_DEVICE_PAGE) {
        device_pages[PAGE(a)] = page(a, a == FUGU_NI_USER_BASE ?
                                     ACCESS_RW_RW : ACCESS_NONE_RWX);
    }
    device_segments[SEGMENT(FUGU_NI_USER_BASE)] = pointer(device_pages);
}

bool space_init(void)
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

uint32_t space_frame(struct process *p)
{
    uint32_t frame = p->granted ? p->granted : frame_alloc(FRAME_COLOUR_ANY);

    p->granted = 0;
    p->kernel_frames += frame != 0;
    return frame;
}

/*
 * Returns a table of `bytes`, a power of two, full of zeros; NULL: no frame.
 */
static uint32_t *table_alloc(struct process *p, uint32_t bytes)
{
    uint32_t frame = p->tables;

    if (!frame || p->tables_used + bytes > GLAZE_PAGE) {
        frame = space_frame(p);
        if (!frame) {
            return NULL;
        }
        *frame_note(frame) = p->tables;
        p->tables = frame;
        p->tables_used = 0;
    }
    p->tables_used += bytes;
    return (uint32_t *)(frame + p->tables_used - bytes);
}

static void map_kernel(uint32_t *regions)
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

    p->regions = table_alloc(p, REGIONS * sizeof(uint32_t));
    if (!p->regions) {
        return false;
    }
    map_kernel(p->regions);
    p->context = context;
    contexts[context] = pointer(p->regions);
    return space_map(p, GLAZE_INFO, info, ACCESS_R_RW) &&
           space_map(p, GLAZE_PROCESS, (uint32_t)p, ACCESS_NONE_RWX);
}

void space_switch(const struct process *p)
{
    mmu_write(MMU_CONTEXT, p->context);
}

uint32_t *space_entry(struct process *p, uint32_t address)
{
    uint32_t region = p->regions[REGION(address)], segment;

    if ((region & PTE_TYPE) != PTE_POINTER) {
        return NULL;
    }
    segment = table(region)[SEGMENT(address)];
    return segment ? &table(segment)[PAGE(address)] : NULL;
}

/* Makes a table of segments or pages for an entry that is 0. */
static void make_table(struct process *p, uint32_t *entry)
{
    if (!*entry) {
        uint32_t *new = table_alloc(p, ENTRIES * sizeof(uint32_t));

        *entry = new ? pointer(new) : 0;
    }
}

uint32_t *space_make_entry(struct process *p, uint32_t address)
{
    uint32_t *region = &p->regions[REGION(address)];

    make_table(p, region);
    if ((*region & PTE_TYPE) == PTE_POINTER) {
        make_table(p, &table(*region)[SEGMENT(address)]);
    }
    return space_entry(p, address);
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

static bool may_go_out(uint32_t entry)
{
    return is_frame(entry) &&
           (entry & PTE_ACCESS) >> PTE_ACCESS_SHIFT == ACCESS_RW_RW &&
           !*frame_note(pte_physical(entry));
}

/* ---- Views -------------------------------------------------------------- */

bool space_view(struct process *p, uint32_t view, uint32_t page,
                unsigned access)
{
    uint32_t frame = pte_physical(*space_entry(p, page));

    if (!space_map(p, view, frame, access)) {
        return false;
    }
    *frame_note(frame) = view;
    *space_entry(p, page) |= PTE_MODIFIED;
    return true;
}

/* Empties the entry of the view that shows a frame, if there is one. */
static void view_end(struct process *p, uint32_t frame)
{
    uint32_t *note = frame_note(frame);

    if (*note) {
        *space_entry(p, *note) = 0;
        flush(p, *note);
        *note = 0;
    }
}

void space_view_end(struct process *p, uint32_t page)
{
    view_end(p, pte_physical(*space_entry(p, page)));
}

uint32_t space_viewed(struct process *p, uint32_t page)
{
    return *frame_note(pte_physical(*space_entry(p, page)));
}

/* ---- Pages that change -------------------------------------------------- */

void space_watch(struct process *p, uint32_t address)
{
    uint32_t *entry = space_entry(p, address);

    if (entry && *entry & PTE_MODIFIED &&
        !(is_frame(*entry) && *frame_note(pte_physical(*entry)))) {
        *entry &= ~PTE_MODIFIED;
        flush(p, address);
    }
}

/* ---- Pages that go and come --------------------------------------------- */

uint32_t space_next_page(struct process *p, uint32_t address)
{
    uint32_t region, segment;

    while (address < GLAZE_STACKS_END) {
        region = p->regions[REGION(address)];
        segment = (region & PTE_TYPE) == PTE_POINTER
                ? table(region)[SEGMENT(address)] : 0;
        if (segment) {
            if (may_go_out(table(segment)[PAGE(address)])) {
                return address;
            }
            address += GLAZE_PAGE;
        } else {                /* to the next segment */
            address = (address | (ENTRIES * GLAZE_PAGE - 1)) + 1;
        }
    }
    return 0;
}

uint32_t space_page_out(struct process *p, uint32_t address, uint32_t slot)
{
    uint32_t *entry = space_entry(p, address);
    uint32_t frame = pte_physical(*entry);

    *entry = (*entry & (PTE_ACCESS | PTE_MODIFIED)) | PTE_OUT |
             slot << PTE_SLOT_SHIFT;
    flush(p, address);
    p->pages--;
    p->pages_out++;
    return frame;
}

void space_page_in(struct process *p, uint32_t address, uint32_t frame)
{
    uint32_t *entry = space_entry(p, address);

    *entry = page(frame, (*entry & PTE_ACCESS) >> PTE_ACCESS_SHIFT) |
             (*entry & PTE_MODIFIED);
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
        view_end(p, frame);
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

static void free_pages(struct process *p, uint32_t *pages)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        uint32_t frame = empty(p, &pages[i]);

        if (frame) {
            frame_free(frame);
        }
    }
}

static bool is_view(uint32_t address)
{
    return address >= GLAZE_VIEWS && address < GLAZE_VIEWS_END;
}

/*
 * Does not free the information, upcall and process pages. The frames of views
 * are those of other pages.
 */
void space_destroy(struct process *p)
{
    uint32_t own = REGION(GLAZE_INFO);

    if (!p->regions) {
        return;
    }
    for (unsigned r = 0; r < REGIONS; r++) {
        if ((p->regions[r] & PTE_TYPE) != PTE_POINTER || r == own ||
            r == REGION(FUGU_NI_USER_BASE) || is_view(r << 24)) {
            continue;
        }
        for (unsigned s = 0; s < ENTRIES; s++) {
            if (table(p->regions[r])[s]) {
                free_pages(p, table(table(p->regions[r])[s]));
            }
        }
    }
    contexts[p->context] = 0;
    mmu_flush(MMU_FLUSH_ALL);
    while (p->tables) {
        uint32_t frame = p->tables;

        p->tables = *frame_note(frame);
        frame_free(frame);
    }
    if (p->granted) {
        frame_free(p->granted);
    }
    p->regions = NULL;
    p->granted = p->tables_used = p->kernel_frames = 0;
}
