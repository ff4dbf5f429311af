/*
 * A process's memory.
 *
 * The parts of the boot image that the process can only read are mapped in
 * place at the start. All other pages come at the first touch: writable pages
 * of the program are copied from the image; pages of stacks and heap are
 * zeros.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/directory.h"
#include "machine/pending.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "memory/space.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/* Returns whether an entry's permissions let the user read, or write. */
static bool access_allows(uint32_t entry, bool write)
{
    unsigned access = (entry & PTE_ACCESS) >> PTE_ACCESS_SHIFT;

    return write ? access == ACCESS_RW_RW
                 : access <= ACCESS_RX_RX || access == ACCESS_R_RW;
}

/* Returns whether an entry lets the user read, or write, its page. */
static bool user_may(uint32_t entry, bool write)
{
    return (pte_is_out(entry) ||
            ((entry & PTE_TYPE) == PTE_PAGE && entry & PTE_CACHEABLE)) &&
           access_allows(entry, write);
}

static const struct image_segment *segment_of(const struct process *p,
                                              uint32_t address)
{
    const struct image_program *program = p->program;

    for (unsigned i = 0; i < program->segments; i++) {
        const struct image_segment *s = &program->segment[i];

        if (address - s->address < s->memory_bytes) {
            return s;
        }
    }
    return NULL;
}

/*
 * Returns whether a page is a stack's. The lowest page of each stack is a
 * guard.
 */
static bool is_stack(uint32_t page)
{
    if (page >= GLAZE_MAIN_STACK && page < GLAZE_MAIN_STACK_TOP) {
        return page != GLAZE_MAIN_STACK;
    }
    return page >= GLAZE_STACKS && page < GLAZE_STACKS_END &&
           (page & (GLAZE_STACK_SIZE - 1)) != 0;
}

bool memory_is_below_stack(uint32_t address, uint32_t sp)
{
    bool same_stack = sp >= GLAZE_STACKS && sp < GLAZE_STACKS_END &&
                      (sp ^ address) < GLAZE_STACK_SIZE;

    return address >= sp && !is_stack(address & ~(GLAZE_PAGE - 1)) &&
           (same_stack || address < GLAZE_MAIN_STACK + GLAZE_PAGE);
}

/* Volatile, since the compiler would store two words instead. */
typedef volatile uint64_t __attribute__((may_alias)) doubleword;

/* Two words, which one instruction stores. */
#define PAIR(first, second) ((uint64_t)(first) << 32 | (second))

/* The word that begins in the middle of one word and ends in the next one. */
#define SHIFTED(before, after) ((before) << left | (after) >> (32 - left))

/*
 * Copies words to a multiple of 8 from bytes that begin at no multiple of 4: two
 * words that have been loaded make one that is stored. memcpy() would take nine
 * cycles for each byte, and the kernel masks interrupts meanwhile.
 *
 * Here and below, eight words are loaded before they are stored: if source and target
 * collide in the cache, each line is loaded once all the same.
 */
static void copy_shifted(uint32_t *to, const uint8_t *from, uint32_t count)
{
    uint32_t left = 8 * ((uint32_t)from & 3);
    const uint32_t *next = (const uint32_t *)((uint32_t)from & ~3u);
    uint32_t a = *next++;

    for (; count >= 8; count -= 8, next += 8, to += 8) {
        uint32_t b = next[0], c = next[1], d = next[2], e = next[3];
        uint32_t f = next[4], g = next[5], h = next[6], i = next[7];

        ((doubleword *)to)[0] = PAIR(SHIFTED(a, b), SHIFTED(b, c));
        ((doubleword *)to)[1] = PAIR(SHIFTED(c, d), SHIFTED(d, e));
        ((doubleword *)to)[2] = PAIR(SHIFTED(e, f), SHIFTED(f, g));
        ((doubleword *)to)[3] = PAIR(SHIFTED(g, h), SHIFTED(h, i));
        a = i;
    }
    for (; count; count--) {
        uint32_t b = *next++;

        *to++ = SHIFTED(a, b);
        a = b;
    }
}

/* Copies words between addresses that are multiples of 4. */
static void copy_words(uint32_t *to, const uint32_t *from, uint32_t count)
{
    for (; count >= 8; count -= 8, from += 8, to += 8) {
        uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
        uint32_t e = from[4], f = from[5], g = from[6], h = from[7];

        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
        to[4] = e;
        to[5] = f;
        to[6] = g;
        to[7] = h;
    }
    while (count--) {
        *to++ = *from++;
    }
}

/* Copies bytes whose addresses differ modulo 4: at least 16. */
static void copy_crooked(uint8_t *to, const uint8_t *from, uint32_t bytes)
{
    uint32_t first = -(uint32_t)to & 7, words = (bytes - first) / 4;

    memcpy(to, from, first);
    copy_shifted((uint32_t *)(to + first), from + first, words);
    first += 4 * words;
    memcpy(to + first, from + first, bytes - first);
}

/* Copies doublewords between addresses that are multiples of 8. */
static void copy_pairs(doubleword *to, const doubleword *from, uint32_t count)
{
    for (; count >= 4; count -= 4, from += 4, to += 4) {
        uint64_t a = from[0], b = from[1], c = from[2], d = from[3];

        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
    }
    while (count--) {
        *to++ = *from++;
    }
}

/* Copies words or doublewords, after the bytes before them, and then the rest. */
static void copy_bytes(uint8_t *to, const uint8_t *from, uint32_t bytes)
{
    uint32_t first = -(uint32_t)to & 7;

    if (bytes < 16) {
        memcpy(to, from, bytes);
    } else if (((uint32_t)to ^ (uint32_t)from) & 3) {
        copy_crooked(to, from, bytes);
    } else {
        uint32_t words = (bytes - first) / 4, done = first + 4 * words;

        memcpy(to, from, first);
        if (((uint32_t)to ^ (uint32_t)from) & 7) {
            copy_words((uint32_t *)(to + first), (const uint32_t *)(from + first),
                       words);
        } else {
            copy_pairs((doubleword *)(to + first), (const doubleword *)(from + first),
                       words / 2);
            done -= words % 2 * sizeof(uint32_t);
        }
        memcpy(to + done, from + done, bytes - done);
    }
}

/* Returns how many bytes of a page come from the image. */
static uint32_t image_bytes(const struct process *p, uint32_t page)
{
    const struct image_segment *s = segment_of(p, page);
    uint32_t offset = s ? page - s->address : 0;

    if (!s || offset >= s->file_bytes) {
        return 0;
    }
    return s->file_bytes - offset < GLAZE_PAGE ? s->file_bytes - offset : GLAZE_PAGE;
}

static bool is_mapped_on_demand(uint32_t entry)
{
    return (entry & ~PTE_MODIFIED) == PTE_ON_DEMAND;
}

/* Returns whether a page has been touched: its entry is a frame or a slot. */
static bool has_been_touched(const uint32_t *entry)
{
    return entry && *entry && !is_mapped_on_demand(*entry);
}

/* Returns whether the first touch of a page makes the page. */
static bool is_on_demand(const struct process *p, uint32_t page,
                         const uint32_t *entry)
{
    const struct image_segment *s = segment_of(p, page);

    return (entry && is_mapped_on_demand(*entry)) || is_stack(page) ||
           (s && s->flags & IMAGE_WRITE);
}

/*
 * Returns a frame with what a page has before it is touched: bytes of the image, and
 * zeros; 0: no frame is free. A frame that the image fills for the most part is not
 * cleared before: to copy a page and to clear one takes longer than FILL_MOST
 * (settle.c).
 */
static uint32_t first_frame(const struct process *p, uint32_t page)
{
    const struct image_segment *s = segment_of(p, page);
    uint32_t bytes = image_bytes(p, page), colour = frame_colour(page);
    bool filled = bytes > GLAZE_PAGE / 2;
    uint32_t frame = filled ? frame_alloc_to_fill(colour)
                            : frame_alloc_patient(colour);

    if (frame && bytes) {
        copy_bytes((uint8_t *)frame, (const uint8_t *)(s->image + page - s->address),
                   bytes);
    }
    if (frame && filled) {
        memset((uint8_t *)frame + bytes, 0, GLAZE_PAGE - bytes);
    }
    return frame;
}

bool memory_fill(struct process *p, uint32_t page)
{
    uint32_t *entry = space_entry(p, page), frame;

    if (has_been_touched(entry) || !is_on_demand(p, page, entry)) {
        return true;
    }
    /* The table is made first, and stays even if no frame is left for the
     * page. So each frame that becomes free brings progress. */
    entry = space_make_entry(p, page);
    frame = entry ? first_frame(p, page) : 0;
    if (!frame) {
        return false;
    }
    *entry = pte_frame(frame, ACCESS_RW_RW) | (*entry & PTE_MODIFIED);
    p->pages++;
    return true;
}

bool memory_is_fresh(struct process *p, uint32_t page)
{
    const uint32_t *entry = space_entry(p, page);
    const struct image_segment *s = segment_of(p, page);

    return !has_been_touched(entry) && is_on_demand(p, page, entry) &&
           !(s && page - s->address < s->file_bytes);
}

bool memory_is_unchanged(struct process *p, uint32_t page)
{
    const uint32_t *entry = space_entry(p, page);

    return !entry || !(*entry & PTE_MODIFIED);
}

static bool is_view(uint32_t address)
{
    return address >= GLAZE_VIEWS && address < GLAZE_VIEWS_END;
}

/*
 * Returns the result of memory_touch() for an access that is not allowed. To a
 * view, it may be tried again, after an upcall.
 */
static enum memory_result deny(struct process *p, uint32_t address, bool write)
{
    if (!is_view(address) || !process_upcall(p)->rights.entry) {
        return MEMORY_NOT_THERE;
    }
    p->rights |= RIGHTS_DENIED;
    p->denied_address = (address & ~GLAZE_RIGHTS_STORE) |
                        (write ? GLAZE_RIGHTS_STORE : 0);
    return MEMORY_LATER;
}

uint32_t memory_page(struct process *p, uint32_t address)
{
    const uint32_t *entry = is_view(address) ? space_entry(p, address) : NULL;

    return (entry && pte_is_away(*entry) ? *entry : address) & ~PAGE_MASK;
}

/* Returns whether a store to a page of program or heap has to wait: it is closed. */
static __attribute__((cold)) bool has_to_wait(uint32_t page, const uint32_t *entry)
{
    return page >= GLAZE_PROGRAM && page < GLAZE_PROGRAM_END && entry &&
           has_been_touched(entry) && pte_is_closed(*entry);
}

enum memory_result memory_look(struct process *p, uint32_t address,
                               bool write)
{
    uint32_t page = address & ~PAGE_MASK;
    const uint32_t *entry = space_entry(p, page);

    if (is_view(page) && entry && pte_is_away(*entry)) {
        return access_allows(*entry, write) ? MEMORY_LATER : MEMORY_NOT_THERE;
    }
    if (has_been_touched(entry) ? !user_may(*entry, write)
                                : !is_on_demand(p, page, entry)) {
        return write && has_to_wait(page, entry) ? MEMORY_LATER : MEMORY_NOT_THERE;
    }
    return has_been_touched(entry) && !pte_is_out(*entry) ? MEMORY_OK
                                                          : MEMORY_LATER;
}

__attribute__((cold)) void memory_guard(struct process *p, uint32_t page)
{
    memory_unguard(p);
    space_close(p, page, true);
    p->guarded = page;
}

__attribute__((cold)) void memory_unguard(struct process *p)
{
    if (p->guarded) {
        space_close(p, p->guarded, false);
        p->guarded = 0;
    }
}

/* The process goes on, for another reason than a store to the page that it guards. */
static __attribute__((cold)) enum memory_result unguarded(struct process *p,
                                                          uint32_t address, bool write)
{
    memory_unguard(p);
    return memory_look(p, address, write);
}

enum memory_result memory_touch(struct process *p, uint32_t address,
                                bool write)
{
    enum memory_result result = memory_look(p, address, write);

    if (result == MEMORY_LATER && p->guarded &&
        p->guarded == (address & ~PAGE_MASK)) {
        result = unguarded(p, address, write);
    }

    if (result == MEMORY_NOT_THERE) {
        return deny(p, address, write);
    }
    if (result == MEMORY_LATER) {
        process_wait_for_page(p, memory_page(p, address));
    }
    return result;
}

/* Copies the part of the data that is on one page, in either direction. */
static enum memory_result copy_part(struct process *p, uint8_t *kernel,
                                    uint32_t user, uint32_t bytes, bool write)
{
    enum memory_result result = memory_touch(p, user, write);
    uint32_t physical, *entry;

    if (result != MEMORY_OK) {
        return result;
    }
    entry = space_entry(p, user);
    physical = pte_physical(*entry) + (user & PAGE_MASK);
    if (write) {
        *entry |= PTE_MODIFIED;
        copy_bytes((uint8_t *)physical, kernel, bytes);
    } else {
        copy_bytes(kernel, (const uint8_t *)physical, bytes);
    }
    return MEMORY_OK;
}

static enum memory_result copy(struct process *p, uint8_t *kernel,
                               uint32_t user, uint32_t bytes, bool write)
{
    while (bytes) {
        uint32_t part = GLAZE_PAGE - (user & PAGE_MASK);
        enum memory_result result;

        part = part < bytes ? part : bytes;
        result = copy_part(p, kernel, user, part, write);
        if (result != MEMORY_OK) {
            return result;
        }
        kernel += part;
        user += part;
        bytes -= part;
    }
    return MEMORY_OK;
}

enum memory_result memory_read(struct process *p, void *to, uint32_t from,
                               uint32_t bytes)
{
    return copy(p, to, from, bytes, false);
}

enum memory_result memory_write(struct process *p, uint32_t to,
                                const void *from, uint32_t bytes)
{
    return copy(p, (uint8_t *)from, to, bytes, true);
}

bool memory_in_program(uint32_t address, uint32_t bytes)
{
    return address >= GLAZE_PROGRAM && address < GLAZE_PROGRAM_END &&
           bytes <= GLAZE_PROGRAM_END - address &&
           !(address & PAGE_MASK) && !(bytes & PAGE_MASK);
}

enum memory_result memory_wait_for_frame(struct process *p, uint32_t address)
{
    if (p->refused) {
        p->refused = false;
        return MEMORY_NO_FRAME;
    }
    process_wait_for_frame(p, address);
    return MEMORY_LATER;
}

enum memory_result memory_map(struct process *p, uint32_t address,
                              uint32_t bytes)
{
    for (; bytes; bytes -= GLAZE_PAGE, address += GLAZE_PAGE) {
        uint32_t *entry = space_make_entry(p, address);

        if (!entry) {
            return memory_wait_for_frame(p, address);
        }
        if (!*entry && !segment_of(p, address)) {
            *entry = PTE_ON_DEMAND | PTE_MODIFIED;
        }
    }
    return MEMORY_OK;
}

enum memory_result memory_unmap(struct process *p, uint32_t address,
                                uint32_t bytes)
{
    for (; bytes; bytes -= GLAZE_PAGE, address += GLAZE_PAGE) {
        if (!segment_of(p, address)) {
            space_unmap(p, address);
        }
    }
    return MEMORY_OK;
}

enum memory_result memory_watch(struct process *p, uint32_t address,
                                uint32_t bytes)
{
    for (; bytes; bytes -= GLAZE_PAGE, address += GLAZE_PAGE) {
        space_watch(p, address);
    }
    return MEMORY_OK;
}

enum memory_result memory_view(struct process *p, struct glaze_view view)
{
    static const unsigned char access[] = {
        [GLAZE_VIEW_READ] = ACCESS_R_R,
        [GLAZE_VIEW_WRITE] = ACCESS_RW_RW,
    };
    unsigned rights = view.view & PAGE_MASK;
    uint32_t address = view.view - rights, other;
    enum memory_result result;

    if (!is_view(address) || rights > GLAZE_VIEW_WRITE ||
        !memory_in_program(view.page, GLAZE_PAGE)) {
        return MEMORY_NOT_THERE;
    }
    result = memory_touch(p, view.page, true);
    if (result != MEMORY_OK) {
        return result;
    }
    other = space_viewed(p, view.page);
    if (other != address && (other || space_is_view(p, address))) {
        return MEMORY_NOT_THERE;
    }
    if (rights == GLAZE_VIEW_NONE) {
        space_view_end(p, view.page);
        return MEMORY_OK;
    }
    return space_view(p, address, view.page, access[rights])
           ? MEMORY_OK : memory_wait_for_frame(p, address);
}

/* The most cycles for a page that memory_load() maps, and its tables. */
#define MAP_MOST        1200

/* How far memory_load() is. */
struct loading {
    uint32_t before;            /* pages before those that are to be mapped */
    unsigned mapped;            /* pages that this call has mapped */
};

/*
 * Maps the pages of a range, as far as they have not been mapped and may be now.
 * Results are those of memory_load().
 */
static enum memory_result map_in_place(struct process *p, uint32_t address,
                                       uint32_t image, uint32_t bytes,
                                       unsigned access, struct loading *l)
{
    uint32_t pages = (bytes + PAGE_MASK) / GLAZE_PAGE;
    uint32_t k = p->loaded - l->before;

    for (; k < pages; k++, p->loaded++, l->mapped++) {
        uint32_t at = k * GLAZE_PAGE;

        if (l->mapped && !kernel_has_time(now(), MAP_MOST)) {
            return MEMORY_LATER;
        }
        if (!space_map(p, address + at, image + at, access)) {
            return MEMORY_NO_FRAME;
        }
    }
    return MEMORY_OK;
}

__attribute__((cold)) enum memory_result memory_load(struct process *p)
{
    const struct image_program *program = p->program;
    const struct image_file *file;
    uint32_t address = GLAZE_FILES;
    enum memory_result result = MEMORY_OK;
    struct loading l = { 0, 0 };

    for (unsigned i = 0; i < program->segments && result == MEMORY_OK; i++) {
        const struct image_segment *s = &program->segment[i];

        if (!(s->flags & IMAGE_WRITE)) {
            result = map_in_place(p, s->address, s->image, s->file_bytes,
                                  ACCESS_RX_RX, &l);
            l.before += (s->file_bytes + PAGE_MASK) / GLAZE_PAGE;
        }
    }
    for (unsigned i = 0; result == MEMORY_OK &&
                         (file = directory_file(i)) != NULL; i++) {
        uint32_t pages = (file->size + PAGE_MASK) / GLAZE_PAGE;

        result = map_in_place(p, address, file->image, file->size, ACCESS_R_R,
                              &l);
        l.before += pages;
        address += pages * GLAZE_PAGE;
    }
    return result;
}
