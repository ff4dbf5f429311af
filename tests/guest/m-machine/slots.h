/*
 * The M-Machine's message interface (--ni m-machine), for programs on the bare
 * machine: entries of its tables, SEND and handlers, in C and assembly.
 */
#ifndef GUEST_SLOTS_H
#define GUEST_SLOTS_H

#include "fugu-regs.h"

#ifdef __ASSEMBLER__

#define MSGHEAD         %g6
#define MSGBODY         %g7

/* SEND: words of the body, which is in %l0 and so on; the numbers of the registers
 * with DestAddr and HandlerIP; the number of the Ack bit. */
#define SEND(words, dest, handler, ack) \
        .word FUGU_INSN(FUGU_OPC_SEND(ack), words, dest, handler)
#define AWAIT(mask)     .word FUGU_INSN(FUGU_OPC_AWAIT, mask, 0, 0)

/* Numbers of registers. */
#define G1      1
#define G2      2
#define G7      7
#define O0      8
#define O1      9
#define O2      10
#define O3      11
#define I0      24
#define I1      25

/* The end of a handler: goes to the next message's. */
#define NEXT_MESSAGE    \
        jmp     MSGHEAD;        \
         nop

#else

#include <stdbool.h>
#include <stdint.h>

#include "ni.h"

/* The window of all nodes' memory: node N has 2^WINDOW_LOG bytes of it, from its
 * local base on. */
#define WINDOW          0x40000000
#define WINDOW_LOG      16

/* Lets a GID of this node send to `local`, at each node: as entry `entry`. */
static inline void set_segment_of(unsigned entry, uint32_t gid,
                                  const volatile void *local)
{
    NI_K(FUGU_K_MM_GTLB) = entry;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_BASE) = WINDOW;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_SIZE) = WINDOW_LOG;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_LOCAL) =
        (uint32_t)(uintptr_t)local;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_GID) = FUGU_MM_VALID | gid;
}

/* The same for GID 0. */
static inline void set_segment(unsigned entry, const volatile void *local)
{
    set_segment_of(entry, 0, local);
}

/* Lets a GID of this node name `handler` by `index`, which may touch `extent`
 * bytes. */
static inline void set_handler_of(unsigned index, uint32_t gid,
                                  void (*handler)(void), uint32_t extent)
{
    NI_K(FUGU_K_MM_HANDLER) = index;
    NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_PC) = (uint32_t)(uintptr_t)handler;
    NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_EXTENT) = extent;
    NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_GID) =
        FUGU_MM_VALID | index << FUGU_MM_INDEX_SHIFT | gid;
}

/* The same for GID 0. */
static inline void set_handler(unsigned index, void (*handler)(void),
                               uint32_t extent)
{
    set_handler_of(index, 0, handler, extent);
}

/* Starts the slot of a priority. */
static inline void start_slot(unsigned priority, void (*code)(void))
{
    NI_K(FUGU_K_MM_START + 4 * priority) = (uint32_t)(uintptr_t)code;
}

/* The address of byte `offset` of a node's part of the window. */
static inline uint32_t at(uint32_t node, uint32_t offset)
{
    return WINDOW + (node << WINDOW_LOG) + offset;
}

#endif
#endif
