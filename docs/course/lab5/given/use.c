/*
 * use CASE [NUMBER]: what programs do with regions. The checks take the course's
 * own copy of this file; change yours as you like.
 *
 *      count N     each node adds 1 to a word N times; node 0 prints the word
 *      both N      the same, and each node reads the word before it writes
 *      reads N     node 0 reads region 1 N times
 *      stale R     all other nodes have copies of region R when node 1 writes
 *      again       node 1 writes, node 2 reads, node 1 writes, node 3 reads
 *      former      node 1 writes, node 2 reads, node 3 writes, node 1 reads
 *      held N      node 2 writes while node 1 has a read operation open, and N other
 *                  nodes have copies
 *      writing     node 2 reads while node 1 has a write operation open
 *      copies N    N nodes have copies of region 1 when node 0 writes
 *      apart N     N nodes have copies of region 1 when node 0 writes region 7
 *      steps N     the first N of these: node 2 writes, twice; node 3 reads,
 *                  node 2 reads and writes; node 3 writes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "udm-collective.h"
#include "udm.h"

static uint32_t get(uint32_t region)
{
    uint32_t word;

    region_start_read(region);
    word = region_data(region)[0];
    for (uint32_t k = 1; k < REGION_WORDS; k++) {
        if (region_data(region)[k] != word) {
            word = 1000 * k;            /* not what put() has written */
        }
    }
    region_end_read(region);
    return word;
}

static void put(uint32_t region, uint32_t word)
{
    region_start_write(region);
    for (uint32_t k = 0; k < REGION_WORDS; k++) {
        region_data(region)[k] = word;
    }
    region_end_write(region);
}

/* This node's turn: all nodes call it, in the same order. */
static bool turn_of(uint32_t node)
{
    udm_barrier();
    return udm_node() == node;
}

static void pause(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles;

    while (udm_cycles() < end) {
    }
}

static void count(unsigned times, bool reads)
{
    for (unsigned k = 0; k < times; k++) {
        if (reads) {
            region_start_read(2);
            region_end_read(2);
        }
        region_start_write(2);
        ++*region_data(2);
        region_end_write(2);
        pause(k % 4 * 2000);
    }
    if (turn_of(0)) {
        region_start_write(2);
        printf("%lu\n", (unsigned long)*region_data(2));
        region_end_write(2);
    }
}

static void reads(unsigned times)
{
    for (unsigned k = 0; udm_node() == 0 && k < times; k++) {
        get(1);
    }
}

static void stale(uint32_t region)
{
    if (udm_node() != 1) {
        get(region);
    }
    if (turn_of(1)) {
        put(region, 7);
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        if (turn_of(node)) {
            printf("node %lu: %lu\n", (unsigned long)node,
                   (unsigned long)get(region));
        }
    }
    udm_barrier();
}

static void again(void)
{
    if (turn_of(1)) {
        put(0, 7);
    }
    if (turn_of(2)) {
        printf("node 2: %lu\n", (unsigned long)get(0));
    }
    if (turn_of(1)) {
        put(0, 8);
    }
    if (turn_of(3)) {
        printf("node 3: %lu\n", (unsigned long)get(0));
    }
    udm_barrier();
}

/* An owner that keeps a SHARED copy loses it as others do. */
static void former(void)
{
    if (turn_of(1)) {
        put(0, 7);
    }
    if (turn_of(2)) {
        get(0);
    }
    if (turn_of(3)) {
        put(0, 8);
    }
    if (turn_of(1)) {
        printf("node 1: %lu\n", (unsigned long)get(0));
    }
    udm_barrier();
}

/* Node 1 looks for 20,000 cycles whether its data change. */
static void held(uint32_t others)
{
    uint64_t begin;
    uint32_t word = 0;

    if (udm_node() >= 3 && udm_node() < 3 + others) {
        get(0);
    }
    if (udm_node() == 1) {
        region_start_read(0);
        word = region_data(0)[0];
    }
    udm_barrier();
    begin = udm_cycles();
    if (udm_node() == 2) {
        put(0, 5);
        printf("written %s\n", udm_cycles() - begin < 20000 ? "early" : "late");
    }
    if (udm_node() == 1) {
        while (udm_cycles() - begin < 20000) {
        }
        printf("%s\n", region_data(0)[0] == word ? "unchanged" : "changed");
        region_end_read(0);
    }
    udm_barrier();
}

/* Node 1 changes the word late in its operation. */
static void writing(void)
{
    uint64_t begin;

    if (udm_node() == 1) {
        region_start_write(0);
        region_data(0)[0] = 3;
    }
    udm_barrier();
    begin = udm_cycles();
    if (udm_node() == 2) {
        region_start_read(0);
        printf("node 2: %lu\n", (unsigned long)region_data(0)[0]);
        region_end_read(0);
    }
    if (udm_node() == 1) {
        while (udm_cycles() - begin < 20000) {
        }
        region_data(0)[0] = 4;
        region_end_write(0);
    }
    udm_barrier();
}

static void steps(unsigned number)
{
    for (unsigned k = 0; k < 6; k++) {
        if (turn_of(k == 2 || k == 5 ? 3 : 2) && k < number) {
            if (k == 2 || k == 3) {
                get(1);
            } else {
                put(1, k);
            }
        }
    }
    udm_barrier();
}

static void copies(unsigned nodes, uint32_t written)
{
    if (udm_node() >= 2 && udm_node() < 2 + nodes) {
        get(1);
    }
    if (turn_of(0)) {
        put(written, 1);
    }
    udm_barrier();
}

int main(int count_of_words, char **words)
{
    const char *what = count_of_words > 1 ? words[1] : "";
    unsigned number = count_of_words > 2 ? atoi(words[2]) : 0;

    udm_barrier();
    if (!strcmp(what, "count")) {
        count(number, false);
    } else if (!strcmp(what, "both")) {
        count(number, true);
    } else if (!strcmp(what, "reads")) {
        reads(number);
    } else if (!strcmp(what, "stale")) {
        stale(number);
    } else if (!strcmp(what, "again")) {
        again();
    } else if (!strcmp(what, "held")) {
        held(number);
    } else if (!strcmp(what, "former")) {
        former();
    } else if (!strcmp(what, "writing")) {
        writing();
    } else if (!strcmp(what, "steps")) {
        steps(number);
    } else if (!strcmp(what, "copies")) {
        copies(number, 1);
    } else if (!strcmp(what, "apart")) {
        copies(number, 7);
    } else {
        return 1;
    }
    udm_barrier();
    return 0;
}
