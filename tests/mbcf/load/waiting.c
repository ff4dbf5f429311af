/*
 * Long commands that wait for one page. test_mbcf_load.py runs it, and says what the
 * result must be.
 *
 * Node 1 touches more pages than it has frames for, and gives some back. Node 0 then writes to the oldest
 * of them, to each as many times as commands can wait, and to no multiple of 4. At
 * the end, node 0 says how many are done. The program does not end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"
#include "udm.h"

#define HEAP    0x20000000
#define PAGES   300
#define FREED   60
#define TIMES   8
#define BYTES   4092

static uint32_t data[BYTES / 4];

static void touch(void)
{
    glaze_map(HEAP, PAGES * GLAZE_PAGE);
    for (uint32_t k = 0; k < PAGES; k++) {
        *(volatile uint8_t *)(HEAP + k * GLAZE_PAGE) = 1;
    }
    glaze_unmap(HEAP + (PAGES - FREED) * GLAZE_PAGE, FREED * GLAZE_PAGE);
}

static void write_all(void)
{
    volatile uint32_t status[TIMES];
    uint32_t done = 0;

    for (uint32_t page = 0; page < 4; page++) {
        for (uint32_t k = 0; k < TIMES; k++) {
            status[k] = MBCF_PENDING;
            mbcf_write(1, HEAP + page * GLAZE_PAGE + 1, data, BYTES, MBCF_STATUS,
                       &status[k]);
        }
        for (uint32_t k = 0; k < TIMES; k++) {
            done += mbcf_await(&status[k]) == MBCF_DONE;
        }
    }
    printf("waiting: %lu done\n", (unsigned long)done);
    fflush(stdout);
}

int main(void)
{
    mbcf_open();
    if (udm_node() == 1) {
        touch();
    }
    udm_barrier();
    if (udm_node() == 0) {
        write_all();
    }
    for (;;) {
    }
}
