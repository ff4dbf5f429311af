/*
 * mbcf-keys: each node prints its task's key.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "mbcf.h"

int main(void)
{
    mbcf_open();
    printf("key of node %u: %016llx\n", udm_node(),
           (unsigned long long)mbcf_page()->key);
    return 0;
}
