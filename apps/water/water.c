/*
 * The motion of water molecules, each with each, on CRL. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "crl-report.h"
#include "udm-measure.h"
#include "water.h"

enum { MOLECULES_MAX = 8000 };

void *memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory) {
        fprintf(stderr, "water: %lu x %lu bytes need more memory (--ram)\n",
                (unsigned long)count, (unsigned long)size);
        abort();
    }
    return memory;
}

/* Computes all forces on all molecules. */
static void find_forces(void)
{
    motion_forces();
    rgn_barrier();              /* all molecules are where they belong */
    between_forces();
    rgn_barrier();              /* no node reads them any more */
    between_add();
    rgn_barrier();
}

/* One time step. Returns this node's part of the kinetic energy. */
static double iterate(void)
{
    motion_predict();
    find_forces();
    return motion_correct();
}

/* The same, with the energies of all molecules. */
static struct energies iterate_and_weigh(void)
{
    struct energies mine = { .kinetic = iterate() };

    rgn_barrier();
    mine.inside = motion_inside_energy();
    mine.between = between_energy();
    return (struct energies) {
        .kinetic = rgn_reduce_dadd(mine.kinetic),
        .inside = rgn_reduce_dadd(mine.inside),
        .between = rgn_reduce_dadd(mine.between),
    };
}

/* The same, measured. */
static struct energies iterate_measured(void)
{
    struct crl_statistics statistics;
    struct udm_measured measured;
    struct energies energies;

    udm_measure_begin();
    crl_statistics_reset();
    energies = iterate_and_weigh();
    crl_statistics(&statistics);
    measured = udm_measure_end();
    udm_measure_print("water", &measured);
    crl_report("water", &statistics, measured.cycles);
    return energies;
}

static struct energies simulate(uint32_t iterations, uint32_t seed)
{
    initial(seed);
    find_forces();
    motion_start();
    for (uint32_t i = 1; i < iterations; i++) {
        iterate();
    }
    return iterate_measured();
}

int main(int argc, char **argv)
{
    uint32_t count = 512, iterations = 3, edge;
    struct argument numbers[] = {
        { "MOLECULES", "molecules; a cube", 8, MOLECULES_MAX, &count },
        { "ITERATIONS", "time steps; the last one is measured", 1, 1000000,
          &iterations },
        { NULL },
    };
    struct arguments arguments = {
        .app = "water", .numbers = numbers, .seed = 1,
        .contents = "energies, and places and velocities of atoms",
    };
    struct energies energies;
    bool failed = false;

    arguments_read(&arguments, argc, argv);
    edge = lrint(cbrt(count));
    if (edge * edge * edge != count) {
        arguments_wrong(&arguments, "MOLECULES is a cube, as %lu is, not %lu",
                        (unsigned long)(edge * edge * edge),
                        (unsigned long)count);
    }
    crl_init();
    crl_wait(arguments.yield ? CRL_WAIT_BLOCK : CRL_WAIT_SPIN);
    molecules_init(count);
    between_init();
    energies = simulate(iterations, arguments.seed);
    if (crl_self_addr == 0) {
        printf("water: %lu molecules, %lu iterations, %u nodes\n",
               (unsigned long)count, (unsigned long)iterations,
               crl_num_nodes);
        printf("water: energies: kinetic %.10g, inside of molecules %.10g, "
               "between them %.10g, sum %.10g\n", energies.kinetic,
               energies.inside, energies.between,
               energies.kinetic + energies.inside + energies.between);
        failed = arguments.result &&
                 !result_write(arguments.result, &energies);
    }
    return rgn_reduce_dmax(failed) != 0;    /* all nodes end together */
}
