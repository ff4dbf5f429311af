/*
 * Bodies that attract each other, by the method of Barnes and Hut, on CRL. See
 * README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "barnes.h"
#include "crl-report.h"
#include "udm-measure.h"

static bool zones;              /* --zones: bodies change nodes */

void *memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory) {
        fprintf(stderr, "barnes: %lu x %lu bytes need more memory (--ram)\n",
                (unsigned long)count, (unsigned long)size);
        abort();
    }
    return memory;
}

/* Makes the regions of the bodies that are this node's at the start. */
static struct zone zone_at_start(uint32_t count, uint32_t seed)
{
    uint32_t from = (uint64_t)count * crl_self_addr / crl_num_nodes;
    uint32_t to = (uint64_t)count * (crl_self_addr + 1) / crl_num_nodes;
    struct zone zone = {        /* any zone may come to have all bodies */
        .bodies = memory(count, sizeof(*zone.bodies)),
    };
    struct body *bodies = memory(count, sizeof(*bodies));

    plummer(bodies, count, seed);
    for (uint32_t i = from; i < to; i++) {
        zone.bodies[zone.count++] = body_new(i, &bodies[i]);
    }
    free(bodies);
    return zone;
}

static void iterate(struct tree *tree, struct zone *zone, uint32_t iteration)
{
    tree_build(tree, zone, iteration);
    if (zones) {
        zone_find(zone, tree);
    }
    gravity(tree, zone);
    rgn_barrier();              /* all nodes have read all positions */
    zone_move(zone, iteration == 1);
}

/* The same, measured. */
static void iterate_measured(struct tree *tree, struct zone *zone,
                             uint32_t iteration)
{
    struct crl_statistics statistics;
    struct udm_measured measured;

    udm_measure_begin();
    crl_statistics_reset();
    iterate(tree, zone, iteration);
    crl_statistics(&statistics);
    measured = udm_measure_end();
    udm_measure_print("barnes", &measured);
    crl_report("barnes", &statistics, measured.cycles);
}

int main(int argc, char **argv)
{
    uint32_t count = 2048, iterations = 3;
    struct argument numbers[] = {
        { "BODIES", "bodies", 2, 1000000, &count },
        { "ITERATIONS", "time steps; the last one is measured", 1, 1000000,
          &iterations },
        { NULL },
    };
    struct arguments arguments = {
        .app = "barnes", .numbers = numbers, .seed = 1,
        .contents = "each body's position and velocity",
        .flag = { "zones", "gives bodies that are near each other to one node",
                  &zones },
    };
    struct tree tree;
    struct zone zone;
    bool failed = false;

    arguments_read(&arguments, argc, argv);
    crl_init();
    crl_wait(arguments.yield ? CRL_WAIT_BLOCK : CRL_WAIT_SPIN);
    regions_init(count);
    zone = zone_at_start(count, arguments.seed);
    for (uint32_t i = 1; i < iterations; i++) {
        iterate(&tree, &zone, i);
    }
    iterate_measured(&tree, &zone, iterations);
    if (crl_self_addr == 0) {
        printf("barnes: %lu bodies, %lu iterations, %u nodes\n",
               (unsigned long)count, (unsigned long)iterations,
               crl_num_nodes);
        failed = arguments.result &&
                 !result_write(arguments.result, &tree, count);
    }
    return rgn_reduce_dmax(failed) != 0;    /* all nodes end together */
}
