/*
 * SHRIMP's automatic update (--ni shrimp): every node stores words into pages of
 * others, to measure snooped stores per second of host time. It is to alltoall as a
 * snooped store is to a message.
 *
 * Arguments: stores (to each partner), partners (nodes that each one stores to),
 * snooped (1; 0: the pages are not mapped, so that nothing is sent).
 *
 * With a fast link (--mesh-word 1) no store waits for room. Node 0 prints the number of stores and the cycles they took. The exit status is 0
 * if no word was lost.
 */
#include "console.h"
#include "cycles.h"
#include "../shrimp/mapped.h"

#define PARTNERS        32
#define PHASE           100000          /* cycles: all nodes have mapped by then */

static struct page out[PARTNERS];       /* out[p] goes to in[p] of partner p */
static struct page in[PARTNERS];

int main(void)
{
    uint32_t node = ni_node(), nodes = ni_nodes();
    uint32_t partners = argument("partners", nodes < PARTNERS ? nodes : PARTNERS);
    uint32_t stores = argument("stores", 100);
    bool snooped = argument("snooped", 1);
    uint32_t start, took;

    if (partners > nodes || partners > PARTNERS) {
        panic("partners out of range");
    }
    for (uint32_t p = 0; p < partners; p++) {
        map_in(&in[p]);
        if (snooped) {
            map_out(&out[p], FUGU_NIPT_SINGLE, (node + 1 + p) % nodes, &in[p]);
        }
    }
    while (cycles32() < PHASE) {
    }
    start = cycles32();
    for (uint32_t i = 1; i <= stores; i++) {
        for (uint32_t p = 0; p < partners; p++) {
            out[p].word[i % WORDS] = i;
        }
    }
    if (snooped) {
        settle();
    }
    took = cycles32() - start;
    for (uint32_t p = 0; snooped && p < partners; p++) {
        while (in[p].word[stores % WORDS] != stores) {
        }
    }
    if (node == 0) {
        printf("updates: %'llu stores in %'u cycles\n",
               (unsigned long long)stores * partners * nodes, took);
    }
    return check_result();
}
