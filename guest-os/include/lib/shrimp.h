/*
 * Memory that is mapped over the network, with SHRIMP's interface (--ni shrimp).
 *
 * A process exports a range of its memory. Others map ranges of theirs to it, and
 * what they send from there appears in it: no processor of the receiver has a part in
 * that. docs/shrimp.md is the reference. "Paper" means Blumrich et al., Virtual
 * Memory Mapped Network Interface for the SHRIMP Multicomputer, ISCA 1994.
 *
 * Addresses, sizes and offsets are in bytes. A result below 0 is -errno, and nothing
 * has changed then; docs/shrimp.md says which errors there are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHRIMP_H
#define SHRIMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glaze-shrimp.h"

/* ---- Exports and mappings ------------------------------------------------- */

/*
 * Lets the processes of this job map to a range of program or heap, under a number that
 * the program chooses. Address and size are multiples of 8, up to SHRIMP_EXPORT_MOST.
 * shrimp_export_to() says who may: other jobs, or whoever knows a key. Errors: EINVAL,
 * EFAULT, EEXIST, ENOSPC, ENOMEM.
 */
int32_t shrimp_export(uint32_t number, volatile void *memory, size_t bytes);
int32_t shrimp_export_to(uint32_t number, const struct shrimp_export *export_);

/*
 * Ends an export, and waits until nothing maps to it: no update comes to the range any
 * more. Error: ENOENT.
 */
int32_t shrimp_unexport(uint32_t number);

/*
 * Maps `bytes` at `memory` to the export of this number on a node, from `offset` in
 * it on (paper, section 2, "map"). Stores to `memory` go there one by one
 * (SHRIMP_SINGLE) or merged (SHRIMP_BLOCKED), or nothing does without a command
 * (SHRIMP_DELIBERATE). Waits until the other process has exported it. All are multiples
 * of 8, and the size is SHRIMP_MAP_MOST at most. Returns the mapping's number.
 * shrimp_map_to() maps to other jobs. Errors: EINVAL, EFAULT, EBUSY, ENOENT, EACCES,
 * ERANGE, ESRCH, ENOSPC, ENOMEM.
 */
int32_t shrimp_map(volatile void *memory, size_t bytes, uint32_t node, uint32_t number,
                   size_t offset, uint32_t mode);
int32_t shrimp_map_to(const struct shrimp_map *map);

/*
 * Switches the part of a page at `memory`, which is mapped for automatic update, to
 * another mode (paper, section 4.2): SHRIMP_SINGLE or SHRIMP_BLOCKED. The other parts
 * of the mapping keep theirs. What is not mapped so ends the job.
 */
void shrimp_set_mode(volatile void *memory, uint32_t mode);

/* Ends a mapping. What was sent before has arrived. Error: EINVAL. */
int32_t shrimp_unmap(int32_t mapping);

/* ---- Deliberate update (paper, sections 4.3 and 5.2) ---------------------- */

/* Returns the command word of a word (paper, section 4.2). */
static inline volatile uint32_t *shrimp_command(const volatile void *word)
{
    return (volatile uint32_t *)((uintptr_t)word + SHRIMP_COMMANDS);
}

/* Sends words of one page: tries until the engine is free and has started with them. */
static inline void shrimp_send_words(const volatile void *from, uint32_t words)
{
    uint32_t state;

    asm volatile ("mov     %2, %0\n"
                  "1:\tswap    [%1], %0\n\t"
                  "tst     %0\n\t"
                  "bne,a   1b\n\t"
                  " mov    %2, %0"
                  : "=&r" (state) : "r" (shrimp_command(from)), "r" (words)
                  : "cc", "memory");
}

/* What shrimp_send() does if its bytes are not all in one page, or are none. */
void shrimp_send_pages(const volatile void *from, size_t bytes);

/*
 * Sends `bytes` from an address on, in pages that are mapped for deliberate update: a
 * command for each page. Both are multiples of 4. Prepares each command while the one
 * before is under way. Returns when the last command has begun: shrimp_is_sent() tells
 * when memory may change. What is not mapped ends the job, and so does a part of a
 * page that goes to two pages of the receiver: such pages are sent by one call for
 * each part.
 */
static inline void shrimp_send(const volatile void *from, size_t bytes)
{
    bool in_a_page = bytes - 1 <= (~(uintptr_t)from & (GLAZE_PAGE - 1));

    if (__builtin_expect(in_a_page, true)) {
        shrimp_send_words(from, bytes / 4);
    } else {
        shrimp_send_pages(from, bytes);
    }
}

/* Returns whether no command is under way on this node. */
static inline bool shrimp_is_sent(const volatile void *from)
{
    return !*shrimp_command(from);
}

/* Waits until none is. */
static inline void shrimp_wait_sent(const volatile void *from)
{
    uint32_t state;

    asm volatile ("1:\tld      [%1], %0\n\t"
                  "tst     %0\n\t"
                  "bne,a   1b\n\t"
                  " nop"
                  : "=&r" (state) : "r" (shrimp_command(from)) : "cc", "memory");
}

/* ---- Waiting -------------------------------------------------------------- */

/*
 * Waits until a word to which others map has a value, or, with shrimp_wait_change(),
 * another value than this one. Looks for a short time, and then waits for an update
 * without using the processor.
 */
void shrimp_wait(const volatile uint32_t *word, uint32_t value);
uint32_t shrimp_wait_change(const volatile uint32_t *word, uint32_t value);

/* Waits until all that this process has sent has entered its receivers' FIFOs, which
 * keep order (docs/machine.md, "Packets and FIFOs"). */
void shrimp_fence(void);

#endif /* SHRIMP_H */
