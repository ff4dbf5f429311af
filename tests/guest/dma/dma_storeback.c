/*
 * Part of `dma`: a storeback writes the body to the address that the handler
 * gives, if the handler may write there.
 */
#include "check.h"
#include "dma.h"
#include "message.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

#define BYTES           64
#define VIOLATION       FUGU_TT_PROTECTION_VIOLATION
#define SB_COUNT        (FUGU_NI_USER_BASE + FUGU_U_SB_COUNT)

/* Executes the store that starts a storeback, in that mode. Returns its
 * trap, or 0. */
static unsigned attempt(enum mode mode, uint32_t address, uint32_t offset,
                        uint32_t bytes)
{
    struct op_store count = { SB_COUNT, bytes };

    NI_U(FUGU_U_SB_ADDR) = address;
    NI_U(FUGU_U_SB_OFFSET) = offset;
    return RUN(mode, op_store_value, &count, PIL_ALL);
}

static void with_message(uint32_t tag)
{
    ni_fresh();
    dma_fill(tag);
    dma_send(BYTES);
    settle();
}

static void check_pieces(void)
{
    with_message(1);
    check("the first half", attempt(USER, (uint32_t)into, 0, BYTES / 2), 0);
    check("alone", dma_wrong(1, BYTES / 4), BYTES / 8);
    check("the second half", attempt(USER, (uint32_t)into + BYTES / 2,
                                     BYTES / 2, BYTES / 2), 0);
    check("make the whole", dma_wrong(1, BYTES / 4), 0);
    check("elsewhere once more", attempt(USER, (uint32_t)into + 1024, 0,
                                         BYTES), 0);
    check("the same", into[256 + BYTES / 4 - 1], into[BYTES / 4 - 1]);
    check("the registers keep what was stored", NI_U(FUGU_U_SB_ADDR),
          (uint32_t)into + 1024);
    check("the message stays", ni_available(), true);
}

static void check_refused(void)
{
    with_message(2);
    check("an address that is not aligned is refused",
          attempt(USER, (uint32_t)into + 1, 0, 4), VIOLATION);
    check("at the store", caught.pc, PC(op_store_value_pc));
    check("an offset that is not", attempt(USER, (uint32_t)into, 2, 4),
          VIOLATION);
    check("a count that is not", attempt(USER, (uint32_t)into, 0, 5),
          VIOLATION);
    check("a count beyond the body",
          attempt(USER, (uint32_t)into, 0, BYTES + 4), VIOLATION);
    check("an end beyond the body",
          attempt(USER, (uint32_t)into, 4, BYTES), VIOLATION);
    check("an offset so large that the sum is small",
          attempt(USER, (uint32_t)into, -4u, 8), VIOLATION);
    check("nothing was stored", into[0], 0);

    NI_K(FUGU_K_GID) = GID_OTHER;
    check("another's body is not to be had",
          attempt(USER, (uint32_t)into, 0, 4), FUGU_TT_BAD_DISPOSE);
    check("but for the kernel", attempt(KERNEL, (uint32_t)into, 0, 4), 0);
    NI_K(FUGU_K_GID) = GID_OWN;
    NI_K(FUGU_K_DIVERT) = 1;
    check("divert-mode: storeback-extend",
          attempt(USER, (uint32_t)into, 0, 4), FUGU_TT_STOREBACK_EXTEND);
    check("not for the kernel", attempt(KERNEL, (uint32_t)into, 0, 4), 0);
    NI_K(FUGU_K_DIVERT) = 0;
    drain();
    check("no message: bad-dispose", attempt(USER, (uint32_t)into, 0, 0),
          FUGU_TT_BAD_DISPOSE);
    check("for the kernel too", attempt(KERNEL, (uint32_t)into, 0, 0),
          FUGU_TT_BAD_DISPOSE);
}

/* A storeback across a page boundary into a page with these access rights. */
static void check_reach(enum mode mode, enum mmu_access access, bool allowed)
{
    const uint32_t at = MMU_TEST_WINDOW + PAGE - 8;

    mmu_map(MMU_TEST_WINDOW, (uint32_t)into, MMU_WRITE);
    mmu_map(MMU_TEST_WINDOW + PAGE, (uint32_t)into + PAGE, access);
    check_quietly("trap", attempt(mode, at, 0, 16),
                  allowed ? 0 : TT_DATA_ACCESS);
    check_quietly("all or nothing", into[PAGE / 4 - 2] != 0, allowed);
    check_quietly("all or nothing", into[PAGE / 4 + 1] != 0, allowed);
    if (!allowed) {
        check_quietly("page", mmu_fault_address() & ~(PAGE - 1u),
                      MMU_TEST_WINDOW + PAGE);
        check_quietly("type", MMU_FAULT_TYPE(mmu_fault_status()),
                      mode == USER ? MMU_STORE_USER : MMU_STORE_KERNEL);
    }
}

static void check_mmu(void)
{
    with_message(3);
    mmu_on();
    check_reach(USER, MMU_READ, false);
    check_reach(USER, MMU_KERNEL_WRITE, false);
    check_reach(USER, MMU_KERNEL_ONLY, false);
    check_sum("a user cannot store where it cannot write, nor a part of it");
    check_reach(KERNEL, MMU_READ, false);
    check_sum("nor can the kernel");
    check_reach(KERNEL, MMU_KERNEL_WRITE, true);
    check_sum("the kernel can where it can");
    into[PAGE / 4 - 2] = into[PAGE / 4 + 1] = 0;
    check_reach(USER, MMU_WRITE, true);
    check_sum("and so can the user");
    mmu_off();
}

void check_storeback(void)
{
    check_pieces();
    check_refused();
    check_mmu();
}
