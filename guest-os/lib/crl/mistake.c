/*
 * Mistakes end the job, with status 118 and a line that names call and region.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "library.h"
#include "region.h"

static const char *const names[CRL_CALLS] = {
    [CRL_CREATE] = "rgn_create()",
    [CRL_DELETE] = "rgn_delete()",
    [CRL_MAP] = "rgn_map()",
    [CRL_UNMAP] = "rgn_unmap()",
    [CRL_START_READ] = "rgn_start_read()",
    [CRL_END_READ] = "rgn_end_read()",
    [CRL_START_WRITE] = "rgn_start_write()",
    [CRL_END_WRITE] = "rgn_end_write()",
    [CRL_FLUSH] = "rgn_flush()",
    [CRL_BARRIER] = "rgn_barrier()",
    [CRL_BCAST] = "rgn_bcast_send() or rgn_bcast_recv()",
    [CRL_REDUCE] = "rgn_reduce_dadd() or the like",
    [CRL_OTHER] = "CRL",
};

void crl_mistake(rid_t rid, const char *what)
{
    char text[160], region[32] = "";
    uint32_t call = crl_now.call;

    if (rid) {
        snprintf(region, sizeof(region), "region 0x%lx: ", (unsigned long)rid);
    }
    snprintf(text, sizeof(text), "%s: %s%s", call ? names[call - 1] : "CRL",
             region, what);
    library_abort(text);
}

void crl_bad_message(void)
{
    library_abort("CRL: a message is none that the library sends");
}
