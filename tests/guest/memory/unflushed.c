/*
 * Changes an entry of the MMU's tables, and flushes it or forgets to
 * (--check mmu). User mode uses the entry before, and again after its context was
 * left and entered.
 *
 *   change   1: another page, 2: fewer rights, 3: no entry, 4: as not modified
 *   flush    0: none, 1: everything, 2: the page, 3: another page,
 *            4: the page, but from the other context
 *   stay     1: the context is never left, so QEMU's TLB is not flushed for that
 *            (not with flush=4)
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "machine.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

#define PAGE    4096

enum { PLACE = 1, RIGHTS, GONE, CLEAN };
enum { NONE, ALL, ONE, ANOTHER, FROM_OTHER };

static uint32_t frames[2][PAGE / 4] __attribute__((aligned(PAGE)));

static void change(unsigned what)
{
    switch (what) {
    case PLACE:
        mmu_map_quietly(MMU_TEST_WINDOW, (uint32_t)frames[1], MMU_WRITE);
        break;
    case RIGHTS:
        mmu_map_quietly(MMU_TEST_WINDOW, (uint32_t)frames[0], MMU_KERNEL_ONLY);
        break;
    case GONE:
        mmu_unmap_quietly(MMU_TEST_WINDOW);
        break;
    case CLEAN:
        /* Like any new entry, it is not modified yet. */
        mmu_map_quietly(MMU_TEST_WINDOW, (uint32_t)frames[0], MMU_WRITE);
        break;
    }
}

static void flush(unsigned how)
{
    switch (how) {
    case ALL:
        mmu_flush();
        break;
    case ONE:
        mmu_flush_page(MMU_TEST_WINDOW);
        break;
    case ANOTHER:
        mmu_flush_page(MMU_TEST_WINDOW + PAGE);
        break;
    case FROM_OTHER:
        mmu_context(1);
        mmu_flush_page(MMU_TEST_WINDOW);
        mmu_context(0);
        break;
    }
}

int main(void)
{
    unsigned what = argument("change", PLACE);
    uint32_t read;

    frames[0][0] = 100;
    frames[1][0] = 101;
    mmu_on();
    mmu_map(MMU_TEST_WINDOW, (uint32_t)frames[0], MMU_WRITE);
    RUN(USER, op_store, MMU_TEST_WINDOW, PIL_ALL);
    RUN(USER, op_load, MMU_TEST_WINDOW, PIL_ALL);
    change(what);
    flush(argument("flush", NONE));
    if (!argument("stay", 0)) {
        mmu_context(1);
        mmu_context(0);
    }
    read = RUN(USER, op_load, MMU_TEST_WINDOW, PIL_ALL);
    check("the tables decide", read,
          what == RIGHTS || what == GONE ? TT_DATA_ACCESS : 0);
    mmu_off();
    return check_result();
}
