/*
 * LU decomposition of a matrix in blocks on CRL: main(). See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "arguments.h"
#include "crl-report.h"
#include "lu.h"
#include "udm-collective.h"
#include "udm-measure.h"

enum { SIZE_MOST = 4000, EDGE_MOST = 200 };

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
    uint32_t size = 250, edge = 10;
    struct argument numbers[] = {
        { "SIZE", "rows of the matrix", 1, SIZE_MOST, &size },
        { "BLOCK", "rows of a block, or SIZE if that is less", 1, EDGE_MOST,
          &edge },
        { NULL },
    };
    struct arguments arguments = {
        .app = "lu", .numbers = numbers, .contents = "L and U",
    };
    struct matrix matrix;
    bool failed = false;

    arguments_read(&arguments, argc, argv);
    crl_init();
    crl_wait(arguments.yield ? CRL_WAIT_BLOCK : CRL_WAIT_SPIN);
    matrix = (struct matrix) {
        .size = size, .edge = edge < size ? edge : size,
        .seed = arguments.seed,
    };
    matrix_make(&matrix);
    measure();
    if (crl_self_addr == 0) {
        printf("lu: %lu x %lu in blocks of %lu x %lu on %u nodes\n",
               (unsigned long)size, (unsigned long)size,
               (unsigned long)matrix.edge, (unsigned long)matrix.edge,
               crl_num_nodes);
        failed = !result_check(&matrix, arguments.result);
    }
    /* The others have to serve node 0 until it has read their blocks. */
    return udm_reduce_all_int(UDM_MAX, failed);
}
