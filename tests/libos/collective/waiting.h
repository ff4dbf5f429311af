/*
 * How a program waits in operations of all nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COLLECTIVE_WAITING_H
#define COLLECTIVE_WAITING_H

#include <string.h>

#include "udm-collective.h"

/* "spin", "block", or "mixed": nodes with odd numbers block. */
static inline void wait_as(const char *how)
{
    if (!strcmp(how, "block") || (!strcmp(how, "mixed") && udm_node() % 2)) {
        udm_collective_wait(UDM_WAIT_BLOCK);
    }
}

#endif
