/*
 * Pages that move. This is the file that you change.
 *
 * At first each page stays where it is, and a node that touches another one ends
 * the job.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "pages.h"
#include "stub.h"
#include "udm.h"

/* The memory of the pages on this node. Here the node may always read and write. */
static uint32_t memory[PAGES][PAGE_WORDS] __attribute__((aligned(GLAZE_PAGE)));

static struct page {
    volatile bool here;         /* this node is the owner, and has the page */
    /* Step 1: who is the owner, as far as the home knows. */
    /* Step 3: who gets the page next. */
    /* Step 4: until when the page stays. */
} pages[PAGES];

/*
 * Shows the page at page_at(page), with rights to read and write, or takes that view
 * away: then an access there calls page_fault(). May be called everywhere.
 */
static void show(uint32_t page, bool on)
{
    struct glaze_view view = {
        (uintptr_t)page_at(page) | (on ? GLAZE_VIEW_WRITE : GLAZE_VIEW_NONE),
        (uintptr_t)memory[page],
    };

    if (glaze_view(&view, 1)) {
        abort();
    }
    pages[page].here = on;
}

static uint32_t home(uint32_t page)
{
    return page % udm_nodes();
}

/*
 * In an atomic section: messages wait. udm_poll() calls the handler of the next one,
 * if there is one.
 */
void page_fault(uint32_t address)
{
    uint32_t page = (address - GLAZE_VIEWS) / GLAZE_PAGE;

    printf("node %lu: page %lu is not here\n", (unsigned long)udm_node(),
           (unsigned long)page);
    exit(1);
}

void alarm_rings(void)
{
    /* Step 4 */
}

void pages_init(void)
{
    stub_init();
    for (uint32_t page = 0; page < PAGES; page++) {
        memory[page][0] = 0;    /* takes a frame now, not in a handler */
        if (home(page) == udm_node()) {
            show(page, true);
        }
    }
}
