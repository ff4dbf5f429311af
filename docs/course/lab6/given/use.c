/*
 * use CASE [NUMBER]: what programs do with pages that move. The checks take the
 * course's own copy of this file; change yours as you like.
 *
 *      fill        node 0 fills a page of node 1, and nodes from 2 on read it
 *      turns N     all nodes in turn add 1 to a word, N times
 *      every       all nodes in turn add 1 to a word of each page
 *      own N       each node touches the pages whose home it is, N times
 *      visits N    node 2 touches a page of node 1 that is on node 0, N times
 *      cross       nodes 0 and 1 want each other's pages at the same time
 *      many        node 0 takes pages of nodes from 2 on, which want them back
 *      words N     each node counts to N in a word of its own; all are in one page
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "udm-collective.h"
#include "udm.h"

/* This node's turn: all nodes call it, in the same order. */
static bool turn_of(uint32_t node)
{
    udm_barrier();
    return udm_node() == node;
}

/* Prints numbers in a line of their own, whatever handlers print meanwhile. */
static void print(const uint32_t *number, uint32_t count)
{
    char line[12 * PAGES] = "", *end = line;

    for (uint32_t k = 0; k < count && k < PAGES; k++) {
        end += sprintf(end, "%lu ", (unsigned long)number[k]);
    }
    puts(line);
}

static void fill(void)
{
    if (turn_of(0)) {
        for (uint32_t k = 0; k < PAGE_WORDS; k++) {
            page_at(1)[k] = k * k;
        }
    }
    for (uint32_t node = 2; node < udm_nodes(); node++) {
        uint32_t sum = 0;

        if (turn_of(node)) {
            for (uint32_t k = 0; k < PAGE_WORDS; k++) {
                sum += page_at(1)[k];
            }
            printf("node %lu: %lu\n", (unsigned long)node, (unsigned long)sum);
        }
    }
}

static void turns(uint32_t times)
{
    for (uint32_t k = 0; k < times; k++) {
        for (uint32_t node = 0; node < udm_nodes(); node++) {
            if (turn_of(node)) {
                ++*page_at(2);
            }
        }
    }
    if (turn_of(1)) {
        page_at(2)[1] = 0;
        printf("%lu\n", (unsigned long)*page_at(2));
    }
}

static void every(void)
{
    for (uint32_t page = 0; page < PAGES; page++) {
        for (uint32_t node = 0; node < udm_nodes(); node++) {
            if (turn_of(node)) {
                ++*page_at(page);
            }
        }
        if (turn_of(1)) {
            printf("page %lu: %lu\n", (unsigned long)page,
                   (unsigned long)*page_at(page));
        }
    }
}

static void own(uint32_t times)
{
    for (uint32_t k = 0; k < times; k++) {
        for (uint32_t page = udm_node(); page < PAGES; page += udm_nodes()) {
            ++*page_at(page);
        }
    }
}

static void visits(uint32_t times)
{
    if (turn_of(0)) {
        page_at(1)[0] = 5;
    }
    udm_barrier();
    for (uint32_t k = 0; udm_node() == 2 && k < times; k++) {
        ++page_at(1)[0];
    }
}

static void cross(void)
{
    uint32_t node = udm_node();

    udm_barrier();
    if (node < 2) {
        page_at(1 - node)[0] = 10 + node;
        page_at(node)[1] = 20 + node;
    }
    if (turn_of(2)) {
        printf("%lu %lu %lu %lu\n", (unsigned long)page_at(0)[0],
               (unsigned long)page_at(1)[0], (unsigned long)page_at(0)[1],
               (unsigned long)page_at(1)[1]);
    }
}

static void pause(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles;

    while (udm_cycles() < end) {
    }
}

static void many(void)
{
    uint32_t node = udm_node(), sums[PAGES];

    if (node >= 2) {
        page_at(node - 1)[1] = 0;
    }
    pause(50000);
    udm_barrier();
    for (uint32_t page = 1; node == 0 && page < udm_nodes() - 1; page++) {
        page_at(page)[0] = page;
    }
    if (node >= 2) {
        pause(25000);
        page_at(node - 1)[1] = 10;
    }
    if (turn_of(0)) {
        for (uint32_t page = 1; page < udm_nodes() - 1; page++) {
            page_at(page)[2] = 0;
            sums[page] = page_at(page)[0] + page_at(page)[1];
        }
        print(sums + 1, udm_nodes() - 2);
    }
}

static void words(uint32_t times)
{
    udm_barrier();
    for (uint32_t k = 0; k < times; k++) {
        ++page_at(3)[udm_node()];
        pause(5000);
    }
    if (turn_of(0)) {
        page_at(3)[PAGE_WORDS - 1] = 0;
        print((const uint32_t *)page_at(3), udm_nodes());
    }
}

int main(int count, char **argument)
{
    const char *what = count > 1 ? argument[1] : "";
    uint32_t number = count > 2 ? atoi(argument[2]) : 0;

    pages_init();
    udm_barrier();
    if (!strcmp(what, "fill")) {
        fill();
    } else if (!strcmp(what, "turns")) {
        turns(number);
    } else if (!strcmp(what, "every")) {
        every();
    } else if (!strcmp(what, "own")) {
        own(number);
    } else if (!strcmp(what, "visits")) {
        visits(number);
    } else if (!strcmp(what, "cross")) {
        cross();
    } else if (!strcmp(what, "many")) {
        many();
    } else if (!strcmp(what, "words")) {
        words(number);
    } else {
        return 1;
    }
    udm_barrier();
    return 0;
}
