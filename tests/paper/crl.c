/*
 * What operations on CRL regions cost: ./run.sh paper crl runs it, on three
 * nodes or more. The argument is the size of the regions in bytes.
 *
 * Each node creates a region, and all nodes map all of them. Each operation is
 * measured for each pair of nodes, the home of a region and the requester,
 * with a third node that has read or written the region before. All nodes go
 * through the same turns. While the requester's operation is measured, all
 * others do nothing but serve its requests: the barriers are over.
 *
 * Prints a line for each operation: the mean of all pairs, the least, and the
 * most, in cycles.
 *
 *      crl read_miss: 600.25 590 612
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "crl.h"
#include "udm-collective.h"
#include "udm.h"

enum {
    SIZE_MOST = 4096,           /* of a region: one body */
    NODES_MOST = 64,
    QUIET = 2000,               /* cycles until the last message of a barrier
                                   has been handled */
    LONGEST = 8000,             /* cycles in which an operation has ended */
    TURNS = 2,                  /* with the same nodes. The first one loads code
                                   and data into the caches; the last one
                                   counts */
};

/* What other nodes than home and requester do before. */
enum before {
    NOTHING,
    THIRD_READS,
    THIRD_WRITES,
    ALL_READ,
};

static const struct operation {
    const char *name;
    enum before before;
    bool hit;                   /* the requester has done the same before, and
                                   the end of the operation is measured too */
    bool write;
} operations[] = {
    { "read_hit", NOTHING, true, false },
    { "write_hit", NOTHING, true, true },
    { "read_miss", NOTHING, false, false },
    { "read_miss_other_owner", THIRD_WRITES, false, false },
    { "write_miss", NOTHING, false, true },
    { "write_miss_other_owner", THIRD_WRITES, false, true },
    { "write_miss_1_invalidation", THIRD_READS, false, true },
    { "write_miss_all_invalidations", ALL_READ, false, true },
};

static struct cost {
    uint64_t sum, count, least, most;
} cost;

static void *regions[NODES_MOST];
static uint32_t clock_cycles;   /* between two readings of the clock */

static void spin_until(uint32_t start, uint32_t cycles)
{
    while (udm_cycles32() - start < cycles) {
    }
}

static void operate(void *region, bool write)
{
    if (write) {
        rgn_start_write(region);
        rgn_end_write(region);
    } else {
        rgn_start_read(region);
        rgn_end_read(region);
    }
}

/* Returns the cycles of an operation that hits, start and end together, after
 * others of its kind. */
static uint32_t measure_hit(void *region, bool write)
{
    uint32_t cycles = 0;

    for (unsigned k = 0; k < TURNS; k++) {
        uint32_t start = udm_cycles32();

        operate(region, write);
        cycles = udm_cycles32() - start - clock_cycles;
    }
    return cycles;
}

/* Returns the cycles of the start of an operation. */
static uint32_t measure_miss(void *region, bool write)
{
    uint32_t start = udm_cycles32(), end;

    if (write) {
        rgn_start_write(region);
        end = udm_cycles32();
        rgn_end_write(region);
    } else {
        rgn_start_read(region);
        end = udm_cycles32();
        rgn_end_read(region);
    }
    return end - start - clock_cycles;
}

/* Brings the region into the state before the operation. All nodes call it. */
static void prepare(const struct operation *o, uint32_t home,
                    uint32_t requester, uint32_t third)
{
    uint32_t node = udm_node();
    bool writes = o->before == THIRD_WRITES;

    if (node == home) {
        operate(regions[home], true);   /* no other node has a copy now */
    }
    udm_barrier();
    if (o->before == ALL_READ ? node != home && node != requester
                              : o->before != NOTHING && node == third) {
        operate(regions[home], writes);
    }
    if (o->hit && node == requester) {
        operate(regions[home], o->write);
    }
    udm_barrier();
}

/* One turn. Returns the cycles of the operation on the requester. */
static uint32_t turn(const struct operation *o, uint32_t home,
                     uint32_t requester, uint32_t third)
{
    uint32_t start, cycles = 0;

    prepare(o, home, requester, third);
    start = udm_cycles32();
    spin_until(start, QUIET);
    if (udm_node() == requester) {
        cycles = o->hit ? measure_hit(regions[home], o->write)
                        : measure_miss(regions[home], o->write);
        if (cycles > LONGEST) {
            fprintf(stderr, "crl: %s took %lu cycles, more than %d\n", o->name,
                    (unsigned long)cycles, LONGEST);
            exit(1);
        }
    }
    spin_until(start, QUIET + LONGEST);
    return cycles;
}

static void choice(const struct operation *o, uint32_t home,
                   uint32_t requester, uint32_t third)
{
    uint32_t cycles = 0;

    for (unsigned k = 0; k < TURNS; k++) {
        cycles = turn(o, home, requester, third);
    }
    if (udm_node() == requester) {
        cost.sum += cycles;
        cost.count++;
        cost.least = cost.least < cycles ? cost.least : cycles;
        cost.most = cost.most > cycles ? cost.most : cycles;
    }
}

/* Returns a node other than the two, another one for each pair of them. */
static uint32_t third_node(uint32_t home, uint32_t requester)
{
    uint32_t node = home + requester;

    do {
        node = (node + 1) % udm_nodes();
    } while (node == home || node == requester);
    return node;
}

/* Measures an operation with all choices of nodes, and prints its line. */
static void measure(const struct operation *o)
{
    uint32_t nodes = udm_nodes();

    cost = (struct cost) { .least = INT64_MAX };
    for (uint32_t home = 0; home < nodes; home++) {
        for (uint32_t requester = 0; requester < nodes; requester++) {
            if (requester != home) {
                choice(o, home, requester, third_node(home, requester));
            }
        }
    }
    cost.sum = udm_reduce_all_int(UDM_SUM, cost.sum);
    cost.count = udm_reduce_all_int(UDM_SUM, cost.count);
    cost.least = udm_reduce_all_int(UDM_MIN, cost.least);
    cost.most = udm_reduce_all_int(UDM_MAX, cost.most);
    if (udm_node() == 0) {
        printf("crl %s: %.2f %llu %llu\n", o->name,
               (double)cost.sum / cost.count, cost.least, cost.most);
    }
}

/* Creates this node's region, and maps those of all nodes. */
static void make_regions(unsigned size)
{
    rid_t id, own = rgn_create(size);

    for (uint32_t node = 0; node < udm_nodes(); node++) {
        id = own;
        udm_broadcast(node, &id, sizeof(id));
        regions[node] = rgn_map(id);
    }
}

int main(int argc, char **argv)
{
    char *end;
    unsigned long size = argc == 2 ? strtoul(argv[1], &end, 10) : 0;
    uint32_t start;

    if (size < 1 || size > SIZE_MOST || *end || udm_nodes() < 3 ||
        udm_nodes() > NODES_MOST) {
        fprintf(stderr, "crl: the argument is a number of bytes, at most %d, "
                "and there are 3 to %d nodes\n", SIZE_MOST, NODES_MOST);
        return 2;
    }
    crl_init();
    make_regions(size);
    for (unsigned k = 0; k < TURNS; k++) {
        start = udm_cycles32();
        clock_cycles = udm_cycles32() - start;
    }
    for (unsigned k = 0; k < sizeof(operations) / sizeof(*operations); k++) {
        measure(&operations[k]);
    }
    return 0;
}
