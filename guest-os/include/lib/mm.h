/*
 * Messages of the M-Machine's interface (--ni m-machine), for programs under Glaze.
 *
 * A program shares a range of the memory of its job's processes, and sends messages to
 * addresses in it. A message's handler runs in a message slot of the receiver, beside
 * its program; the launcher has certified it. docs/m-machine.md is the reference.
 * "Paper" means Lee et al., IEEE Computer, November 1998.
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

/* ---- Shared ranges -------------------------------------------------------- */

struct mm_shared {
    uint32_t window;            /* DestAddr of node 0's first byte */
    uint32_t address;
    uint32_t bytes;             /* of a node */
    int32_t segment;
};

/*
 * Lets this process send to `memory` in all processes of its job: there it has this
 * address, too. `bytes` is a power of two, GLAZE_PAGE to MM_SEGMENT_MOST, and `memory`
 * a multiple of GLAZE_PAGE. The parts of all nodes lie from MM_WINDOW + `offset` on, a
 * multiple of GLAZE_PAGE; no two ranges of a process share an address there. Pages of
 * `memory` stay in the node's memory. Returns 0, or -errno: EINVAL, ERANGE (the parts
 * are not all in the window), EEXIST, EFAULT, ENOMEM, ENOSPC.
 */
int32_t mm_share(struct mm_shared *shared, uint32_t offset, volatile void *memory,
                 size_t bytes);

/* Ends that. Messages that have left are handled all the same. */
int32_t mm_unshare(struct mm_shared *shared);

/* Returns DestAddr of a word of the range at a node. */
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

/* HandlerIP of a handler of this program, by its name (mm-handler.h). */
#define MM_HANDLER_IP(name) \
    ({ extern const char mm_handler_##name[]; \
       (uint32_t)(uintptr_t)mm_handler_##name >> MM_HANDLER_LOG; })

/*
 * SEND with bodies of 0 to 10 words, and Ack bit 0 (paper, "Injection"). They wait
 * until the last message has left the registers, and for space. What the interface
 * refuses ends the job.
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

/* Waits until the network has retrieved the last message of this program. */
static inline void mm_await(void)
{
    asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_AWAIT, 1, 0, 0)) : "memory");
}

uint32_t mm_wait_(const volatile uint32_t *word, uint32_t same);

/*
 * Waits as long as a word of a shared range is this one: until a message's handler
 * stores there. Returns what it is then. Looks for a short time, and then waits without
 * the processor; other threads of the program run meanwhile. Ends the job if it would
 * wait for a word that is not shared.
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

#endif /* MM_H */
