/*
 * Allocation of shared memory, on node 0. What it knows of a block does not lie
 * in shared memory, so allocation touches no page.
 *
 * All shared memory consists of blocks, each of which is in use or free. Free
 * neighbours are one block. Free blocks are in lists by the power of 2 below their
 * size. A block in use is in the table of names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "names.h"

#define ALIGN           16
#define LISTS           25      /* of 16 bytes, 32 bytes, and so on */
#define LOOK            16      /* blocks of a list that are looked at first */
#define CLEAR_PAGES     32      /* that are cleared in one interval */

struct block {
    struct named name;          /* its address */
    uint32_t bytes;
    uint32_t stale;             /* free: so many of its first bytes may have been in
                                   use. The others are all zero on all nodes */
    bool free;
    struct block *before, *after;       /* neighbours */
    struct block *next, **place;        /* free: in its list */
};

static struct names blocks;
static struct block *lists[LISTS];
static struct block *unused;    /* structures */
static uint32_t end = SHM_START;        /* no page from here on has been in use */

uint32_t malloc_pages(void)
{
    return page_number(end);
}

void malloc_reserve(uint32_t bytes)
{
    end = (SHM_START + bytes + GLAZE_PAGE - 1) & -GLAZE_PAGE;
}

/* ---- Free blocks --------------------------------------------------------- */

static unsigned list_of(uint32_t bytes)
{
    unsigned list = 0;

    while (bytes >>= 1) {
        list++;
    }
    return list - 4;            /* ALIGN is in list 0 */
}

static void list_add(struct block *b)
{
    struct block **list = &lists[list_of(b->bytes)];

    b->free = true;
    b->next = *list;
    b->place = list;
    if (b->next) {
        b->next->place = &b->next;
    }
    *list = b;
}

static void list_remove(struct block *b)
{
    b->free = false;
    *b->place = b->next;
    if (b->next) {
        b->next->place = b->place;
    }
}

static struct block *block_new(uint32_t address, uint32_t bytes)
{
    struct block *b = unused;

    if (b) {
        unused = b->next;
    } else {
        b = private_take(sizeof(*b));
    }
    *b = (struct block) { .name.address = address, .bytes = bytes };
    return b;
}

/* Cuts a block that is in no list after so many bytes. Returns the second part. */
static struct block *cut(struct block *b, uint32_t bytes)
{
    struct block *second = block_new(b->name.address + bytes, b->bytes - bytes);

    second->before = b;
    second->after = b->after;
    if (second->after) {
        second->after->before = second;
    }
    b->after = second;
    b->bytes = bytes;
    if (b->stale > bytes) {
        second->stale = b->stale - bytes;
        b->stale = bytes;
    }
    return second;
}

/* Adds the next block, which is in no list either. */
static void join(struct block *b)
{
    struct block *second = b->after;

    if (second->stale) {
        b->stale = b->bytes + second->stale;
    }
    b->bytes += second->bytes;
    b->after = second->after;
    if (b->after) {
        b->after->before = b;
    }
    second->next = unused;
    unused = second;
}

/* ---- Allocation ----------------------------------------------------------- */

/*
 * Returns where in a free block so many bytes may lie; 0: nowhere. A block of a page
 * or more begins at a page, and a smaller one lies in one page.
 */
static uint32_t place_in(const struct block *b, uint32_t bytes)
{
    uint32_t at = b->name.address, in_page = at % GLAZE_PAGE;

    if (in_page && in_page + bytes > GLAZE_PAGE) {
        at += GLAZE_PAGE - in_page;
    }
    return at - b->name.address + bytes <= b->bytes ? at : 0;
}

/* Returns a block that has room, of the first ones of each list. Lists of larger
 * blocks come later, so memory that has never been in use comes last. */
static struct block *find(uint32_t bytes, uint32_t most)
{
    for (unsigned list = list_of(bytes); list < LISTS; list++) {
        uint32_t k = 0;

        for (struct block *b = lists[list]; b && k < most; b = b->next, k++) {
            if (place_in(b, bytes)) {
                return b;
            }
        }
    }
    return NULL;
}

/* Takes so many bytes of a free block. */
static struct block *take(struct block *b, uint32_t bytes)
{
    uint32_t at = place_in(b, bytes);

    list_remove(b);
    if (at != b->name.address) {
        struct block *second = cut(b, at - b->name.address);

        list_add(b);
        b = second;
    }
    if (b->bytes > bytes) {
        list_add(cut(b, bytes));
    }
    named_add(&blocks, &b->name);
    at += bytes + GLAZE_PAGE - 1;
    end = at > end ? at & -GLAZE_PAGE : end;
    return b;
}

static struct block *allocate(uint32_t bytes)
{
    static bool begun;
    uint32_t unit = bytes < GLAZE_PAGE ? ALIGN : GLAZE_PAGE;
    struct block *b;

    if (!begun) {
        begun = true;
        list_add(block_new(end, SHM_END - end));
    }
    if (bytes > SHM_END - SHM_START) {
        return NULL;
    }
    bytes = (bytes + unit - 1) & -unit;
    b = find(bytes, LOOK);
    if (!b) {
        b = find(bytes, UINT32_MAX);
    }
    return b ? take(b, bytes) : NULL;
}

/* Words: bytes. The answer: the address, or 0; how many of its first bytes may have
 * been in use before. */
void shm_on_malloc(uint32_t source, const uint32_t *words, uint32_t count)
{
    const struct block *b = allocate(words[0]);
    uint32_t answer[2] = { b ? b->name.address : 0, b ? b->stale : 0 };

    (void)count;
    post(source, OP_ANSWER, answer, 2);
}

/* Words: address. The answer: whether it was a block. */
void shm_on_free(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct block *b = named_before(&blocks, words[0]);
    uint32_t known = b != NULL;

    (void)count;
    if (b) {
        named_remove(&blocks, &b->name);
        b->stale = b->bytes;
        if (b->after && b->after->free) {
            list_remove(b->after);
            join(b);
        }
        if (b->before && b->before->free) {
            b = b->before;
            list_remove(b);
            join(b);
        }
        list_add(b);
    }
    post(source, OP_ANSWER, &known, 1);
}

/* ---- The program's calls --------------------------------------------------- */

/*
 * A block that is freed goes to another process by no lock of the program. Each
 * process that frees one passes a lock of the library first, and each that gets
 * one that was freed passes it afterwards: so the latter has all that was written
 * to the block before it was freed, and no difference of it comes later.
 */
static void pass_lock(void)
{
    uint32_t address = (uintptr_t)&blocks;      /* of no lock of the program */

    lock_take(address);
    lock_give(address);
}

/* Ends the interval, so that few pages are dirty at a time. */
static void end_interval(uint32_t address)
{
    ENTER(CALL_MALLOC, address);
    interval_close();
    call_leave();
}

/*
 * Clears memory that has been in use, as a program does: no call may be open. A page
 * that is zero is not written, and one that has never got memory is not read.
 */
static void clear(uint32_t from, uint32_t to)
{
    uint32_t next, cleared = 0;

    for (uint32_t at = from; at < to; at = next) {
        const struct page *page = &pages[page_number(at)];

        next = (at | (GLAZE_PAGE - 1)) + 1;
        next = next < to ? next : to;
        if (is_home(page) && !(page->flags & PAGE_MAPPED)) {
            continue;
        }
        for (uint32_t *word = (uint32_t *)at; word < (uint32_t *)next; word++) {
            if (*word) {
                *word = 0;
            }
        }
        if (++cleared % CLEAR_PAGES == 0) {
            end_interval(at);
        }
    }
}

void *shm_malloc(size_t bytes)
{
    uint32_t words = bytes ? bytes : 1, stale;
    void *block;

    ENTER(CALL_MALLOC, 0);
    ask(0, OP_MALLOC, &words, 1);
    block = (void *)answer_words[0];
    stale = answer_words[1];
    MARK_VALUES("shm_block", block, words, __builtin_return_address(0));
    if (stale) {
        pass_lock();
    }
    call_leave();
    if (stale) {
        clear((uintptr_t)block, (uintptr_t)block + stale);
    }
    return block;
}

void shm_free(void *block)
{
    uint32_t words = (uintptr_t)block;

    if (!block) {
        return;
    }
    ENTER(CALL_FREE, block);
    pass_lock();
    ask(0, OP_FREE, &words, 1);
    if (!answer_words[0]) {
        mistake("shm_malloc() has not returned this address");
    }
    call_leave();
}
