/*
 * Mistakes end the job, with status 118 and a line that names the call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "collective.h"
#include "library.h"

static const char *const names[] = {
    [BARRIER] = "udm_barrier()",
    [BROADCAST] = "udm_broadcast()",
    [REDUCE_INT] = "udm_reduce_int()",
    [REDUCE_DOUBLE] = "udm_reduce_double()",
    [REDUCE_ALL_INT] = "udm_reduce_all_int()",
    [REDUCE_ALL_DOUBLE] = "udm_reduce_all_double()",
    [QUIESCE] = "udm_quiesce()",
};

void collective_mistake(enum function function, const char *what)
{
    char text[128];

    snprintf(text, sizeof(text), "%s: %s", names[function], what);
    library_abort(text);
}

void collective_mismatch(uint32_t ours, uint32_t theirs, uint32_t node)
{
    enum function function = IDENTITY_FUNCTION(ours);
    enum function other = IDENTITY_FUNCTION(theirs);
    char text[128];

    snprintf(text, sizeof(text), "node %lu calls %s%s", (unsigned long)node,
             names[other],
             other == function ? " with another operation or root" : "");
    collective_mistake(function, text);
}
