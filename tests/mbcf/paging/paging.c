/*
 * Commands to a task that pages all the time. test_mbcf_paging.py runs it, and says what the
 * result must be.
 *
 * Node 0 touches PAGES pages in turn, more than it has frames for, until the last node tells
 * it to stop. Meanwhile the last node writes to COMMANDS of these pages, one after the
 * other, each of which is out or will soon be. Nodes in between always have SEVERAL such
 * commands under way. Each prints the longest time from a command to its status. Node 0
 * prints how many pages it has touched.
 *
 *      mbcf-paging PAGES COMMANDS
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"
#include "udm.h"

#define HEAP            0x20000000
#define SEVERAL         6       /* less than can wait at a task */

static uint32_t pages, touched;
static volatile uint32_t stops;

static volatile uint32_t *word_of(uint32_t page, uint32_t k)
{
    return (volatile uint32_t *)(HEAP + page * GLAZE_PAGE) + k;
}

/* Word 0 of a page is for this node, word 1 for the other. */
static void touch_next(void)
{
    ++*word_of(touched++ % pages, 0);
}

static void touch(void)
{
    while (!stops) {
        touch_next();
    }
    for (uint32_t page = 0; page < pages; page++) {
        uint32_t expected = touched / pages + (page < touched % pages);

        if (*word_of(page, 0) != expected) {
            printf("page %lu was touched %lu times, not %lu\n", (unsigned long)page,
                   (unsigned long)*word_of(page, 0), (unsigned long)expected);
            exit(1);
        }
    }
    printf("paging: %lu pages touched\n", (unsigned long)touched);
}

/* ---- Commands -------------------------------------------------------------- */

struct command {
    volatile uint32_t status;
    uint64_t start;
};

static uint64_t longest;        /* cycles from a command to its status */

static void begin(struct command *c, uint32_t node, volatile uint32_t *to, uint32_t value)
{
    c->start = udm_cycles();
    c->status = MBCF_PENDING;
    mbcf_write(node, (uintptr_t)to, &value, sizeof(value), MBCF_STATUS, &c->status);
}

static void end(struct command *c)
{
    uint32_t status = mbcf_await(&c->status);

    if (status != MBCF_DONE) {
        printf("a command: %s\n", mbcf_status_name(status));
        exit(1);
    }
    if (udm_cycles() - c->start > longest) {
        longest = udm_cycles() - c->start;
    }
}

static void do_one(uint32_t node, volatile uint32_t *to, uint32_t value)
{
    struct command c;

    begin(&c, node, to, value);
    end(&c);
}

/* Word 2 of a page is for the commands that only have to be many. */
static void request_many(void)
{
    struct command command[SEVERAL];

    for (uint32_t k = 0; k < SEVERAL || !stops; k++) {
        struct command *c = &command[k % SEVERAL];

        if (k >= SEVERAL) {
            end(c);
        }
        begin(c, 0, word_of(k * 41 % pages, 2), k);
    }
    for (uint32_t k = 0; k < SEVERAL; k++) {
        end(&command[k]);
    }
}

static void request(uint32_t commands)
{
    for (uint32_t k = 0; k < commands; k++) {
        do_one(0, word_of(k * 37 % pages, 1), k + 1);
    }
    for (uint32_t node = 0; node < udm_node(); node++) {
        do_one(node, &stops, 1);
    }
}

int main(int argc, char **argv)
{
    pages = strtoul(argv[1], NULL, 10);
    mbcf_open();
    if (udm_node() == 0) {
        glaze_map(HEAP, pages * GLAZE_PAGE);
        while (touched < pages) {
            touch_next();
        }
    }
    udm_barrier();
    if (udm_node() == 0) {
        touch();
    } else if (udm_node() < udm_nodes() - 1) {
        request_many();
    } else {
        request(strtoul(argv[2], NULL, 10));
    }
    if (udm_node()) {
        printf("paging: node %lu: the longest command took %lu cycles\n",
               (unsigned long)udm_node(), (unsigned long)longest);
    }
    udm_barrier();
    return argc != 3;
}
