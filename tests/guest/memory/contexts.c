/*
 * Contexts of the MMU. A switch of the context changes the meaning of
 * addresses at once and flushes nothing. A flush forgets what the tables no
 * longer contain.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

#define PAGE    4096
#define WINDOW  ((volatile uint32_t *)MMU_TEST_WINDOW)
#define SECOND  (MMU_TEST_WINDOW + PAGE)

static uint32_t frames[3][PAGE / 4] __attribute__((aligned(PAGE)));

static void set_up(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        frames[i][0] = 100 + i;
    }
    mmu_on();
    for (unsigned context = 0; context < MMU_CONTEXTS; context++) {
        mmu_context(context);
        mmu_map(MMU_TEST_WINDOW, (uint32_t)frames[context], MMU_WRITE);
    }
    mmu_map(SECOND, (uint32_t)frames[2], MMU_WRITE);    /* in context 1 */
}

/* Returns what the user reads at the test window in this context. */
static uint32_t user_reads(unsigned context)
{
    mmu_context(context);
    RUN(USER, op_load, MMU_TEST_WINDOW, PIL_ALL);
    return caught.o[0];
}

static void check_switch(void)
{
    for (int i = 0; i < 10; i++) {
        for (uint32_t context = 0; context < MMU_CONTEXTS; context++) {
            mmu_context(context);
            check_quietly("kernel", WINDOW[0], 100 + context);
            check_quietly("user", user_reads(context), 100 + context);
        }
    }
    check_sum("each context has its own page at an address");

    mmu_context(0);
    WINDOW[1] = 0x1111;
    mmu_context(1);
    WINDOW[1] = 0x2222;
    check("a store goes to the context's page", frames[0][1], 0x1111);
    check("and the other's to the other's", frames[1][1], 0x2222);
}

static void check_absent(void)
{
    mmu_context(1);
    check("a page of one context", RUN(USER, op_load, SECOND, PIL_ALL), 0);
    mmu_context(0);
    check("is not there in the other", RUN(USER, op_load, SECOND, PIL_ALL),
          TT_DATA_ACCESS);
    mmu_context(1);
    check("and still is in the first", RUN(USER, op_load, SECOND, PIL_ALL), 0);
}

static void check_flush(void)
{
    mmu_context(0);
    user_reads(0);
    mmu_map_quietly(MMU_TEST_WINDOW, (uint32_t)frames[2], MMU_WRITE);
    mmu_flush();
    check("after a flush the tables count", user_reads(0), 102);
    check("the other context is as it was", user_reads(1), 101);

    mmu_context(1);
    mmu_unmap(MMU_TEST_WINDOW);
    check("an unmapped page is gone",
          RUN(USER, op_load, MMU_TEST_WINDOW, PIL_ALL), TT_DATA_ACCESS);
    check("in its context", user_reads(0), 102);
}

/* A context also has its own access rights, and they may be reduced. */
static void check_rights(void)
{
    mmu_context(0);
    mmu_map(MMU_TEST_WINDOW, (uint32_t)frames[0], MMU_READ);
    mmu_context(1);
    mmu_map(MMU_TEST_WINDOW, (uint32_t)frames[0], MMU_WRITE);
    check("one context may write a frame",
          RUN(USER, op_store, MMU_TEST_WINDOW, PIL_ALL), 0);
    mmu_context(0);
    check("that another may only read",
          RUN(USER, op_store, MMU_TEST_WINDOW, PIL_ALL), TT_DATA_ACCESS);
    check("which it does", user_reads(0), frames[0][0]);
    mmu_context(1);
    check("and back", RUN(USER, op_store, MMU_TEST_WINDOW, PIL_ALL), 0);
}

/* A physical address without memory or device. */
#define NOWHERE         0x20000000

static void check_nowhere(void)
{
    mmu_context(0);
    mmu_map(MMU_TEST_WINDOW, NOWHERE, MMU_WRITE);
    check("a load of a page with nothing behind it",
          RUN(USER, op_load, MMU_TEST_WINDOW, PIL_ALL), TT_DATA_ERROR);
    check("a store there", RUN(USER, op_store, MMU_TEST_WINDOW, PIL_ALL),
          TT_DATA_ERROR);
    mmu_off();
    check("with the MMU off a load takes no trap",
          RUN(KERNEL, op_load, NOWHERE, PIL_ALL), 0);
    check("and gives 0", caught.o[0], 0);
    check("a store neither", RUN(KERNEL, op_store, NOWHERE, PIL_ALL), 0);
}

int main(void)
{
    set_up();
    check_switch();
    check_absent();
    check_flush();
    check_rights();
    check_nowhere();
    return check_result();
}
