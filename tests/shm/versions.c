/*
 * shm-versions PAGES: what the versions of pages take of their home's memory. Node 0 is
 * the home of PAGES pages, and node 1 writes them. Prints by how many pages of 4 KiB
 * node 0's process has grown meanwhile, without the pages themselves.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze.h"
#include "glaze-calls.h"
#include "shm.h"

#define PAGE_INTS       1024

static int (*page)[PAGE_INTS], pages;
static struct shm_barrier barrier;

static uint32_t in_memory(void)
{
    struct glaze_count found;

    glaze_count(&found);
    return found.process_pages;
}

static void write_all(int node, int value)
{
    if (shm_node() == node) {
        for (int k = 0; k < pages; k++) {
            page[k][node] = value;
        }
    }
    shm_barrier(&barrier, shm_nodes());
}

static void work(void)
{
    uint32_t before;

    shm_barrier(&barrier, shm_nodes());
    before = in_memory();
    write_all(0, 5);
    write_all(1, 7);
    if (shm_node() == 0) {
        uint32_t after = in_memory();

        for (int k = 0; k < pages; k++) {
            if (page[k][0] != 5 || page[k][1] != 7) {
                printf("page %d is wrong\n", k);
            }
        }
        printf("%d pages\n", (int)(after - before) - pages);
    }
}

int main(int argc, char **argv)
{
    pages = argc > 1 ? atoi(argv[1]) : 0;
    page = shm_malloc(pages * sizeof(*page));
    for (int k = 1; k < shm_nodes(); k++) {
        shm_create(work);
    }
    work();
    shm_wait_for_end(shm_nodes() - 1);
    return 0;
}
