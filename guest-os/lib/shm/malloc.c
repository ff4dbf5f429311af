/*
 * Allocation of shared memory, on node 0. What it knows of a block does not lie
 * in shared memory, so allocation touches no page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "names.h"

#define ALIGN           16

struct block {
    struct named name;
    uint32_t bytes;             /* 0: there is no such block */
    bool free;
    struct block *next;         /* of the free blocks */
};

static struct named *blocks[NAMES];
static struct block *free_blocks;
static uint32_t small = SHM_START, small_end = SHM_START; /* of the open page */
static uint32_t end = SHM_START;        /* all pages from here on are free */

uint32_t malloc_pages(void)
{
    return page_number(end);
}

/* Takes a free block of this size, if there is one. */
static struct block *reuse(uint32_t bytes)
{
    for (struct block **at = &free_blocks; *at; at = &(*at)->next) {
        struct block *b = *at;

        if (b->bytes == bytes) {
            *at = b->next;
            b->free = false;
            return b;
        }
    }
    return NULL;
}

/* Returns addresses that have never been used; 0: there are none. */
static uint32_t fresh(uint32_t bytes)
{
    uint32_t at;

    if (bytes < GLAZE_PAGE && small + bytes <= small_end) {
        small += bytes;
        return small - bytes;
    }
    if (bytes > SHM_END - end) {
        return 0;
    }
    at = end;
    end += (bytes + GLAZE_PAGE - 1) & -GLAZE_PAGE;
    if (bytes < GLAZE_PAGE) {
        small = at + bytes;
        small_end = end;
    }
    return at;
}

/* Words: bytes. The answer: the address, or 0; whether it was a block before. */
void shm_on_malloc(uint32_t source, const uint32_t *words, uint32_t count)
{
    uint32_t bytes = (words[0] + ALIGN - 1) & -ALIGN, at = 0, answer[2];
    struct block *b = reuse(bytes);

    (void)count;
    if (b) {
        at = b->name.address;
    } else if (bytes && bytes >= words[0]) {
        at = fresh(bytes);
    }
    if (at && !b) {
        ((struct block *)named(blocks, at, sizeof(*b)))->bytes = bytes;
    }
    answer[0] = at;
    answer[1] = b != NULL;
    post(source, OP_ANSWER, answer, 2);
}

/* Words: address. The answer: whether it was a block. */
void shm_on_free(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct block *b = named(blocks, words[0], sizeof(*b));
    uint32_t known = b->bytes && !b->free;

    (void)count;
    if (known) {
        b->free = true;
        b->next = free_blocks;
        free_blocks = b;
    }
    post(source, OP_ANSWER, &known, 1);
}

/*
 * A block that is freed goes to another process by no lock of the program. Each
 * process that frees one passes a lock of the library first, and each that gets
 * one that was freed passes it afterwards: so the latter has all that was written
 * to the block before it was freed, and no difference of it comes later.
 */
static void pass_lock(void)
{
    uint32_t address = (uintptr_t)blocks;       /* of no lock of the program */

    lock_take(address);
    lock_give(address);
}

void *shm_malloc(size_t bytes)
{
    uint32_t words = bytes ? bytes : 1;
    void *block;

    ENTER(CALL_MALLOC, 0);
    ask(0, OP_MALLOC, &words, 1);
    block = (void *)answer_words[0];
    if (answer_words[1]) {
        pass_lock();
    }
    call_leave();
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
