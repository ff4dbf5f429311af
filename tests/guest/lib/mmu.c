/*
 * There are three levels of tables: 256 regions of 16 MiB, 64 segments of 256
 * KiB, 64 pages of 4 KiB. An entry points to the next table or maps its whole
 * range. Only the ranges that a test may map page by page have all three
 * levels.
 */
#include <stdbool.h>

#include "machine.h"
#include "mmu.h"

#define ENTRY_POINTER   1
#define ENTRY_PAGE      2
#define ENTRY_CACHED    0x80
#define ACCESS_SHIFT    2

#define REGISTER_CONTROL        0x000
#define REGISTER_CONTEXT_TABLE  0x100
#define REGISTER_CONTEXT        0x200
#define REGISTER_FAULT_STATUS   0x300
#define REGISTER_FAULT_ADDRESS  0x400
#define FLUSH_ENTIRE            0x400

#define ASI_FLUSH       0x03
#define ASI_REGISTERS   0x04

#define REGIONS 256
#define ENTRIES 64

/* Tables are aligned to their size. */
#define TABLE(name, entries) \
    static uint32_t name[entries] __attribute__((aligned(4 * (entries))))

TABLE(contexts, 256);
static unsigned current;

/* One table for each context; the second index is the entry. */
#define TABLES(name, entries) \
    static uint32_t name[MMU_CONTEXTS][entries] \
        __attribute__((aligned(4 * (entries))))

TABLES(regions, REGIONS);
TABLES(window_segments, ENTRIES);
TABLES(window_pages, ENTRIES);
TABLE(ram_segments, ENTRIES);
TABLE(ram_pages, ENTRIES);
TABLE(device_segments, ENTRIES);
TABLE(device_pages, ENTRIES);

static uint32_t register_read(uint32_t address)
{
    uint32_t value;

    asm volatile ("lda [%1] %2, %0"
                  : "=r" (value) : "r" (address), "i" (ASI_REGISTERS)
                  : "memory");
    return value;
}

static void register_write(uint32_t address, uint32_t value)
{
    asm volatile ("sta %0, [%1] %2"
                  : : "r" (value), "r" (address), "i" (ASI_REGISTERS)
                  : "memory");
}

void mmu_flush(void)
{
    asm volatile ("sta %%g0, [%0] %1"
                  : : "r" (FLUSH_ENTIRE), "i" (ASI_FLUSH) : "memory");
}

void mmu_flush_page(uint32_t virtual)
{
    asm volatile ("sta %%g0, [%0] %1"
                  : : "r" (virtual & -4096u), "i" (ASI_FLUSH) : "memory");
}

static uint32_t pointer(const uint32_t *table)
{
    return (uint32_t)table >> 4 | ENTRY_POINTER;
}

static uint32_t page(uint32_t physical, enum mmu_access access)
{
    bool memory = physical < FUGU_CONTROL_BASE;

    return physical >> 4 | (memory ? ENTRY_CACHED : 0) |
           access << ACCESS_SHIFT | ENTRY_PAGE;
}

/* Returns the entry of a page in one of the three last-level tables. Panics
 * if the page has none. */
static uint32_t *entry(uint32_t virtual)
{
    uint32_t index = virtual >> 12 & (ENTRIES - 1);

    switch (virtual >> 18) {
    case MMU_TEST_WINDOW >> 18:
        return &window_pages[current][index];
    case FUGU_RAM_BASE >> 18:
        return &ram_pages[index];
    case FUGU_NI_USER_BASE >> 18:
        return &device_pages[index];
    default:
        panic("no page table for %08x", virtual);
    }
}

void mmu_map_quietly(uint32_t virtual, uint32_t physical,
                     enum mmu_access access)
{
    *entry(virtual) = page(physical, access);
}

void mmu_map(uint32_t virtual, uint32_t physical, enum mmu_access access)
{
    mmu_map_quietly(virtual, physical, access);
    mmu_flush();
}

void mmu_unmap_quietly(uint32_t virtual)
{
    *entry(virtual) = 0;
}

void mmu_unmap(uint32_t virtual)
{
    mmu_unmap_quietly(virtual);
    mmu_flush();
}

static void map_ram(void)
{
    for (uint32_t i = 0; i < ENTRIES; i++) {
        ram_segments[i] = page(FUGU_RAM_BASE + (i << 18), MMU_ALL);
        ram_pages[i] = page(FUGU_RAM_BASE + (i << 12), MMU_ALL);
    }
    ram_segments[0] = pointer(ram_pages);
}

static void map_devices(void)
{
    const uint32_t segment = FUGU_NI_USER_BASE >> 18;

    for (uint32_t i = 0; i < ENTRIES; i++) {
        device_pages[i] = page((segment << 18) + (i << 12), MMU_KERNEL_ONLY);
    }
    *entry(FUGU_NI_USER_BASE) = page(FUGU_NI_USER_BASE, MMU_WRITE);
    device_segments[segment & (ENTRIES - 1)] = pointer(device_pages);
}

/* Fills the region table of a context. All contexts share every range but
 * the test window. */
static void map_context(unsigned context)
{
    uint32_t *region = regions[context];

    region[FUGU_BOOT_BASE >> 24] = page(FUGU_BOOT_BASE, MMU_READ_EXEC);
    for (uint32_t i = 0; i < FUGU_RAM_MAX >> 24; i++) {
        region[(FUGU_RAM_BASE >> 24) + i] = page(FUGU_RAM_BASE + (i << 24),
                                                 MMU_ALL);
    }
    region[FUGU_RAM_BASE >> 24] = pointer(ram_segments);
    region[FUGU_NI_USER_BASE >> 24] = pointer(device_segments);
    window_segments[context][0] = pointer(window_pages[context]);
    region[MMU_TEST_WINDOW >> 24] = pointer(window_segments[context]);
    contexts[context] = pointer(region);
}

void mmu_context(unsigned context)
{
    current = context;
    register_write(REGISTER_CONTEXT, context);
}

void mmu_on(void)
{
    map_ram();
    map_devices();
    for (unsigned i = 0; i < MMU_CONTEXTS; i++) {
        map_context(i);
    }
    mmu_flush();
    register_write(REGISTER_CONTEXT_TABLE, (uint32_t)contexts >> 4);
    mmu_context(0);
    mmu_on_again();
}

void mmu_on_again(void)
{
    register_write(REGISTER_CONTROL, register_read(REGISTER_CONTROL) | 1);
}

void mmu_off(void)
{
    register_write(REGISTER_CONTROL, register_read(REGISTER_CONTROL) & ~1u);
}

uint32_t mmu_fault_status(void)
{
    return register_read(REGISTER_FAULT_STATUS);
}

uint32_t mmu_fault_address(void)
{
    return register_read(REGISTER_FAULT_ADDRESS);
}
