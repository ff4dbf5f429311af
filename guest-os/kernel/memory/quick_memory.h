/*
 * What the fast path of MBCF shares: memory of tasks, and the registers of the
 * network interface, which that of pages (pieces.c) uses as well.
 *
 * The fast path of MBCF reaches bytes of one page that is in memory, at a multiple of
 * 4. Its tests collect what is wrong in a word, `bad`, because a branch for
 * each test would take three times as long.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_QUICK_MEMORY_H
#define GLAZE_QUICK_MEMORY_H

#include "machine/ni.h"
#include "memory/space.h"

#define INLINE  inline __attribute__((always_inline))

/* A function for combined commands: its code is not at the places of the cache that
 * single ones need (kernel.ld). */
#define QUICK_COMBINED  __attribute__((noinline, section(".text.combined")))

/*
 * Returns the kernel page of the network interface. The compiler does not learn
 * which address that is: it would compute the address of each register.
 */
static INLINE volatile uint32_t *quick_ni(void)
{
    uint32_t page = FUGU_NI_KERNEL_BASE;

    asm ("" : "+r" (page));
    return (volatile uint32_t *)page;
}

/* Register `name` of that page; word k of the head, and of the next packet. */
#define QUICK_K(ni, name)       ((ni)[FUGU_K_##name / 4])
#define QUICK_HEAD(ni, name)    ((ni)[(FUGU_K_HEAD + FUGU_HEAD_##name) / 4])
#define QUICK_WORD(ni, k) \
    ((ni)[(FUGU_K_HEAD + FUGU_HEAD_WORDS) / 4 + (k)])
#define QUICK_OUT(ni, k)        ((ni)[FUGU_K_OUT / 4 + (k)])

/*
 * Returns the table entry of p's page, or 0 if the page has no entry. The MMU's
 * probe finds entries of the current process in one instruction.
 */
static INLINE uint32_t quick_entry(struct process *p, uint32_t address)
{
    uint32_t entry, *where;

    if (p == current) {
        asm volatile ("lda [%1] %2, %0"
                      : "=r" (entry)
                      : "r" (address & ~(GLAZE_PAGE - 1)), "i" (ASI_PROBE));
        return entry;
    }
    where = space_entry(p, address);
    return where ? *where : 0;
}

static INLINE void *quick_place(struct process *p, uint32_t address,
                                uint32_t bytes, uint32_t mask, uint32_t want,
                                uint32_t *bad)
{
    uint32_t offset = address & (GLAZE_PAGE - 1);
    uint32_t entry = quick_entry(p, address);

    *bad |= (address & 3) | ((entry & mask) ^ want) |
            (GLAZE_PAGE - offset - bytes) >> 31;
    return (void *)(pte_physical(entry) + offset);
}

/*
 * Return where the kernel finds bytes that p may read, or write. `bad` gets a
 * bit if the bytes have to be reached on the slow path; the result then must not
 * be used. `bytes` is less than 2^31 - 4096, or `bad` is not 0. A page that has
 * not been written since memory_watch() has to be written on the slow path, which
 * records that it has changed.
 */
static INLINE void *quick_readable(struct process *p, uint32_t address,
                                   uint32_t bytes, uint32_t *bad)
{
    return quick_place(p, address, bytes, PTE_READABLE_MASK, PTE_READABLE, bad);
}

static INLINE void *quick_writable(struct process *p, uint32_t address,
                                   uint32_t bytes, uint32_t *bad)
{
    return quick_place(p, address, bytes, PTE_WRITABLE_MASK | PTE_MODIFIED,
                       PTE_WRITABLE | PTE_MODIFIED, bad);
}

/* Returns how many of the bytes at an address lie on its page. */
static INLINE uint32_t quick_piece(uint32_t address, uint32_t bytes)
{
    uint32_t rest = GLAZE_PAGE - (address & (GLAZE_PAGE - 1));

    return bytes < rest ? bytes : rest;
}

/* Copies bytes between multiples of 4. */
static INLINE void quick_copy(uint32_t *to, const uint32_t *from,
                              uint32_t bytes)
{
    for (; bytes >= 16; bytes -= 16, to += 4, from += 4) {
        uint32_t a = from[0], b = from[1], c = from[2], d = from[3];

        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
    }
    for (; bytes >= 4; bytes -= 4) {
        *to++ = *from++;
    }
    for (uint32_t k = 0; k < bytes; k++) {
        ((uint8_t *)to)[k] = ((const uint8_t *)from)[k];
    }
}

#endif /* GLAZE_QUICK_MEMORY_H */
