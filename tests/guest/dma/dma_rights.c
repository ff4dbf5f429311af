/*
 * Part of `dma`: a body is read with the access rights of the sender. A launch
 * that meets a page which the sender may not read has no effect.
 */
#include "check.h"
#include "dma.h"
#include "message.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

/* Two adjacent pages of the test window, which map `from`. */
#define FIRST   MMU_TEST_WINDOW
#define SECOND  (MMU_TEST_WINDOW + PAGE)

static void map_both(void)
{
    mmu_map(FIRST, (uint32_t)from, MMU_READ);
    mmu_map(SECOND, (uint32_t)from + PAGE, MMU_READ);
}

/* Checks a launch that meets a page which its mode may not read. */
static void check_refused(const char *name, enum mode mode, uint32_t words,
                          uint32_t page)
{
    check_quietly(name, RUN(mode, op_launch_d1, words, PIL_ALL),
                  TT_DATA_ACCESS);
    check_quietly(name, caught.pc, PC(op_launch_d1));
    check_quietly(name, mmu_fault_address() & ~(PAGE - 1u), page);
    check_quietly(name, MMU_FAULT_TYPE(mmu_fault_status()),
                  mode == USER ? MMU_LOAD_USER : MMU_LOAD_KERNEL);
    check_quietly(name, drain(), 0);
    check_sum(name);
}

static void check_user(void)
{
    const struct dma_piece across = { SECOND - 8, 16 };
    uint32_t words;

    map_both();
    words = dma_describe_user(1, &across);
    mmu_unmap(SECOND);
    check_refused("a page that is not there, behind one that is", USER, words,
                  SECOND);
    mmu_map(SECOND, (uint32_t)from + PAGE, MMU_KERNEL_ONLY);
    check_refused("a page for the kernel only", USER, words, SECOND);
    mmu_unmap(FIRST);
    check_refused("with two, the first one is told", USER, words, FIRST);
    check("the descriptor is as it was", ni_descriptor_length(), words);

    map_both();
    check("mapped, the same launch goes on",
          RUN(USER, op_launch_d1, words, PIL_ALL), 0);
    settle();
    check("with its body", ni_body(), 16);
    dma_storeback((uint32_t)into, 0, 16);
    check_true("from both pages", into[0] == from[PAGE / 4 - 2] &&
               into[1] == from[PAGE / 4 - 1] && into[2] == from[PAGE / 4] &&
               into[3] == from[PAGE / 4 + 1]);
    drain();
}

static void check_kernel(void)
{
    const struct dma_piece piece = { FIRST, 16 };
    uint32_t words = dma_describe_kernel(1, &piece);

    mmu_map(FIRST, (uint32_t)from, MMU_KERNEL_ONLY);
    check("the kernel's launch has the kernel's rights",
          RUN(KERNEL, op_launch_d1, words, PIL_ALL), 0);
    check("it sends", drain(), 1);
    mmu_unmap(FIRST);
    words = dma_describe_kernel(1, &piece);
    check_refused("a page that is not there, for the kernel", KERNEL, words,
                  FIRST);
    mmu_map(FIRST, (uint32_t)from, MMU_READ);
    RUN(KERNEL, op_launch_d1, words, PIL_ALL);
    drain();
}

void check_rights(void)
{
    ni_fresh();
    dma_fill(1);
    mmu_on();
    check_user();
    check_kernel();
    mmu_off();
}
