/*
 * Memory that is mapped over the network, with SHRIMP's interface (--ni shrimp).
 *
 * A process exports a range of its memory. Others map ranges of theirs to it, and
 * what they send from there appears in it: no processor of the receiver has a part in
 * that. docs/shrimp.md is the reference. "Paper" means Blumrich et al., Virtual
 * Memory Mapped Network Interface for the SHRIMP Multicomputer, ISCA 1994.
 *
 * Addresses, sizes and offsets are in bytes. A result below 0 is -errno, and nothing
 * has changed then; docs/shrimp.md says when each error comes. On a machine of another
 * kind the program is refused before it starts.
 *
 *     #include <stdio.h>
 *     #include "shrimp.h"
 *     #include "udm.h"
 *
 *     enum { NUMBER = 1 };                    // of the export
 *
 *     static volatile uint32_t mine[2] __attribute__((aligned(4096)));
 *
 *     int main(void)
 *     {
 *         if (udm_node() == 0) {
 *             shrimp_export(NUMBER, mine, sizeof(mine));
 *             shrimp_wait(&mine[1], 1);       // comes after mine[0]
 *             printf("node 1 has stored %lu\n", (unsigned long)mine[0]);
 *         } else {
 *             int32_t mapping = shrimp_map(mine, sizeof(mine), 0, NUMBER, 0,
 *                                          SHRIMP_SINGLE);
 *
 *             mine[0] = 42;
 *             mine[1] = 1;
 *             shrimp_unmap(mapping);          // when both have arrived
 *         }
 *         return 0;
 *     }
 *
 * On two nodes, with --ni shrimp, it prints "node 1 has stored 42".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHRIMP_H
#define SHRIMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glaze-shrimp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Exports and mappings ------------------------------------------------- */

/*
 * Lets the processes of this job map to a range of program or heap, under a number that
 * the program chooses. shrimp_export_to() says in *export_ who may: other jobs, or
 * whoever knows a key. Both return 0.
 *
 *   number  any, but no other export's of this process
 *   memory  a multiple of 8, in program or heap
 *   bytes   a multiple of 8, 8 to SHRIMP_EXPORT_MOST
 *
 * Errors: EINVAL for other numbers, EFAULT for a page that the process cannot write,
 * EEXIST if it has an export of this number, ENOSPC if it has SHRIMP_EXPORTS, ENOMEM.
 */
int32_t shrimp_export(uint32_t number, volatile void *memory, size_t bytes);
int32_t shrimp_export_to(uint32_t number, const struct shrimp_export *export_);

/*
 * Ends the export of a `number`, and waits until nothing maps to it: no update comes
 * to the range any more. Returns 0. Errors: ENOENT if there is none.
 */
int32_t shrimp_unexport(uint32_t number);

/*
 * Maps `bytes` at `memory` to the export of this number on a node, from `offset` in
 * it on (paper, section 2, "map"). Stores to `memory` go there one by one
 * (SHRIMP_SINGLE) or merged (SHRIMP_BLOCKED), or nothing does without a command
 * (SHRIMP_DELIBERATE). Waits until the other process has exported it. Returns the
 * mapping's number, 0 or more. shrimp_map_to() maps to other jobs, as *map says.
 *
 *   memory  a multiple of 8, in program or heap
 *   bytes   a multiple of 8, 8 to SHRIMP_MAP_MOST
 *   node    of the export, 0 to udm_nodes() - 1
 *   number  of the export there
 *   offset  in the export, a multiple of 8
 *   mode    SHRIMP_SINGLE, SHRIMP_BLOCKED or SHRIMP_DELIBERATE
 *
 * Errors: EINVAL for others, EFAULT for a page that cannot be written, EBUSY if a part
 * is mapped already, a page has a view, or four calls wait; ENOENT if a process of
 * another job has no such export, EACCES if this process may not, ERANGE beyond the
 * export's end, ESRCH if the other process has ended or ends the export, ENOSPC if
 * there are SHRIMP_MAPS here or SHRIMP_GRANTS there, ENOMEM, EIO if backing store has
 * lost a page.
 */
int32_t shrimp_map(volatile void *memory, size_t bytes, uint32_t node, uint32_t number,
                   size_t offset, uint32_t mode);
int32_t shrimp_map_to(const struct shrimp_map *map);

/*
 * Switches the part of a page at `memory`, which is mapped for automatic update, to
 * another mode (paper, section 4.2): SHRIMP_SINGLE or SHRIMP_BLOCKED; any other is
 * taken for that. The other parts of the mapping keep theirs.
 *
 * Errors: memory that is not mapped so ends the job.
 */
void shrimp_set_mode(volatile void *memory, uint32_t mode);

/*
 * Ends a `mapping`, a number that shrimp_map() has returned. Returns 0 when what was
 * sent before has arrived. Errors: EINVAL if there is none; EBUSY.
 */
int32_t shrimp_unmap(int32_t mapping);

/* ---- Deliberate update (paper, sections 4.3 and 5.2) ---------------------- */

/* Returns the command word of a `word` (paper, section 4.2). Errors: none. */
static inline volatile uint32_t *shrimp_command(const volatile void *word)
{
    return (volatile uint32_t *)((uintptr_t)word + SHRIMP_COMMANDS);
}

/*
 * Sends so many `words`, 1 to 1024, `from` an address on, a multiple of 4; all are of
 * one page. Tries until the engine is free and has started with them. Errors: those of
 * shrimp_send().
 */
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

/*
 * What shrimp_send() does, with the same `from` and `bytes`, if its bytes are not all
 * in one page, or are none. Errors: those of shrimp_send().
 */
void shrimp_send_pages(const volatile void *from, size_t bytes);

/*
 * Sends `bytes` from an address on, in pages that are mapped for deliberate update: a
 * command for each page. Both are multiples of 4. Prepares each command while the one
 * before is under way. It ends when the last command has begun: shrimp_is_sent() tells
 * when memory may change.
 *
 * Errors: what is not mapped ends the job, and so does a part of a page that goes to
 * two pages of the receiver: such pages are sent by one call for each part.
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

/*
 * Returns whether no command is under way on this node; `from` is any word that is
 * mapped for deliberate update. Errors: another one ends the job.
 */
static inline bool shrimp_is_sent(const volatile void *from)
{
    return !*shrimp_command(from);
}

/* Waits until none is. `from` and Errors: as there. */
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
 * Waits until a `word` to which others map has a `value`, or, with
 * shrimp_wait_change(), another value than this one, which it returns. Looks for a
 * short time, and then waits for an update without using the processor.
 *
 * Errors: if nobody stores the value, it never returns; a run in which all wait ends as
 * a deadlock (125).
 */
void shrimp_wait(const volatile uint32_t *word, uint32_t value);
uint32_t shrimp_wait_change(const volatile uint32_t *word, uint32_t value);

/*
 * Waits until all that this process has sent has entered its receivers' FIFOs, which
 * keep order (docs/machine.md, "Packets and FIFOs"). Errors: none.
 */
void shrimp_fence(void);

#ifdef __cplusplus
}
#endif

#endif /* SHRIMP_H */
