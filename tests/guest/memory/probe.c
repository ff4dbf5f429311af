/*
 * Probes of the MMU (V8, appendix H, "MMU probe operations"): types 0 to 3
 * return the entry of one level, and nothing if the walk does not arrive there
 * or if a page, segment or region is mapped at a higher level. Type 4 returns
 * the entry that maps the address.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "ni.h"
#include "ops.h"
#include "trap.h"
#include "walk.h"

#define ENTIRE  4

/* The level of whose table each type returns an entry. */
static const unsigned levels[] = { 3, 2, 1, 0 };

static void check_level(const char *name, unsigned mapped)
{
    uint32_t address = walk_address(mapped);

    walk_map(mapped, MMU_ALL);
    for (unsigned type = 0; type < ENTIRE; type++) {
        unsigned level = levels[type];

        check_quietly(name, mmu_probe(address, type),
                      level > mapped ? 0 : *walk_entry(address, level));
    }
    check_quietly(name, mmu_probe(address, ENTIRE),
                  *walk_entry(address, mapped));
    check_sum(name);
}

/* No entry maps the address: pointers are still found. */
static void check_absent(const char *name, unsigned mapped)
{
    uint32_t address = walk_address(mapped);

    *walk_entry(address, mapped) = 0;
    mmu_flush();
    for (unsigned type = 0; type < ENTIRE; type++) {
        unsigned level = levels[type];

        check_quietly(name, mmu_probe(address, type),
                      level >= mapped ? 0 : *walk_entry(address, level));
    }
    check_quietly(name, mmu_probe(address, ENTIRE), 0);
    check_sum(name);
}

/* A walk reads memory alone: not the interface's window, which has an entry. */
static void check_device(void)
{
    volatile uint32_t *segment = walk_entry(walk_address(3), 2);
    uint32_t was = *segment;

    walk_map(3, MMU_ALL);
    NI_K(FUGU_K_OUT) = *walk_entry(walk_address(3), 3);
    *segment = FUGU_NI_KERNEL_BASE >> 4 | 1;
    mmu_flush();
    check("the window has the entry", NI_K(FUGU_K_OUT) & 3, 2);
    check("a table in a device gives none", mmu_probe(walk_address(3), ENTIRE),
          0);
    check("an access through it faults",
          RUN(KERNEL, op_load, walk_address(3), PIL_ALL), TT_DATA_ACCESS);
    check("as a translation error", mmu_fault_status() >> 2 & 7, 4);
    *segment = was;
    mmu_flush();
}

int main(void)
{
    mmu_on();
    check_level("a page of 16 MiB", 1);
    check_level("a page of 256 KiB", 2);
    check_level("a page of 4 KiB", 3);
    check_absent("no region", 1);
    check_absent("no segment", 2);
    check_absent("no page", 3);
    check_device();
    check("other types return nothing", mmu_probe(walk_address(1), 5), 0);
    return check_result();
}
