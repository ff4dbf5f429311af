/*
 * The registers of the network interface that sends words, for programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef WORD_H
#define WORD_H

#include "udm.h"

#define WORD_REGISTER(offset) \
    (*(volatile uint32_t *)(uintptr_t)(FUGU_NI_USER_BASE + (offset)))

/* Sends a word to a node. Waits until the network takes it. One store. */
static inline void word_send(uint32_t node, uint32_t word)
{
    uint64_t both = (uint64_t)node << 32 | word;

    asm volatile ("std %0, [%1]"
                  : : "r" (both), "r" (FUGU_NI_USER_BASE) : "memory");
}

/* Returns whether a word has come. */
static inline uint32_t word_there(void)
{
    return WORD_REGISTER(0x08);
}

/* Returns the word that has come first, and the node that sent it. */
static inline uint32_t word_here(void)
{
    return WORD_REGISTER(0x0c);
}

static inline uint32_t word_from(void)
{
    return WORD_REGISTER(0x10);
}

/* Takes that word away. */
static inline void word_next(void)
{
    WORD_REGISTER(0x14) = 0;
}

#endif
