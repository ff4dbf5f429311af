/*
 * LU decomposition of a matrix in blocks on CRL: main(). See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "crl-report.h"
#include "crl.h"
#include "lu.h"
#include "udm-measure.h"

#define TOLERANCE 1e-9          /* of the result; what is found: 1e-15 */

/* The section that is measured: all communication of the decomposition. */
static void measure(void)
{
    struct crl_statistics statistics;
    struct udm_measured measured;

    crl_statistics_reset();
    udm_measure_begin();
    matrix_exchange();
    decompose();
    measured = udm_measure_end();
    crl_statistics(&statistics);
    udm_measure_print("lu", &measured);
    crl_report("lu", &statistics, measured.cycles);
}

int main(int argc, char **argv)
{
    struct options options = options_read(argc, argv);
    double worst = 0.0;

    crl_init();
    matrix_make(&options);
    measure();
    if (crl_self_addr == 0) {
        worst = result_check(&options);
        printf("lu: %u x %u in blocks of %u x %u on %u nodes, "
               "largest relative error %.1e\n", options.size, options.size,
               options.edge, options.edge, crl_num_nodes, worst);
    }
    rgn_barrier();              /* node 0 has read the others' blocks */
    return worst > TOLERANCE;
}
