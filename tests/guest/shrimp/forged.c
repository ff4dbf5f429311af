/*
 * SHRIMP's network interface (--ni shrimp): packets that another process makes up.
 * On the bare machine. Node 0 has two pages beside each other that are mapped in,
 * and one behind them that is not; no guest sends anything.
 *
 * Argument: packets: how many node 0 waits for, dropped or not.
 *
 * Node 0 prints where the pages are, what was dropped and why, and how many words of
 * the pages have changed. Then it runs for ever.
 */
#include "console.h"
#include "cycles.h"
#include "mapped.h"

static struct page pages[3];

static uint32_t changed(const struct page *page)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < WORDS; i++) {
        count += page->word[i] != 0;
    }
    return count;
}

int main(void)
{
    uint32_t packets = argument("packets", 1);

    if (ni_node() == 0) {
        map_in(&pages[0]);
        map_in(&pages[1]);
        printf("forged: pages at 0x%x\n", address(pages));
        while (NI_K(FUGU_K_IN_LEFT) < packets) {
        }
        printf("forged: %u dropped: %u place, %u CRC, %u page; changed: %u %u %u\n",
               NI_K(FUGU_K_DROPPED), NI_K(FUGU_K_DROPPED_PLACE),
               NI_K(FUGU_K_DROPPED_CRC), NI_K(FUGU_K_DROPPED_PAGE),
               changed(&pages[0]), changed(&pages[1]), changed(&pages[2]));
    }
    for (;;) {
    }
}
