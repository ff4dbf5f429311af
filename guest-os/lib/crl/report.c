/*
 * Statistics of all nodes, printed (crl-report.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "crl-report.h"
#include "udm-collective.h"

static const char *const names[CRL_CALLS] = {
    [CRL_CREATE] = "create",
    [CRL_DELETE] = "delete",
    [CRL_MAP] = "map",
    [CRL_UNMAP] = "unmap",
    [CRL_START_READ] = "start_read",
    [CRL_END_READ] = "end_read",
    [CRL_START_WRITE] = "start_write",
    [CRL_END_WRITE] = "end_write",
    [CRL_FLUSH] = "flush",
    [CRL_BARRIER] = "barrier",
    [CRL_BCAST] = "bcast",
    [CRL_REDUCE] = "reduce",
    [CRL_OTHER] = "other",
};

static uint64_t sum(uint64_t value)
{
    return udm_reduce_all_int(UDM_SUM, value);
}

void crl_report(const char *name, const struct crl_statistics *statistics,
                uint64_t cycles)
{
    for (unsigned k = 0; k < CRL_CALLS; k++) {
        uint64_t hits = sum(statistics->call[k].hits);
        uint64_t misses = sum(statistics->call[k].misses);
        double waited = sum(statistics->call[k].cycles);

        if (udm_node() == 0 && hits + misses > 0) {
            printf("crl %s: %s %llu hits, %llu misses, %.4f of all cycles\n",
                   name, names[k], hits, misses,
                   cycles ? waited / ((double)cycles * udm_nodes()) : 0.0);
        }
    }
}
