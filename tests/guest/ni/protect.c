/*
 * Which accesses to the registers of the network interface are allowed: every
 * word of both pages, in user and kernel mode, with the MMU off and on.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "message.h"
#include "mmu.h"
#include "ops.h"
#include "registers.h"
#include "trap.h"

static const struct range user_page[] = {
    { FUGU_U_OUT, FUGU_U_OUT + 0x3c, R | W, 0 },
    { FUGU_U_DESC_LEN, FUGU_U_BODY_SPACE, R, 0 },
    { FUGU_U_CYCLES, FUGU_U_CYCLES + 4, R, 0 },
    { FUGU_U_RECORD, FUGU_U_RECORD + FUGU_REC_SIZE - 4, R, 0 },
    { FUGU_U_SB_ADDR, FUGU_U_SB_OFFSET, R | W, 0 },
    { FUGU_U_SB_COUNT, FUGU_U_SB_COUNT, W, FUGU_TT_BAD_DISPOSE },
    { 0 }
};

static const struct range kernel_page[] = {
    { FUGU_K_OUT, FUGU_K_OUT + 0x3c, R | W, 0 },
    { FUGU_K_DESC_LEN, FUGU_K_SPACE, R, 0 },
    { FUGU_K_UAC, FUGU_K_TIMER, R | W, 0 },
    { FUGU_K_PENDING, FUGU_K_PENDING, R, 0 },
    { FUGU_K_OFFSET, FUGU_K_OFFSET + 4, R | W, 0 },
    { FUGU_K_HEAD, FUGU_K_HEAD + FUGU_HEAD_SIZE - 4, R, 0 },
    { FUGU_K_USER_OUT, FUGU_K_USER_LEN, R | W, 0 },
    { FUGU_K_DMA_ADDR, FUGU_K_DMA_BODY, R | W, 0 },
    { FUGU_K_SECOND_OUT, FUGU_K_SECOND_OUT + 0x3c, R | W, 0 },
    { FUGU_K_SECOND_LAUNCH, FUGU_K_SECOND_LAUNCH, W, VIOLATION },
    { FUGU_K_SECOND_SPACE, FUGU_K_SECOND_SPACE, R, 0 },
    { FUGU_K_SECOND_HEAD, FUGU_K_SECOND_HEAD + FUGU_HEAD_BODY, R, 0 },
    { FUGU_K_SECOND_DISPOSE, FUGU_K_SECOND_DISPOSE, W, FUGU_TT_BAD_DISPOSE },
    { 0 }
};

/* Loads or stores each word of a page, and compares the traps with the
 * table. */
static void sweep(const char *name, enum mode mode, uint32_t base,
                  const struct range *page, bool store)
{
    void (*op)(void *) = store ? op_store : op_load;

    ni_fresh();
    for (uint32_t at = 0; at < FUGU_DEVICE_PAGE; at += 4) {
        bool forbidden = mode == USER && base == FUGU_NI_KERNEL_BASE;
        unsigned want = forbidden ? VIOLATION
                                  : trap_of(range_of(page, at), store);
        unsigned got = RUN(mode, op, base + at, PIL_ALL);

        if (!check_quietly(name, got, want)) {
            printf("  at offset 0x%x of page 0x%x\n", at, base);
        }
        check_quietly(name, caught.pc == PC(op), want != 0);
    }
    ni_fresh();
    check_sum(name);
}

static void sweep_all(void)
{
    sweep("user page, user loads", USER, FUGU_NI_USER_BASE, user_page, false);
    sweep("user page, user stores", USER, FUGU_NI_USER_BASE, user_page, true);
    sweep("user page, kernel loads", KERNEL, FUGU_NI_USER_BASE, user_page,
          false);
    sweep("user page, kernel stores", KERNEL, FUGU_NI_USER_BASE, user_page,
          true);
    sweep("kernel page, user loads", USER, FUGU_NI_KERNEL_BASE, kernel_page,
          false);
    sweep("kernel page, user stores", USER, FUGU_NI_KERNEL_BASE, kernel_page,
          true);
    sweep("kernel page, kernel loads", KERNEL, FUGU_NI_KERNEL_BASE,
          kernel_page, false);
    sweep("kernel page, kernel stores", KERNEL, FUGU_NI_KERNEL_BASE,
          kernel_page, true);
}

/* ---- Sizes --------------------------------------------------------------- */

static void check_sizes(void)
{
    static const uint32_t at[] = {
        FUGU_NI_USER_BASE + FUGU_U_OUT, FUGU_NI_USER_BASE + FUGU_U_NODE,
        FUGU_NI_USER_BASE + FUGU_U_RECORD, FUGU_NI_KERNEL_BASE + FUGU_K_GID,
    };

    ni_fresh();
    for (unsigned i = 0; i < 4; i++) {
        check_quietly("a byte is loaded from no register",
                      RUN(KERNEL, op_load_byte, at[i], PIL_ALL), VIOLATION);
        check_quietly("a byte is stored to no register",
                      RUN(KERNEL, op_store_byte, at[i], PIL_ALL), VIOLATION);
        check_quietly("words are aligned",
                      RUN(KERNEL, op_load, at[i] + 2, PIL_ALL), TT_MISALIGNED);
    }
    check_sum("registers are words");
    check("cycles are loaded whole",
          RUN(USER, op_load_double, FUGU_NI_USER_BASE + FUGU_U_CYCLES,
              PIL_ALL), 0);
    check("an std describes two words",
          (RUN(USER, op_store_double, FUGU_NI_USER_BASE + FUGU_U_OUT,
               PIL_ALL), ni_descriptor_length()), 2);
}

/* ---- A violation has no effect ------------------------------------------- */

static void check_no_effect(void)
{
    struct op_store gid = { FUGU_NI_KERNEL_BASE + FUGU_K_GID, GID_OTHER };

    ni_fresh();
    check("a user's store to gid traps",
          RUN(USER, op_store_value, &gid, PIL_ALL), VIOLATION);
    check("at the store", caught.pc, PC(op_store_value_pc));
    check("which had no effect", NI_K(FUGU_K_GID), GID_OWN);
    check("the kernel's has", (RUN(KERNEL, op_store_value, &gid, PIL_ALL),
                               NI_K(FUGU_K_GID)), GID_OTHER);
}

/* ---- With the MMU -------------------------------------------------------- */

static void check_fault(const char *name, unsigned got, uint32_t page,
                        unsigned type)
{
    check_quietly(name, got, TT_DATA_ACCESS);
    check_quietly(name, mmu_fault_address() & ~0xfffu, page);
    check_quietly(name, MMU_FAULT_TYPE(mmu_fault_status()), type);
    check_sum(name);
}

static void check_mmu(void)
{
    const uint32_t gid = FUGU_NI_KERNEL_BASE + FUGU_K_GID;
    const uint32_t out = FUGU_NI_USER_BASE + FUGU_U_OUT;
    unsigned got;

    ni_fresh();
    mmu_on();
    check("the user's page can be used", RUN(USER, op_store, out, PIL_ALL), 0);
    check_fault("the kernel's page, for the kernel only: the MMU's trap",
                RUN(USER, op_load, gid, PIL_ALL), FUGU_NI_KERNEL_BASE,
                MMU_LOAD_USER);
    check("the kernel can use it", RUN(KERNEL, op_load, gid, PIL_ALL), 0);

    mmu_map(FUGU_NI_KERNEL_BASE, FUGU_NI_KERNEL_BASE, MMU_WRITE);
    check("the kernel's page, for users too: the NI's trap",
          RUN(USER, op_load, gid, PIL_ALL), VIOLATION);
    check("for stores as well", RUN(USER, op_store, gid, PIL_ALL), VIOLATION);
    check("the gid is as it was", NI_K(FUGU_K_GID), GID_OWN);

    mmu_map(MMU_TEST_WINDOW, FUGU_NI_KERNEL_BASE, MMU_WRITE);
    check("nor can it be reached elsewhere",
          RUN(USER, op_load, MMU_TEST_WINDOW + FUGU_K_GID, PIL_ALL),
          VIOLATION);
    mmu_map(MMU_TEST_WINDOW, FUGU_NI_USER_BASE, MMU_READ);
    check("the user's page can, wherever it is mapped",
          (RUN(USER, op_load, MMU_TEST_WINDOW + FUGU_U_NODES, PIL_ALL),
           caught.o[0]), ni_nodes());
    check_fault("for loads only, if the kernel says so",
                RUN(USER, op_store, MMU_TEST_WINDOW + FUGU_U_OUT, PIL_ALL),
                MMU_TEST_WINDOW, MMU_STORE_USER);

    mmu_unmap(FUGU_NI_USER_BASE);
    got = RUN(USER, op_load, out, PIL_ALL);
    mmu_off();                  /* printing needs the page */
    check_fault("and not at all without a page", got, FUGU_NI_USER_BASE,
                MMU_LOAD_USER);
}

int main(void)
{
    sweep_all();
    check_sizes();
    check_no_effect();
    check_mmu();
    return check_result();
}
