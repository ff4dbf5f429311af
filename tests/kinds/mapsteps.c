/*
 * Maps over the network whose steps take long, or meet other messages between kernels.
 *
 *      mapsteps pages END      each node maps as many pages as it may to the next one;
 *                              then the mappings end by "unmap", "unexport" or "exit"
 *      mapsteps missing        all nodes map to an export that is never made
 *      mapsteps fill PAUSE     until a cycle, all nodes map to node 0 and unmap, node 1
 *                              with a pause: so node 0's answers wait for space
 *      mapsteps ends TURNS     node 1 ends exports to which node 0 maps
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "shrimp.h"
#include "udm-collective.h"

#define PAGE    GLAZE_PAGE
#define MOST    SHRIMP_MAP_MOST

static uint32_t node, nodes;

/* ---- pages ---------------------------------------------------------------- */

static volatile uint8_t in[SHRIMP_EXPORT_MOST] __attribute__((aligned(PAGE)));
static volatile uint8_t out[2][MOST] __attribute__((aligned(PAGE)));

/* All pages are in memory, so nothing interrupts the work on them. */
static void touch(void)
{
    for (uint32_t at = 0; at < sizeof(in); at += PAGE) {
        in[at] = 1;
    }
    for (uint32_t at = 0; at < sizeof(out); at += PAGE) {
        ((volatile uint8_t *)out)[at] = 1;
    }
}

static void pages(const char *ending)
{
    int32_t map[2];

    touch();
    check("a large export", shrimp_export(1, in, sizeof(in)), 0);
    for (uint32_t k = 0; k < 2; k++) {
        map[k] = shrimp_map(out[k], MOST, (node + 1) % nodes, 1, k * MOST,
                            k ? SHRIMP_BLOCKED : SHRIMP_SINGLE);
        check("a large mapping", map[k] >= 0, true);
    }
    out[0][MOST - 1] = out[1][MOST - 1] = node + 1;
    udm_barrier();
    check("the last byte has come", in[2 * MOST - 1], (node + nodes - 1) % nodes + 1);
    for (uint32_t k = 0; k < 2 && !strcmp(ending, "unmap"); k++) {
        check("it ends", shrimp_unmap(map[k]), 0);
        check("and is no more", shrimp_unmap(map[k]) < 0, true);
    }
    if (!strcmp(ending, "unexport")) {
        check("the export ends", shrimp_unexport(1), 0);
    }
}

/* ---- missing -------------------------------------------------------------- */

static void missing(void)
{
    shrimp_map(out[0], PAGE, (node + 1) % nodes, 7, 0, SHRIMP_SINGLE);
}

/* ---- fill, ends ----------------------------------------------------------- */

enum { FILLED = 20000000, GRACE = 1000000, LONGEST = 200000, DATA = 1, FLAGS = 2 };

static volatile uint32_t flag_in[PAGE / 4] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_out[PAGE / 4] __attribute__((aligned(PAGE)));

static void pause_for(uint32_t rounds)
{
    for (volatile uint32_t i = 0; i < rounds; i++) {
    }
}

static void fill(uint32_t rounds)
{
    shrimp_export(DATA, in, PAGE);
    while (udm_cycles() < FILLED + (node ? 0 : GRACE)) {
        if (node) {
            int32_t map = shrimp_map(out[0], 8, 0, DATA, 0, SHRIMP_SINGLE);

            pause_for(node == 1 ? rounds : 0);
            shrimp_unmap(map);
            pause_for(node == 1 ? rounds : 0);
        }
    }
}

/* Ends an export in each turn, and returns the most cycles that this took. */
static uint32_t end_exports(uint32_t turns)
{
    uint32_t longest = 0;

    for (uint32_t turn = 1; turn <= turns; turn++) {
        uint64_t began;
        uint32_t took;

        shrimp_export(DATA, in, PAGE);
        flag_out[0] = turn;
        shrimp_wait(&flag_in[0], turn);
        pause_for(50 * turn);
        began = udm_cycles();
        shrimp_unexport(DATA);
        took = udm_cycles() - began;
        longest = took > longest ? took : longest;
        flag_out[1] = turn;
    }
    return longest;
}

static void map_to_exports(uint32_t turns)
{
    for (uint32_t turn = 1; turn <= turns; turn++) {
        int32_t map;

        shrimp_wait(&flag_in[0], turn);
        map = shrimp_map(out[0], 8, 1, DATA, 0, SHRIMP_SINGLE);
        flag_out[0] = turn;
        shrimp_wait(&flag_in[1], turn);
        shrimp_unmap(map);
    }
}

static void ends(uint32_t turns)
{
    if (node > 1) {
        return;
    }
    shrimp_export(FLAGS, flag_in, PAGE);
    shrimp_map(flag_out, PAGE, 1 - node, FLAGS, 0, SHRIMP_SINGLE);
    if (node) {
        check("an export ends soon", end_exports(turns) < LONGEST, true);
    } else {
        map_to_exports(turns);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *more = argc > 2 ? argv[2] : "";

    node = udm_node();
    nodes = udm_nodes();
    if (!strcmp(what, "pages")) {
        pages(more);
    } else if (!strcmp(what, "missing")) {
        missing();
    } else if (!strcmp(what, "fill")) {
        fill(atoi(more));
    } else {
        ends(atoi(more));
    }
    return check_end();
}
