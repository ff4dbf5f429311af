/*
 * A work queue by fetch-and-add, with the M-Machine's interface. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "mm-times.h"
#include "udm-collective.h"

enum {
    ITEMS_MOST = 16000,
    WORK = 512,                 /* cycles of an item, at most */
};

/* Node 0 has the number of the next item, and item k's node how often it was
 * done. */
static volatile struct {
    uint32_t next, old;
    uint32_t done[ITEMS_MOST];         /* of all nodes, if there is one alone */
    uint32_t pad[0x4000 - 2 - ITEMS_MOST];
} memory __attribute__((aligned(0x10000)));
static struct mm_shared shared;

_Static_assert(sizeof(memory) == 0x10000, "a range has a power of two");

/* Adds 1 to a word of a node. Returns what was there. */
static uint32_t fetch_and_add(uint32_t node, const volatile uint32_t *word)
{
    memory.old = UINT32_MAX;
    mm_send3(mm_at(&shared, node, word), MM_HANDLER_IP(mm_add), 1,
             mm_at(&shared, udm_node(), &memory.old), MM_HANDLER_IP(mm_store));
    return mm_wait(&memory.old, UINT32_MAX);
}

/* An item: so many cycles, which differ, and a number. */
static uint32_t work(uint32_t item)
{
    uint32_t start = udm_cycles32(), cycles = item * 2654435761u % WORK;

    while (udm_cycles32() - start < cycles) {
    }
    return item * item;
}

/* Returns the number of items that were not done exactly once on this node. */
static uint32_t not_once(uint32_t items)
{
    uint32_t wrong = 0;

    for (uint32_t item = udm_node(); item < items; item += udm_nodes()) {
        wrong += memory.done[item / udm_nodes()] != 1;
    }
    return wrong;
}

static uint32_t expected(uint32_t items)
{
    uint32_t sum = 0;

    for (uint32_t item = 0; item < items; item++) {
        sum += item * item;
    }
    return sum;
}

static uint32_t read_items(int argc, char **argv)
{
    uint32_t items = argc > 1 ? times_number(argv[1]) : 1000;

    if (argc > 2 || items < 1 || items > ITEMS_MOST) {
        if (udm_node() == 0) {
            fprintf(stderr, "mmqueue: its argument is ITEMS, 1 to %d\n",
                    ITEMS_MOST);
        }
        exit(2);
    }
    return items;
}

int main(int argc, char **argv)
{
    uint32_t items = read_items(argc, argv), mine = 0, sum = 0, item;
    int64_t all, least, most, wrong, total;

    times_share("mmqueue", &shared, &memory, sizeof(memory));
    udm_barrier();
    while ((item = fetch_and_add(0, &memory.next)) < items) {
        sum += work(item);
        fetch_and_add(item % udm_nodes(), &memory.done[item / udm_nodes()]);
        mine++;
    }
    udm_barrier();              /* all items have been answered: all are done */
    wrong = udm_reduce_all_int(UDM_SUM, not_once(items));
    all = udm_reduce_all_int(UDM_SUM, mine);
    least = udm_reduce_all_int(UDM_MIN, mine);
    most = udm_reduce_all_int(UDM_MAX, mine);
    total = udm_reduce_all_int(UDM_SUM, sum);
    wrong += all != items || (uint32_t)total != expected(items);
    if (udm_node() == 0) {
        printf("mmqueue: %ld items by %lu nodes, %ld to %ld each\n", (long)all,
               (unsigned long)udm_nodes(), (long)least, (long)most);
        printf("mmqueue: %ld wrong, sum %08lx\n", (long)wrong,
               (unsigned long)(uint32_t)total);
    }
    return wrong != 0;
}
