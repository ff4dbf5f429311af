/*
 * How long a single-write store takes to memory, for all pairs of nodes: from the end
 * of the store to the first cycle at which a load finds it there (Blumrich et al.,
 * ISCA 1994, section 5.1). Prints a line for each pair:
 *
 *      latency FROM TO CYCLES
 *
 * The receiver looks every few cycles. The sender stores in all phases of that, and the
 * shortest time counts: then a look began at the very cycle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "shrimp.h"
#include "udm.h"

#define NODES_MOST  16
#define PHASES      32          /* thrice the cycles between two looks */
#define FIRST       2000000     /* cycle of the first store: all is mapped by then */
#define TURN        2500        /* cycles of a store and its report */

/* A page for each receiver; what a receiver gets from each sender. */
static struct page {
    volatile uint32_t now, stored_at;
    uint32_t rest[1022];
} out[NODES_MOST] __attribute__((aligned(4096)));
static struct {
    volatile uint32_t now, stored_at;
} in[NODES_MOST] __attribute__((aligned(4096)));

static uint32_t node, to_place;
static uint32_t least[NODES_MOST];      /* cycles, from each sender */

static void await(uint32_t cycle)
{
    while (udm_cycles32() < cycle) {
    }
}

#define SLED    64              /* nops */

/* Returns at about this cycle plus SLED / 2, always at the same cycle but for misses. */
static void __attribute__((noipa)) align(uint32_t cycle)
{
    uint32_t left;

    await(cycle);
    left = cycle + SLED / 2 - udm_cycles32();
    if (left > SLED) {
        return;         /* an interrupt came: this try does not count */
    }
    asm volatile ("set      1f, %%g1\n\t"
                  "sll      %0, 2, %%g2\n\t"
                  "sub      %%g1, %%g2, %%g1\n\t"
                  "jmp      %%g1\n\t"
                  " nop\n\t"
                  ".rept    %1\n\t"
                  "nop\n\t"
                  ".endr\n"
                  "1:"
                  : : "r" (left), "i" (SLED) : "g1", "g2");
}

/* Returns the clock right behind the store. */
static uint32_t __attribute__((noipa)) store(volatile uint32_t *to, uint32_t value)
{
    *to = value;
    return udm_cycles32();
}

/* A place where the node could take an interrupt: there updates get to memory. */
#define PLACE() asm volatile ("ba 1f\n\t nop\n\tnop\n1:" : : : "memory")

/* Returns the clock before the look that finds the value. */
static uint32_t __attribute__((noipa))
look(const volatile uint32_t *at, uint32_t value)
{
    uint32_t before;

    do {
        before = udm_cycles32();
        PLACE();
    } while (*at < value);
    return before;
}

static uint32_t begin(uint32_t turn, uint32_t phase)
{
    return FIRST + (turn * PHASES + phase) * TURN;
}

static void __attribute__((noipa)) send(uint32_t to, uint32_t turn)
{
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        align(begin(turn, phase) + phase);
        out[to].stored_at = store(&out[to].now, phase + 1);
    }
}

static void __attribute__((noipa)) receive(uint32_t from, uint32_t turn)
{
    least[from] = UINT32_MAX;
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        uint32_t seen, took;

        align(begin(turn, phase) - TURN / 4);
        seen = look(&in[from].now, phase + 1);
        await(begin(turn, phase) + TURN / 4);
        /* The reading of the sender's clock began when the store had ended. */
        took = seen + to_place - in[from].stored_at;
        least[from] = took < least[from] ? took : least[from];
    }
}

/* Returns the cycles from a reading of the clock over a place to the next reading. */
static uint32_t __attribute__((noipa)) measure_place(void)
{
    uint32_t shortest = UINT32_MAX;

    for (uint32_t k = 0; k < 4; k++) {
        uint32_t first = udm_cycles32(), took;

        PLACE();
        took = udm_cycles32() - first;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}

int main(void)
{
    uint32_t nodes = udm_nodes(), turn = 0;

    node = udm_node();
    to_place = measure_place();
    shrimp_export(1, in, sizeof(in));
    for (uint32_t to = 0; to < nodes; to++) {
        shrimp_map(&out[to], 8, to, 1, 8 * node, SHRIMP_SINGLE);
    }
    for (uint32_t from = 0; from < nodes; from++) {
        for (uint32_t to = 0; to < nodes; to++) {
            if (from == to) {
                continue;
            }
            if (from == node) {
                send(to, turn);
            } else if (to == node) {
                receive(from, turn);
            }
            turn++;
        }
    }
    await(begin(turn, 0));      /* the end of a process makes work for others */
    for (uint32_t from = 0; from < nodes; from++) {
        if (from != node) {
            printf("latency %lu %lu %lu\n", (unsigned long)from,
                   (unsigned long)node, (unsigned long)least[from]);
        }
    }
    return 0;
}
