/*
 * Statistics. Regions count their own hits, since that is cheaper.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "region.h"

struct crl_statistics crl_counts;

static struct crl_statistics sum;

void crl_counts_keep(struct region *r)
{
    crl_counts.call[CRL_START_READ].hits += r->reads;
    crl_counts.call[CRL_START_WRITE].hits += r->writes;
}

static void add(struct region *r)
{
    sum.call[CRL_START_READ].hits += r->reads;
    sum.call[CRL_START_WRITE].hits += r->writes;
}

static void clear(struct region *r)
{
    r->reads = 0;
    r->writes = 0;
}

void crl_statistics(struct crl_statistics *statistics)
{
    CRL_ENTER(CRL_OTHER, 0);
    crl_end();
    udm_beginatom();
    sum = crl_counts;
    crl_each(add);
    udm_endatom();
    *statistics = sum;
}

void crl_statistics_reset(void)
{
    CRL_ENTER(CRL_OTHER, 0);
    crl_end();
    udm_beginatom();
    memset(&crl_counts, 0, sizeof(crl_counts));
    crl_each(clear);
    udm_endatom();
}
