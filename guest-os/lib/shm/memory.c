/*
 * Memory of the library, and the memory and rights of shared pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "shm-state.h"

#define CHUNK           0x10000 /* map this many bytes at a time */

static uint32_t next = PRIVATE_START, mapped = PRIVATE_START;
static uint32_t next_twin = TWINS_START, mapped_twin = TWINS_START;
static uint32_t *free_twin;     /* a list: the first word is the next one */

static void map(uint32_t from, uint32_t bytes)
{
    if (glaze_map(from, bytes) < 0) {
        mistake("no memory is left for the tables of shared memory: give the "
                "nodes more (--ram)");
    }
}

void *private_take(uint32_t bytes)
{
    bool atomic = udm_atomic();
    uint32_t at;

    udm_beginatom();
    at = next;
    next += (bytes + 7) & ~7u;
    if (next > TWINS_START) {
        mistake("the tables of shared memory are full");
    }
    if (next > mapped) {
        uint32_t more = (next - mapped + CHUNK - 1) & -CHUNK;

        map(mapped, more);
        mapped += more;
    }
    if (!atomic) {
        udm_endatom();
    }
    return (void *)at;
}

/* ---- Memory of shared pages --------------------------------------------- */

/* Frames that stay free: for message buffers, stacks and other jobs. */
#define SPARE_FRAMES    48
/* Looks how much memory is left after this many new pages. */
#define PAGES_A_LOOK    16

uint32_t pages_used;
static uint32_t pages_till_look;

/* Flags of a copy that decide whether its memory may go. A page that was this
 * node's once may have others. */
#define KEPT            (PAGE_MAPPED | PAGE_DIRTY | PAGE_LISTED)

/* Gives the memory of clean copies of other homes' pages back. */
static void drop_copies(void)
{
    interval_forget_all();
    for (uint32_t n = 0; n < pages_used; n++) {
        if ((pages[n].flags & KEPT) == PAGE_MAPPED && !is_home(&pages[n]) &&
            !pages[n].rights) {
            pages[n].flags &= ~PAGE_MAPPED;
            glaze_unmap((uintptr_t)page_memory(n), GLAZE_PAGE);
        }
    }
}

bool memory_is_plenty = true;

static uint32_t frames_free(void)
{
    struct glaze_count count;

    glaze_count(&count);
    memory_is_plenty = count.frames_free > count.frames / 4;
    return count.frames_free + count.slots_free;
}

/* Makes sure that frames are left. */
static void look(void)
{
    char text[160];
    uint32_t have = 0;

    if (pages_till_look--) {
        return;
    }
    pages_till_look = PAGES_A_LOOK;
    if (frames_free() > SPARE_FRAMES + PAGES_A_LOOK) {
        return;
    }
    drop_copies();
    if (frames_free() > SPARE_FRAMES + PAGES_A_LOOK) {
        return;
    }
    for (uint32_t n = 0; n < pages_used; n++) {
        have += pages[n].flags & PAGE_MAPPED;
    }
    snprintf(text, sizeof(text), "node %lu has no memory left for shared "
             "pages: it holds %lu bytes of them; give the nodes more (--ram)",
             (unsigned long)shm_self, (unsigned long)have * GLAZE_PAGE);
    mistake(text);
}

void page_room(uint32_t number)
{
    if (!(pages[number].flags & PAGE_MAPPED)) {
        look();
    }
}

/*
 * A handler may interrupt the thread here, map the same page, and store a
 * difference or the page in it. So the thread stores nothing: it reads, and the
 * kernel gives the page its memory, full of zeros, now and not when a handler
 * needs it. (All of it in an atomic section would take 2,500 cycles more.)
 */
void page_map(uint32_t number)
{
    struct page *page = &pages[number];
    const volatile uint32_t *memory = page_memory(number);
    bool atomic = udm_atomic();

    if (page->flags & PAGE_MAPPED) {
        return;
    }
    map((uintptr_t)memory, GLAZE_PAGE);
    (void)*memory;
    udm_beginatom();
    page->flags |= PAGE_MAPPED;
    pages_used = number < pages_used ? pages_used : number + 1;
    if (!atomic) {
        udm_endatom();
    }
}

/* ---- Twins -------------------------------------------------------------- */

uint32_t *twin_take(void)
{
    uint32_t *twin = free_twin;

    if (twin) {
        free_twin = (uint32_t *)*twin;
        return twin;
    }
    look();
    if (next_twin == mapped_twin) {
        if (mapped_twin == TWINS_END) {
            mistake("too many pages are written between two releases");
        }
        map(mapped_twin, CHUNK);
        mapped_twin += CHUNK;
    }
    twin = (uint32_t *)next_twin;
    next_twin += GLAZE_PAGE;
    return twin;
}

void twin_give(uint32_t *twin)
{
    *twin = (uintptr_t)free_twin;
    free_twin = twin;
}

/* ---- Rights ------------------------------------------------------------- */

#define LIST            64
#define REFUSED         "the kernel refuses the rights to a shared page"

uint32_t *copies, copies_count;

static struct glaze_view list[LIST];
static uint32_t listed;

void rights_flush(void)
{
    if (listed && glaze_view(list, listed)) {
        mistake(REFUSED);
    }
    listed = 0;
}

/* Handlers may add to the list as well. */
void copy_note(uint32_t number)
{
    bool atomic = udm_atomic();

    udm_beginatom();
    if (!(pages[number].flags & PAGE_COPY)) {
        pages[number].flags |= PAGE_COPY;
        copies[copies_count++] = number;
    }
    if (!atomic) {
        udm_endatom();
    }
}

/* The page whose view has these rights already. */
static uint32_t prepared = PAGES, prepared_rights;

void rights_prepare(uint32_t number, uint32_t rights)
{
    struct glaze_view view = { page_view(number) | rights,
                               (uintptr_t)page_memory(number) };

    if (rights == GLAZE_VIEW_NONE || number == prepared) {
        return;                 /* it waits for the page once more */
    }
    if (glaze_view(&view, 1)) {
        mistake(REFUSED);
    }
    prepared = number;
    prepared_rights = rights;
}

void rights_put(uint32_t number, uint32_t rights)
{
    bool same = pages[number].rights == rights;
    bool shown = number == prepared ? prepared_rights == rights : same;

    if (same && shown) {
        return;
    }
    prepared = number == prepared ? PAGES : prepared;
    pages[number].rights = rights;
    if (!same && !is_home(&pages[number])) {
        copy_note(number);
        visit_copy(pages[number].home);
    }
    if (shown) {
        return;
    }
    list[listed++] = (struct glaze_view) { page_view(number) | rights,
                                           (uintptr_t)page_memory(number) };
    if (listed == LIST) {
        rights_flush();
    }
}

void rights_set(uint32_t number, uint32_t rights)
{
    rights_put(number, rights);
    rights_flush();
}
