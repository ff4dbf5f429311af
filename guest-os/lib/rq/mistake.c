/*
 * Mistakes end the job, with status 118 and a line that names call and queue.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "library.h"
#include "rq-state.h"

void rq_mistake(const char *call, uint32_t queue, const char *what)
{
    char text[160], name[24] = "";

    if (queue) {
        snprintf(name, sizeof(name), "queue %lu: ", (unsigned long)queue);
    }
    snprintf(text, sizeof(text), "%s: %s%s", call, name, what);
    library_abort(text);
}
