/*
 * A multicast under way, for tests of fugu mbcf. Node 0 updates a page of node
 * 1, which names two copies on node 2. The first is of memory that node 2 does
 * not have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mbcf.h"
#include "udm-collective.h"

enum { NOWHERE = 0x30000000, BYTES = 8 };

static uint8_t memory[3 * GLAZE_PAGE];          /* a whole page in it */
static uint32_t local[BYTES / 4];

int main(void)
{
    uint32_t page = ((uintptr_t)memory + GLAZE_PAGE) & -GLAZE_PAGE;
    const struct mbcf_copy copy[] = { { 2, NOWHERE }, { 2, page } };
    volatile uint32_t status = MBCF_PENDING;

    *(volatile uint32_t *)page = 0;             /* makes the page */
    mbcf_open();
    if (udm_node() == 1) {
        mbcf_pattern(page, copy, 2);
    }
    udm_barrier();
    if (udm_node() == 0) {
        mbcf_send(MBCF_UPDATE, 1, page, local, BYTES, MBCF_STATUS, &status);
        mbcf_await(&status);
    }
    udm_barrier();
    return 0;
}
