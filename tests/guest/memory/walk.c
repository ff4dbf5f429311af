#include "machine.h"
#include "walk.h"

#define ENTRY_PAGE      2
#define ENTRY_TYPES     3
#define FLUSH_PROBE     3       /* ASI */
#define REGISTERS       4       /* ASI */
#define CONTEXT_TABLE   0x100

uint32_t walk_address(unsigned level)
{
    switch (level) {
    case 1:                     /* the region after the window's */
        return MMU_TEST_WINDOW + 0x01000000 +
               (WALK_FRAMES - FUGU_RAM_BASE);
    case 2:                     /* the segment after the window's */
        return MMU_TEST_WINDOW + 0x40000;
    default:
        return MMU_TEST_WINDOW;
    }
}

/* Bytes that an entry of this level maps. */
static uint32_t size(unsigned level)
{
    return level == 1 ? 1 << 24 : level == 2 ? 1 << 18 : 1 << 12;
}

volatile uint32_t *walk_entry(uint32_t address, unsigned level)
{
    static const unsigned shifts[] = { 24, 18, 12 };
    static const unsigned entries[] = { 256, 64, 64 };
    volatile uint32_t *entry;
    uint32_t table;

    asm volatile ("lda [%1] %2, %0"
                  : "=r" (table) : "r" (CONTEXT_TABLE), "i" (REGISTERS));
    entry = (volatile uint32_t *)(table << 4);  /* of context 0 */
    for (unsigned i = 0; i < level; i++) {
        entry = (volatile uint32_t *)((*entry & ~ENTRY_TYPES) << 4) +
                (address >> shifts[i] & (entries[i] - 1));
    }
    return entry;
}

void walk_map(unsigned level, unsigned access)
{
    *walk_entry(walk_address(level), level) =
        (WALK_FRAMES & ~(size(level) - 1)) >> 4 | access << 2 | ENTRY_PAGE;
    mmu_flush();
}

uint32_t mmu_probe(uint32_t address, unsigned type)
{
    uint32_t entry;

    asm volatile ("lda [%1] %2, %0"
                  : "=r" (entry)
                  : "r" ((address & ~0xfffu) | type << 8), "i" (FLUSH_PROBE)
                  : "memory");
    return entry;
}
