/*
 * use CASE [NUMBER [CYCLE]]: what programs do with words. The checks run the course's own
 * copy of this file on the simulator with your network interface; change yours as
 * you like.
 *
 *      hello       all nodes send a word to node 0, node 0 too
 *      late N C    node 1 sends N words, which node 0 takes from cycle C on, or 200,000
 *      jobs N      nodes 1 and 0 send each other N words, in turn
 *      looks C     node 0 looks until cycle C what the registers show
 *      next C      node 0 takes a word away at cycle C, though none has come for it
 *      half        node 0 stores 4 bytes at SEND
 *      nowhere N   node 0 sends a word to node N, or to the one after the last
 *      shows       node 0 prints what the registers show when two words have come
 *      stores K    a word has come for node 0, which makes the K-th of some stores that
 *                  no register takes: 4 bytes at THERE, WORD, FROM, 8 at FROM
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
    word_send(0, 100 + udm_node());
    for (uint32_t k = 0; udm_node() == 0 && k < udm_nodes(); k++) {
        uint32_t from;

        while (!word_there()) {
        }
        from = word_from();
        printf("%lu from node %lu\n", (unsigned long)take(), (unsigned long)from);
    }
}

static void until(uint64_t cycle)
{
    while (udm_cycles() < cycle) {
    }
}

static void late(uint32_t count, uint32_t cycle)
{
    uint32_t right = 0;

    if (udm_node() == 1) {
        for (uint32_t k = 0; k < count; k++) {
            word_send(0, 77 + k);
        }
    }
    if (udm_node() == 0) {
        until(cycle ? cycle : 200000);
        for (uint32_t k = 0; k < count; k++) {
            right += take() == 77 + k;
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

static void looks(uint64_t cycle)
{
    uint32_t there = 0, word = 0, from = 0;

    while (udm_cycles() < cycle) {
        there |= word_there();
        word |= word_here();
        from |= word_from();
    }
    printf("THERE %lu, WORD %lu, FROM %lu\n", (unsigned long)there,
           (unsigned long)word, (unsigned long)from);
}

/* Node 1 has sent 77 and 78. */
static void shows(void)
{
    if (udm_node() == 1) {
        word_send(0, 77);
        word_send(0, 78);
    }
    if (udm_node() == 0) {
        until(200000);
        printf("THERE %lu, WORD %lu, FROM %lu; elsewhere %lu %lu %lu\n",
               (unsigned long)word_there(), (unsigned long)word_here(),
               (unsigned long)word_from(), (unsigned long)WORD_REGISTER(0),
               (unsigned long)WORD_REGISTER(4), (unsigned long)WORD_REGISTER(0x14));
    }
}

static void stores(uint32_t number)
{
    static const uint32_t offset[] = { 0x08, 0x0c, 0x10, 0x10 };

    if (udm_node() == 1) {
        word_send(0, 77);
    }
    if (udm_node() != 0 || number >= sizeof(offset) / sizeof(*offset)) {
        return;
    }
    while (!word_there()) {
    }
    if (number < 3) {
        WORD_REGISTER(offset[number]) = 0;
    } else {                            /* 8 bytes */
        asm volatile ("std %%g0, [%0]"
                      : : "r" (FUGU_NI_USER_BASE + offset[number]) : "memory");
    }
    printf("a store at 0x%02lx\n", (unsigned long)offset[number]);
}

int main(int words, char **word)
{
    const char *what = words > 1 ? word[1] : "";
    uint32_t number = words > 2 ? strtoul(word[2], NULL, 10) : 0;
    uint32_t cycle = words > 3 ? atoi(word[3]) : 0;

    if (!strcmp(what, "hello")) {
        hello();
    } else if (!strcmp(what, "late")) {
        late(number, cycle);
    } else if (!strcmp(what, "jobs")) {
        jobs(number);
    } else if (!strcmp(what, "nowhere")) {
        if (udm_node() == 0) {
            word_send(words > 2 ? number : udm_nodes(), 1);
        }
    } else if (!strcmp(what, "next")) {
        if (udm_node() == 0) {
            until(number);
            word_next();
        }
    } else if (!strcmp(what, "looks")) {
        if (udm_node() == 0) {
            looks(number);
        }
    } else if (!strcmp(what, "shows")) {
        shows();
    } else if (!strcmp(what, "stores")) {
        stores(number);
    } else if (!strcmp(what, "half")) {
        if (udm_node() == 0) {
            WORD_REGISTER(0) = 1;
        }
    } else {
        return 1;
    }
    return 0;
}
