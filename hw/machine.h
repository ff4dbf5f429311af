/*
 * The multicomputer: its parameters, its nodes, its scheduler of rounds
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MACHINE_H
#define FUGU_MACHINE_H

#include "qemu/units.h"
#include "hw/boards.h"
#include "chardev/char-fe.h"
#include "hw/fugu/mesh.h"
#include "hw/fugu/node.h"

#define TYPE_FUGU_MACHINE MACHINE_TYPE_NAME("fugu")
OBJECT_DECLARE_SIMPLE_TYPE(FuguMachineState, FUGU_MACHINE)

/* Exit statuses of the machine, beside the guest's own (0 to 119). */
#define FUGU_STATUS_GUEST_MAX   119
#define FUGU_STATUS_TIMEOUT     124
#define FUGU_STATUS_DEADLOCK    125
#define FUGU_STATUS_ERROR_MODE  126
#define FUGU_STATUS_SIGNAL      130

struct FuguMachineState {
    MachineState parent_obj;

    /* Options of -machine; docs/machine.md has names, ranges and defaults. */
    uint32_t node_count;
    uint32_t quantum;
    MeshParams main_params, second_params;
    uint32_t input_queue;       /* words */
    uint32_t source_space;      /* words */
    uint32_t dma_word;          /* cycles a word */
    bool cache;
    uint32_t cache_size;        /* bytes */
    uint32_t cache_miss;        /* cycles */
    uint32_t node_ram;          /* bytes */
    uint64_t timeout;           /* cycles; 0: none */
    bool digest;                /* print it at the end */
    bool label;                 /* label lines of the console */
    char *console;              /* chardev of all nodes without their own */

    /* Wiring. */
    FuguNode **nodes;
    struct FuguRounds *rounds;
    struct FuguHub *hub;
    MemoryRegion ram;           /* all nodes' */
    MemoryRegion boot;          /* shared, read-only */
    CharBackend console_chr;

    bool console_input;         /* atomic: some console has host_input */
};

/*
 * From one node's slice of the RAM to the next. Not a power of two, as the
 * slices often have: the host's page table entries for the same page of all
 * nodes, the end of the stack, would fall into a few sets of its caches.
 */
#define FUGU_RAM_GAP    (17 * 4 * KiB)

static inline uint64_t fugu_ram_stride(const FuguMachineState *m)
{
    return (uint64_t)m->node_ram + FUGU_RAM_GAP;
}

#endif /* FUGU_MACHINE_H */
