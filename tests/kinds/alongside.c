/*
 * Collective operations beside a program's own messages, with the M-Machine's interface.
 *
 *      alongside flood TURNS   all nodes add to words of all others, and make calls
 *                              meanwhile
 *      alongside missing       all but node 0 wait for a word that none sends
 *      alongside others        one thread waits for a barrier, and another one works
 *      alongside ranges        what the library leaves of ranges and of the window
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mm.h"
#include "others.h"
#include "udm-collective.h"

#define PAGE    GLAZE_PAGE

static volatile uint32_t memory[PAGE / 4] __attribute__((aligned(PAGE)));
static struct mm_shared all;

enum { SUM, OLD, GO };

/* ---- flood ---------------------------------------------------------------- */

/* Adds to a word of each node, this one among them, one after the other. */
static void add_to_all(uint32_t addend)
{
    for (uint32_t k = 0; k < udm_nodes(); k++) {
        uint32_t node = (udm_node() + k) % udm_nodes();

        memory[OLD] = ~0u;
        mm_send3(mm_at(&all, node, &memory[SUM]), MM_HANDLER_IP(mm_add), addend,
                 mm_at(&all, udm_node(), &memory[OLD]), MM_HANDLER_IP(mm_store));
        mm_wait(&memory[OLD], ~0u);
    }
}

static void flood(uint32_t turns)
{
    static uint32_t data[300], mine[300];
    uint32_t nodes = udm_nodes(), sum = 0, wrong = 0;

    for (uint32_t turn = 1; turn <= turns; turn++) {
        uint32_t root = turn % nodes;

        add_to_all(turn);
        sum += turn * nodes;
        udm_barrier();          /* all have been answered: so all have added */
        wrong += memory[SUM] != sum;
        wrong += udm_reduce_all_int(UDM_SUM, memory[SUM]) != (int64_t)sum * nodes;
        for (uint32_t i = 0; i < 300; i++) {
            mine[i] = turn << 16 | i;
            data[i] = udm_node() == root ? mine[i] : 0;
        }
        udm_broadcast(root, data, sizeof(data));
        wrong += memcmp(data, mine, sizeof(data)) != 0;
    }
    check("all is right", wrong, 0);
}

/* ---- others --------------------------------------------------------------- */

static void await_go(void)
{
    mm_wait(&memory[GO], 0);
}

static void go(void)
{
    for (uint32_t node = 1; node < udm_nodes(); node++) {
        mm_send1(mm_at(&all, node, &memory[GO]), MM_HANDLER_IP(mm_store), 1);
    }
}

static void others(void)
{
    udm_collective_wait(UDM_WAIT_BLOCK);
    check_others(await_go, go);
}

/* ---- ranges --------------------------------------------------------------- */

static void ranges(void)
{
    struct mm_shared more;
    uint32_t last = MM_WINDOW_SIZE - MM_COLLECTIVE_SIZE;

    check("the library's window", mm_share(&more, last, memory, PAGE), -EEXIST);
    check("before it", mm_share(&more, last - udm_nodes() * PAGE, memory, PAGE), 0);
    for (uint32_t k = 2; k < MM_SEGMENTS - 1; k++) {
        check("one more", mm_share(&more, k * 0x1000000, memory, PAGE), 0);
    }
    check("too many", mm_share(&more, 0x20000000, memory, PAGE), -ENOSPC);
    udm_barrier();
}

int main(int argc, char **argv)
{
    check("share", mm_share(&all, 0, memory, PAGE), 0);
    if (argc > 2) {
        flood(atoi(argv[2]));
    } else if (argc > 1 && strcmp(argv[1], "ranges") == 0) {
        ranges();
    } else if (argc > 1 && strcmp(argv[1], "missing") == 0) {
        if (udm_node()) {
            mm_wait(&memory[GO], 0);
        }
        udm_reduce_int(0, UDM_SUM, 1);
    } else {
        others();
    }
    return check_end();
}
