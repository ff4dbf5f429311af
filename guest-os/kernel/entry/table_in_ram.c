/*
 * The trap table of a machine whose network interface interrupts at the levels of
 * FUGU's messages: SHRIMP's, and the M-Machine's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "entry/table_in_ram.h"
#include "machine/hardware.h"
#include "machine/kind.h"
#include "memory/frames.h"

extern const char trap_slow[];

#define VECTORS         256
#define VECTOR_BYTES    16

/* Instructions (The SPARC Architecture Manual, Version 7). */
#define LOCAL(n)        (16 + (n))
#define READ_PSR(to)    (0x81480000 | (to) << 25)
#define SETHI(value, to) (0x01000000 | (to) << 25 | (value) >> 10)
#define JUMP(base, low) (0x81c02000 | (base) << 14 | ((low) & 0x3ff))
#define MOVE(value, to) (0x80102000 | (to) << 25 | (value))
#define NOP             0x01000000

/* As the macro SLOW of table.h: to C, with the PSR in %l0 and the type in %l3. */
static void make_slow(uint32_t *vector, uint32_t type)
{
    uint32_t slow = (uint32_t)trap_slow;

    vector[0] = READ_PSR(LOCAL(0));
    vector[1] = SETHI(slow, LOCAL(4));
    vector[2] = JUMP(LOCAL(4), slow);
    vector[3] = MOVE(type, LOCAL(3));
}

/* Returns the table that the node has begun with: that of vectors.S. */
static uint32_t first_table(void)
{
    uint32_t tbr;

    asm ("rd %%tbr, %0" : "=r" (tbr));
    return tbr & ~(VECTORS * VECTOR_BYTES - 1u);
}

/* To the vector of the first table, which expects nothing in %l3. */
static void make_jump(uint32_t *vector, uint32_t type)
{
    uint32_t to = first_table() + type * VECTOR_BYTES;

    vector[0] = SETHI(to, LOCAL(3));
    vector[1] = JUMP(LOCAL(3), to);
    vector[2] = vector[3] = NOP;
}

__attribute__((cold)) bool table_in_ram_init(void)
{
    uint32_t table;

    if (kind->number != FUGU_NETIF_SHRIMP && kind->number != FUGU_NETIF_M_MACHINE) {
        return true;
    }
    table = frame_alloc(FRAME_COLOUR_ANY);
    for (uint32_t type = 0; table && type < VECTORS; type++) {
        uint32_t *vector = (uint32_t *)(table + type * VECTOR_BYTES);

        if (type == FUGU_TT_IRQ(FUGU_SHRIMP_IRQ_OUTGOING) ||
            type == FUGU_TT_IRQ(FUGU_SHRIMP_IRQ_ARRIVAL)) {
            make_slow(vector, type);
        } else {
            make_jump(vector, type);
        }
    }
    if (table) {
        /* The write may take effect up to three instructions later. None of these
         * instructions traps. */
        asm volatile ("wr %0, %%tbr\n\tnop\n\tnop\n\tnop" : : "r" (table) : "memory");
    }
    return table;
}
