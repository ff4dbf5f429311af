/*
 * Pages that move: homes know the owners, and owners pass pages on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdlib.h>

#include "pages.h"
#include "stub.h"
#include "udm.h"

#define NOBODY  0xffffffff
#define STAYS   20000           /* cycles that a page stays after page_fault() */

/* The memory of the pages on this node. Here the node may always read and write. */
static uint32_t memory[PAGES][PAGE_WORDS] __attribute__((aligned(GLAZE_PAGE)));

static struct page {
    volatile bool here;         /* this node is the owner, and has the page */
    uint32_t owner;             /* on the home: who has it, or is about to get it */
    uint32_t next;              /* who gets it from this node, or NOBODY */
    uint64_t stays;             /* until this cycle */
} pages[PAGES];

/* Shows the page at page_at(page), or takes that view away. */
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

/* ARRIVE page, with a body: the page has come. */
static void arrive(void)
{
    uint32_t page = udm_arg(0);

    udm_storeback(memory[page], 0, GLAZE_PAGE);
    udm_dispose();
    pages[page].stays = UINT64_MAX;     /* until page_fault() says how long */
    show(page, true);
}

/*
 * Sends on the pages that others wait for and that need not stay any more. Returns
 * the cycle at which the next one may go; UINT64_MAX: none waits for a time. For
 * handlers and atomic sections.
 */
static uint64_t pass_on(void)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t number = 0; number < PAGES; number++) {
        struct page *page = &pages[number];

        if (!page->here || page->next == NOBODY) {
            continue;
        }
        if (page->stays <= udm_cycles()) {
            show(number, false);
            udm_inject_body(page->next, arrive, memory[number], GLAZE_PAGE, number);
            page->next = NOBODY;
        } else if (page->stays < first) {
            first = page->stays;
        }
    }
    return first;
}

/* The same, and sets the alarm for the others: a system call. */
static void pass_on_later(void)
{
    uint64_t first = pass_on();

    if (first != UINT64_MAX) {
        glaze_alarm(first);
    }
}

/* GIVE page, node: from the home. */
static void give(void)
{
    pages[udm_arg(0)].next = udm_arg(1);
    udm_dispose();
    pass_on_later();
}

/* WANT page: from a node that has touched it. Runs on the home. */
static void want(void)
{
    uint32_t page = udm_arg(0), node = udm_source(), owner = pages[page].owner;

    udm_dispose();
    pages[page].owner = node;
    udm_inject(owner, give, page, node);
}

void page_fault(uint32_t address)
{
    uint32_t page = (address - GLAZE_VIEWS) / GLAZE_PAGE;

    if (pages[page].here) {
        return;
    }
    udm_inject(home(page), want, page);
    while (!pages[page].here) {
        udm_poll();
        pass_on();              /* no alarm rings here */
    }
    pages[page].stays = udm_cycles() + STAYS;
    pass_on_later();
}

void alarm_rings(void)
{
    pass_on_later();
}

void pages_init(void)
{
    stub_init();
    for (uint32_t page = 0; page < PAGES; page++) {
        pages[page].owner = home(page);
        pages[page].next = NOBODY;
        memory[page][0] = 0;    /* takes a frame now, not in a handler */
        if (home(page) == udm_node()) {
            show(page, true);
        }
    }
}
