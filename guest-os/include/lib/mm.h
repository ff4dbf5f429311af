/*
 * Messages of the M-Machine's interface (--ni m-machine), for programs under Glaze.
 *
 * A program shares a range of the memory of its job's processes, and sends messages to
 * addresses in it. A message's handler runs in a message slot of the receiver, beside
 * its program; the launcher has certified it. docs/m-machine.md is the reference.
 * "Paper" means Lee et al., IEEE Computer, November 1998.
 *
 *     #include <stdio.h>
 *     #include "mm.h"
 *     #include "udm.h"
 *     #include "udm-collective.h"
 *
 *     static volatile uint32_t word[1024] __attribute__((aligned(4096)));
 *
 *     int main(void)
 *     {
 *         struct mm_shared shared;
 *
 *         mm_share(&shared, 0, word, sizeof(word));
 *         udm_barrier();                      // both have shared theirs
 *         if (udm_node() == 1) {
 *             mm_send1(mm_at(&shared, 0, word), MM_HANDLER_IP(mm_store), 42);
 *         } else {
 *             printf("node 1 has sent %lu\n", (unsigned long)mm_wait(word, 0));
 *         }
 *         udm_barrier();
 *         return 0;
 *     }
 *
 * On two nodes, with --ni m-machine, it prints "node 1 has sent 42".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MM_H
#define MM_H

#include <stddef.h>
#include <stdint.h>

#include "glaze-mm.h"
#include "mm-handler.h"
#include "operations.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Shared ranges -------------------------------------------------------- */

/* A shared range: what mm_share() fills in, and the others take. */
struct mm_shared {
    uint32_t window;            /* DestAddr of node 0's first byte */
    uint32_t address;
    uint32_t bytes;             /* of a node */
    int32_t segment;
};

/*
 * Lets this process send to `memory` in all processes of its job: there it has this
 * address, too. Fills in *shared. Pages of `memory` stay in the node's memory. Returns
 * 0, or -errno.
 *
 *   offset  the parts of all nodes lie from MM_WINDOW + `offset` on: a multiple of
 *           GLAZE_PAGE. No two ranges of a process share an address there
 *   memory  of program or heap, a multiple of GLAZE_PAGE
 *   bytes   a power of two, GLAZE_PAGE to MM_SEGMENT_MOST
 *
 * Errors: EINVAL for others, ERANGE if the parts are not all in the window, EEXIST if
 * another range has such an address, EFAULT if a page cannot be written, ENOMEM, ENOSPC
 * if the process has MM_SEGMENTS.
 */
int32_t mm_share(struct mm_shared *shared, uint32_t offset, volatile void *memory,
                 size_t bytes);

/*
 * Ends what mm_share() has begun for *shared. Messages that have left are handled all
 * the same. Returns 0. Errors: -EINVAL if it is not shared.
 */
int32_t mm_unshare(struct mm_shared *shared);

/*
 * mm_at(s, node, word) returns DestAddr of a word of the range `s` at a node, 0 to
 * udm_nodes() - 1. Errors: none; a message to what is no word of the range ends the
 * job.
 */
static inline uint32_t mm_at(const struct mm_shared *s, uint32_t node,
                             const volatile void *word)
{
    return s->window + node * s->bytes + ((uint32_t)(uintptr_t)word - s->address);
}

/*
 * Programs with collective operations (udm-collective.h) have one more range, for their
 * library: its parts are in this many bytes at the end of the window.
 */
#define MM_COLLECTIVE_SIZE      0x400000

/* ---- Messages ------------------------------------------------------------- */

/*
 * MM_HANDLER_IP(name) -> uint32_t: HandlerIP of a handler of this program, by its name,
 * without quotes (mm-handler.h). Errors: a handler that does not exist fails to link.
 */
#define MM_HANDLER_IP(name) \
    ({ extern const char mm_handler_##name[]; \
       (uint32_t)(uintptr_t)mm_handler_##name >> MM_HANDLER_LOG; })

/*
 * SEND with bodies of 0 to 10 words, and Ack bit 0 (paper, "Injection"). They wait
 * until the last message has left the registers, and for space.
 *
 *   dest     DestAddr, from mm_at()
 *   handler  HandlerIP, from MM_HANDLER_IP()
 *   words    a, b, c, d, e, f, g, h, i and j: the body's words, in this order
 *
 * Errors: what the interface refuses ends the job: an address in no shared range, a
 * handler that is not certified.
 */
void mm_send0(uint32_t dest, uint32_t handler);
void mm_send1(uint32_t dest, uint32_t handler, uint32_t a);
void mm_send2(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b);
void mm_send3(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c);
void mm_send4(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c,
              uint32_t d);
void mm_send5(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c,
              uint32_t d, uint32_t e);
void mm_send6(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c,
              uint32_t d, uint32_t e, uint32_t f);
void mm_send7(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c,
              uint32_t d, uint32_t e, uint32_t f, uint32_t g);
void mm_send8(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c,
              uint32_t d, uint32_t e, uint32_t f, uint32_t g, uint32_t h);
void mm_send9(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c,
              uint32_t d, uint32_t e, uint32_t f, uint32_t g, uint32_t h, uint32_t i);
void mm_send10(uint32_t dest, uint32_t handler, uint32_t a, uint32_t b, uint32_t c,
               uint32_t d, uint32_t e, uint32_t f, uint32_t g, uint32_t h, uint32_t i,
               uint32_t j);

/* Waits until the network has retrieved the last message of this program. Errors: none.
 */
static inline void mm_await(void)
{
    asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_AWAIT, 1, 0, 0)) : "memory");
}

uint32_t mm_wait_(const volatile uint32_t *word, uint32_t same);

/*
 * Waits as long as a `word` of a shared range is `same`: until a message's handler
 * stores there. Returns what it is then. Looks for a short time, and then waits without
 * the processor; other threads of the program run meanwhile.
 *
 * Errors: ends the job (118) if it would wait for a word that is not shared.
 */
static inline uint32_t mm_wait(const volatile uint32_t *word, uint32_t same)
{
    uint32_t found = *word;

    return found != same ? found : mm_wait_(word, same);
}

/*
 * ---- Handlers that a program can name, by MM_HANDLER_IP() -------------------
 *
 * mm_null    does nothing
 * mm_store   stores a word at DestAddr
 * mm_store8  stores eight words from DestAddr on
 * mm_reply   (address, HandlerIP, word) sends that word there
 * mm_add     (addend, address, HandlerIP) adds to the word at DestAddr, and sends what
 *            that was there: fetch-and-add, atomic among messages of priority 0. A node
 *            uses it on its own words by a message to itself
 *
 * The last two send at priority 1, where mm_null, mm_store and mm_store8 can be named.
 */

#ifdef __cplusplus
}
#endif

#endif /* MM_H */
