/*
 * How a process that ends tells others, by messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "collective.h"

/* Handler. Argument: the number of calls that the sender has made. */
static void leave(void)
{
    uint32_t source = udm_source(), after = udm_arg(0);

    udm_dispose();
    collective_left(source, after);
}

void collective_tell(uint32_t node, enum side side, unsigned k, uint32_t made)
{
    (void)side;
    (void)k;
    udm_inject(node, leave, made);
}
