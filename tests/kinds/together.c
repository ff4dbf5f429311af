/*
 * Collective operations beside a program's own updates, with SHRIMP's interface.
 *
 *      together TURNS MODE     each node sends pages to the next one, by single,
 *                              blocked or deliberate update, and all make a barrier:
 *                              then all that was sent before it is there
 *      together missing        all but node 0 wait for an update that none sends
 *      together taken WHERE    a program that has all mappings for itself: with "call"
 *                              it makes a call, with "exit" it only ends
 *      together others         one thread waits for a barrier, and another one works
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "others.h"
#include "shrimp.h"
#include "udm-collective.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (2 * PAGE / 4)

static volatile uint32_t out[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[WORDS] __attribute__((aligned(PAGE)));

static uint32_t value(uint32_t node, uint32_t turn, uint32_t i)
{
    return node << 24 | turn << 16 | i;
}

static void send(uint32_t turns, uint32_t mode)
{
    uint32_t node = udm_node(), nodes = udm_nodes();
    uint32_t before = (node + nodes - 1) % nodes, wrong = 0;
    int32_t map;

    shrimp_export(1, in, sizeof(in));
    map = shrimp_map(out, sizeof(out), (node + 1) % nodes, 1, 0, mode);
    check("the pages are mapped", map >= 0, true);
    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            out[i] = value(node, turn, i);
        }
        if (mode == SHRIMP_DELIBERATE) {
            shrimp_send(out, sizeof(out));
        }
        udm_barrier();
        for (uint32_t i = WORDS; i-- > 0; ) {       /* the last one first */
            wrong += in[i] != value(before, turn, i);
        }
        udm_barrier();
    }
    check("all is there after a barrier", wrong, 0);
    check("the mapping ends", shrimp_unmap(map), 0);
    check("a reduction", udm_reduce_all_int(UDM_SUM, 1), nodes);
}

/* ---- taken ---------------------------------------------------------------- */

static void taken(const char *where)
{
    static volatile uint32_t more[SHRIMP_MAPS][2 * PAGE / 8]
        __attribute__((aligned(PAGE)));
    int32_t last = 0;

    shrimp_export(1, in, PAGE);
    for (uint32_t k = 0; k < SHRIMP_MAPS && last >= 0; k++) {
        last = shrimp_map(more[k], 8, udm_node(), 1, 0, SHRIMP_SINGLE);
    }
    if (!strcmp(where, "call")) {
        udm_barrier();
    }
}

/* ---- others --------------------------------------------------------------- */

static void await_go(void)
{
    shrimp_wait(&in[0], 1);
    out[0] = 1;
}

static void go(void)
{
    out[0] = 1;
}

static void others(void)
{
    udm_collective_wait(UDM_WAIT_BLOCK);
    shrimp_export(1, in, PAGE);
    shrimp_map(out, PAGE, (udm_node() + 1) % udm_nodes(), 1, 0, SHRIMP_SINGLE);
    check_others(await_go, go);
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {
        [SHRIMP_SINGLE] = "single", [SHRIMP_BLOCKED] = "blocked",
        [SHRIMP_DELIBERATE] = "deliberate",
    };

    if (argc > 2 && !strcmp(argv[1], "taken")) {
        taken(argv[2]);
    }
    for (uint32_t mode = SHRIMP_SINGLE; argc > 2 && mode <= SHRIMP_DELIBERATE; mode++) {
        if (!strcmp(argv[2], modes[mode])) {
            send(atoi(argv[1]), mode);
        }
    }
    if (argc == 2 && !strcmp(argv[1], "missing")) {
        shrimp_export(1, in, PAGE);
        if (udm_node()) {
            shrimp_wait(&in[7], 1);
        }
        udm_reduce_int(0, UDM_SUM, 1);
    } else if (argc == 2) {
        others();
    }
    return check_end();
}
