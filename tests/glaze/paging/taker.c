/*
 * A program that takes all memory that it can get, to see what that costs others.
 *
 *   taker HOW FROM UNTIL
 *
 * HOW: pages   touches pages until no frame is left, at the cycle FROM
 *      all     the same, down to the last frame
 *      views   makes a view of each page as well
 *      tables  maps nearly all addresses, and touches no page
 *      spread  maps a page in each of 2,700 units of 256 KiB, and touches none: each
 *              needs a table
 *      nothing waits for ever: the run ends as a deadlock
 *      flood   as views. From the cycle FROM + WHEN on, the other nodes send
 *              messages to node 0 that it does not take
 * The process of node 0 computes in an atomic section until the cycle UNTIL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000
#define LOWEST  0x11000000
#define MOST    0x2000          /* pages */
#define WHEN    20000000
#define LEAVES  18              /* frames that it does not take */
#define SPREAD  2700            /* tables */

static void take(void)
{
    udm_dispose();
}

static void wait_until(uint64_t cycle)
{
    while (udm_cycles() < cycle) {
    }
}

static unsigned take_all(bool views, unsigned leaves)
{
    struct glaze_count count;
    unsigned k;

    for (k = 0; k < MOST; k++) {
        uint32_t page = HEAP + k * GLAZE_PAGE;
        struct glaze_view one = {
            (GLAZE_VIEWS + k * GLAZE_PAGE) | GLAZE_VIEW_WRITE, page };

        glaze_count(&count);
        if (count.frames_free <= leaves) {
            break;
        }
        *(volatile char *)page = 1;
        if (views && glaze_view(&one, 1)) {
            break;
        }
    }
    return k;
}

int main(int argc, char **argv)
{
    bool flood = argc == 4 && !strcmp(argv[1], "flood");
    uint64_t from, until;
    int32_t error;

    if (argc != 4) {
        return 2;
    }
    from = strtoull(argv[2], NULL, 0);
    until = strtoull(argv[3], NULL, 0);
    if (udm_node()) {
        wait_until(from + WHEN);
        while (flood && udm_cycles() < until) {
            udm_inject(0, take);
        }
        return 0;
    }
    while (!strcmp(argv[1], "nothing")) {
        glaze_wait();
    }
    if (!strcmp(argv[1], "tables")) {
        error = glaze_map(LOWEST, GLAZE_MAIN_STACK - LOWEST);
        wait_until(until);
        return error != 0;
    }
    if (!strcmp(argv[1], "spread")) {
        for (uint32_t k = 0; k < SPREAD; k++) {
            glaze_map(LOWEST + (k << 18), GLAZE_PAGE);
        }
        wait_until(until);
        return 0;
    }
    glaze_map(HEAP, MOST * GLAZE_PAGE);
    wait_until(from);
    printf("taker: %u pages\n", take_all(
        !strcmp(argv[1], "views") || flood, !strcmp(argv[1], "all") ? 0
                                                                    : LEAVES));
    udm_beginatom();
    wait_until(until);
    udm_endatom();
    return 0;
}
