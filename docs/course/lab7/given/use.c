/*
 * use CASE [NUMBER]: what programs do with words. The checks run the course's own
 * copy of this file on the simulator with your network interface; change yours as
 * you like.
 *
 *      hello       all nodes send a word to node 0
 *      late N      node 1 sends N words, which node 0 takes much later
 *      jobs N      nodes 1 and 0 send each other N words, in turn
 *      next        node 0 takes a word away though none has come
 *      nowhere     node 0 sends a word to node N of N nodes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "word.h"

static uint32_t take(void)
{
    uint32_t word;

    while (!word_there()) {
    }
    word = word_here();
    word_next();
    return word;
}

static void hello(void)
{
    if (udm_node() != 0) {
        word_send(0, 100 * udm_node());
        return;
    }
    for (uint32_t k = 1; k < udm_nodes(); k++) {
        uint32_t from;

        while (!word_there()) {
        }
        from = word_from();
        printf("%lu from node %lu\n", (unsigned long)take(), (unsigned long)from);
    }
}

static void late(uint32_t count)
{
    uint32_t right = 0;

    if (udm_node() == 1) {
        for (uint32_t k = 0; k < count; k++) {
            word_send(0, k);
        }
    }
    if (udm_node() == 0) {
        while (udm_cycles() < 200000) {
        }
        for (uint32_t k = 0; k < count; k++) {
            right += take() == k;
        }
        printf("%lu of %lu\n", (unsigned long)right, (unsigned long)count);
    }
}

static void jobs(uint32_t count)
{
    uint32_t job = 1000 * glaze_info(GLAZE_I_JOB), foreign = 0;

    for (uint32_t k = 0; udm_node() < 2 && k < count; k++) {
        if (udm_node() == 1) {
            word_send(0, job + k);
        }
        foreign += take() != job + k;
        if (udm_node() == 0) {
            word_send(1, job + k);
        }
    }
    if (udm_node() < 2) {
        printf("node %lu: %lu foreign\n", (unsigned long)udm_node(),
               (unsigned long)foreign);
    }
}

int main(int words, char **word)
{
    const char *what = words > 1 ? word[1] : "";
    uint32_t number = words > 2 ? atoi(word[2]) : 0;

    if (!strcmp(what, "hello")) {
        hello();
    } else if (!strcmp(what, "late")) {
        late(number);
    } else if (!strcmp(what, "jobs")) {
        jobs(number);
    } else if (!strcmp(what, "nowhere")) {
        if (udm_node() == 0) {
            word_send(udm_nodes(), 1);
        }
    } else if (!strcmp(what, "next")) {
        if (udm_node() == 0) {
            word_next();
        }
    } else {
        return 1;
    }
    return 0;
}
