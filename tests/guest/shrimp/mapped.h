/*
 * SHRIMP's network interface, for programs on the bare machine: pages that are mapped
 * over the network. Addresses are physical, or mapped to themselves.
 */
#ifndef GUEST_MAPPED_H
#define GUEST_MAPPED_H

#include <stdint.h>

#include "check.h"
#include "ni.h"

#define PAGE        4096
#define WORDS       (PAGE / 4)

struct page { volatile uint32_t word[WORDS]; } __attribute__((aligned(PAGE)));

static inline uint32_t address(const volatile void *at)
{
    return (uint32_t)(uintptr_t)at;
}

static inline uint32_t page_number(const volatile void *page)
{
    return (address(page) - FUGU_RAM_BASE) / PAGE;
}

/* Returns what the register of a part holds. */
static inline uint64_t part_of(uint32_t mode, uint32_t node, uint32_t place)
{
    return (uint64_t)(mode << FUGU_NIPT_MODE_SHIFT | node) << 32 | place;
}

/* Maps the page, or the part of it that its split leaves, to one of `node`. */
static inline void map_out(const struct page *page, uint32_t mode, uint32_t node,
                           const struct page *there)
{
    NI_K(FUGU_K_NIPT_PAGE) = page_number(page);
    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_NIPT_UPPER) = part_of(mode, node,
                                                             address(there));
}

static inline void map_in(const struct page *page)
{
    NI_K(FUGU_K_NIPT_PAGE) = page_number(page);
    NI_K(FUGU_K_NIPT_IN) = FUGU_NIPT_IN_MAPPED;
}

/* Checks that `packets` were sent since the last call. */
static inline void check_sent(const char *name, uint32_t packets)
{
    static uint32_t before;
    uint32_t sent = NI_U(FUGU_U_SENT);

    check(name, sent - before, packets);
    before = sent;
}

/* Waits until all that was sent is in its receivers' FIFOs and, if they are
 * this node's, in memory. */
static inline void settle(void)
{
    uint32_t sent = NI_U(FUGU_U_SENT), entered;

    while (NI_U(FUGU_U_CREDITED) != sent) {
    }
    entered = NI_K(FUGU_K_IN_ENTERED);
    while ((int32_t)(NI_K(FUGU_K_IN_LEFT) - entered) < 0) {
    }
}

#endif
