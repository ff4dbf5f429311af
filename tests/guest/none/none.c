/*
 * A network interface without a message part (--ni none): every word of both
 * pages, the operations, UAC, the atomicity timer, the clock. Any number of
 * nodes runs it, each for itself.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "cycles.h"
#include "ni.h"
#include "ops.h"
#include "registers.h"
#include "trap.h"

/* Defined in ../ni/atomicity_code.S. */
void spin_user(void *turns);

#define ALL_ONES        0xffffffff

/* ---- Registers ----------------------------------------------------------- */

static const struct range user_page[] = {
    { FUGU_U_OUT, FUGU_U_SPACE, R | ABSENT, 0 },
    { FUGU_U_UAC, FUGU_U_NODES, R, 0 },
    { FUGU_U_BODY_SPACE, FUGU_U_BODY_SPACE, R | ABSENT, 0 },
    { FUGU_U_CYCLES, FUGU_U_CYCLES + 4, R, 0 },
    { FUGU_U_RECORD, FUGU_U_RECORD + FUGU_REC_SIZE - 4, R | W | ABSENT, 0 },
    { FUGU_U_SB_ADDR, FUGU_U_SB_OFFSET, R | W | ABSENT, 0 },
    { 0 }
};

static const struct range kernel_page[] = {
    { FUGU_K_OUT, FUGU_K_SPACE, R | W | ABSENT, 0 },
    { FUGU_K_UAC, FUGU_K_GID, R | W, 0 },
    { FUGU_K_DIVERT, FUGU_K_DIVERT, R | W | ABSENT, 0 },
    { FUGU_K_TIMEOUT, FUGU_K_TIMER, R | W, 0 },
    { FUGU_K_PENDING, FUGU_K_PENDING, R, 0 },
    { FUGU_K_OFFSET, FUGU_K_OFFSET + 4, R | W, 0 },
    { FUGU_K_HEAD, FUGU_K_HEAD + FUGU_HEAD_SIZE - 4, R | W | ABSENT, 0 },
    { FUGU_K_USER_OUT, FUGU_K_USER_LEN, R | W | ABSENT, 0 },
    { FUGU_K_DMA_ADDR, FUGU_K_DMA_BODY, R | W | ABSENT, 0 },
    { FUGU_K_SECOND_OUT, FUGU_K_SECOND_OUT + 0x3c, R | W, 0 },
    { FUGU_K_SECOND_LAUNCH, FUGU_K_SECOND_LAUNCH, W, VIOLATION },
    { FUGU_K_SECOND_SPACE, FUGU_K_SECOND_SPACE, R, 0 },
    { FUGU_K_SECOND_HEAD, FUGU_K_SECOND_HEAD + FUGU_HEAD_BODY, R, 0 },
    { FUGU_K_SECOND_DISPOSE, FUGU_K_SECOND_DISPOSE, W, FUGU_TT_BAD_DISPOSE },
    { 0 }
};

static void fresh(void)
{
    NI_K(FUGU_K_GID) = 0;
    NI_K(FUGU_K_UAC) = 0;
    NI_K(FUGU_K_TIMEOUT) = 0;
    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_OFFSET) = 0;
}

/* Stores ~0 to a word, and loads it, or only loads it. */
static void try_word(const char *name, enum mode mode, uint32_t address,
                     const struct range *range, bool store, bool forbidden)
{
    struct op_store all = { address, ALL_ONES };
    unsigned want = forbidden ? VIOLATION : trap_of(range, store);
    unsigned got = store ? RUN(mode, op_store_value, &all, PIL_ALL)
                         : RUN(mode, op_load, address, PIL_ALL);

    if (!check_quietly(name, got, want)) {
        printf("  at 0x%x\n", address);
    }
    if (want) {
        check_quietly(name, caught.pc,
                      store ? PC(op_store_value_pc) : PC(op_load));
    }
    if (range && range->rights & ABSENT) {
        RUN(KERNEL, op_load, address, PIL_ALL);
        check_quietly(name, caught.o[0], 0);
    }
}

static void sweep(const char *name, enum mode mode, uint32_t base,
                  const struct range *page, bool store)
{
    fresh();
    for (uint32_t at = 0; at < FUGU_DEVICE_PAGE; at += 4) {
        try_word(name, mode, base + at, range_of(page, at), store,
                 mode == USER && base == FUGU_NI_KERNEL_BASE);
    }
    fresh();
    check_sum(name);
}

static void check_pages(void)
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

/* Whether an std to `address` by the kernel is allowed. */
static void check_pair(const char *name, uint32_t address, unsigned trap)
{
    check_quietly(name, RUN(KERNEL, op_store_double, address, PIL_ALL), trap);
}

static void check_sizes(void)
{
    const char *name = "an std works on windows and 64-bit registers alone";

    check_pair(name, FUGU_NI_USER_BASE + FUGU_U_OUT, VIOLATION);
    check_pair(name, FUGU_NI_USER_BASE + FUGU_U_RECORD, VIOLATION);
    check_pair(name, FUGU_NI_USER_BASE + FUGU_U_SB_ADDR, VIOLATION);
    check_pair(name, FUGU_NI_KERNEL_BASE + FUGU_K_OUT, 0);
    check_pair(name, FUGU_NI_KERNEL_BASE + FUGU_K_UAC, VIOLATION);
    check_pair(name, FUGU_NI_KERNEL_BASE + FUGU_K_OFFSET, 0);
    check_pair(name, FUGU_NI_KERNEL_BASE + FUGU_K_HEAD, VIOLATION);
    check_pair(name, FUGU_NI_KERNEL_BASE + FUGU_K_USER_OUT, 0);
    check_pair(name, FUGU_NI_KERNEL_BASE + FUGU_K_DMA_ADDR, VIOLATION);
    check_pair(name, FUGU_NI_KERNEL_BASE + FUGU_K_SECOND_OUT, 0);
    check_sum(name);
    check("a byte is loaded from no register",
          RUN(USER, op_load_byte, FUGU_NI_USER_BASE + FUGU_U_RECORD, PIL_ALL),
          VIOLATION);
}

/* ---- Operations ---------------------------------------------------------- */

static void check_undefined(const char *name, void (*op)(void *), uint32_t n)
{
    for (enum mode mode = USER; mode <= KERNEL; mode++) {
        check_quietly(name, RUN(mode, op, n, PIL_ALL), TT_CP_DISABLED);
        check_quietly(name, caught.pc, PC(op));
    }
    check_sum(name);
}

/* Returns the trap of an operation of user code with this UAC, and checks what
 * UAC is after it. */
static unsigned user_op(void (*op)(void *), uint32_t mask, uint32_t before,
                        uint32_t after)
{
    unsigned trap;

    NI_K(FUGU_K_UAC) = before;
    trap = RUN(USER, op, mask, PIL_ALL);
    check_quietly("UAC", ni_uac(), after);
    return trap;
}

static void check_uac(void)
{
    const uint32_t all = FUGU_UAC_ALL, user = FUGU_UAC_USER;

    for (uint32_t mask = 0; mask <= all; mask++) {
        check_quietly("beginatom", user_op(op_beginatom, mask, 0, mask & user),
                      0);
        check_quietly("endatom", user_op(op_endatom, mask, user,
                                         user & ~mask), 0);
        NI_K(FUGU_K_UAC) = 0;
        RUN(KERNEL, op_beginatom, mask, PIL_ALL);
        check_quietly("UAC", NI_K(FUGU_K_UAC), mask);
        NI_K(FUGU_K_UAC) = all;
        RUN(KERNEL, op_endatom, mask, PIL_ALL);
        check_quietly("UAC", NI_K(FUGU_K_UAC), all & ~mask);
    }
    check_sum("beginatom and endatom change what is the user's, the kernel's");
    check("endatom with dispose-pending traps",
          user_op(op_endatom, 1, 5, 5), FUGU_TT_DISPOSE_FAILURE);
    check("and with atomicity-extend", user_op(op_endatom, 1, 9, 9),
          FUGU_TT_ATOMICITY_EXTEND);
    fresh();
}

/* ---- The atomicity timer ------------------------------------------------- */

#define PRESET  10000           /* more than any of the pieces takes */
#define TURN    3               /* cycles of one turn of spin_user() */

/* Returns what the timer counts while user code makes `turns` turns. */
static uint32_t counted(uint32_t turns, uint32_t uac)
{
    NI_K(FUGU_K_UAC) = 0;       /* disabled: the timer is preset */
    NI_K(FUGU_K_UAC) = uac;
    RUN(USER, spin_user, turns, PIL_ALL);
    return PRESET - NI_K(FUGU_K_TIMER);
}

static void check_enabled(const char *name, uint32_t uac, bool enabled)
{
    uint32_t fewer;

    counted(1, uac);            /* loads the cache */
    fewer = counted(100, uac);
    check(name, counted(200, uac) - fewer, enabled ? 100 * TURN : 0);
}

static void check_timer(void)
{
    fresh();
    NI_K(FUGU_K_TIMEOUT) = PRESET;
    check_enabled("timer-force enables the timer", FUGU_UAC_TIMER_FORCE, true);
    check_enabled("interrupt-disable does not: there is no message",
                  FUGU_UAC_INTERRUPT_DISABLE, false);
    NI_K(FUGU_K_UAC) = FUGU_UAC_TIMER_FORCE;
    NI_K(FUGU_K_TIMER) = 300;
    check("at 0 it interrupts", RUN(USER, spin_user, 1000, PIL_NONE),
          FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT));
    check("the kernel sees it", NI_K(FUGU_K_PENDING), FUGU_PEND_TIMEOUT);
    check("it stays at 0", NI_K(FUGU_K_TIMER), 0);
    NI_K(FUGU_K_UAC) = 0;
    check("disabled, it does not interrupt", NI_K(FUGU_K_PENDING), 0);
    check("and is preset", NI_K(FUGU_K_TIMER), PRESET);
    fresh();
}

/* ---- Clock and GID ------------------------------------------------------- */

static void check_clock(void)
{
    uint32_t before = cycles32();

    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_OFFSET) = (uint64_t)1 << 40;
    check("cycle-offset moves the clock", cycles() >> 40, 1);
    check("and the cycle timer's", REG64(FUGU_TIMER_BASE + FUGU_TIMER_NOW) >> 40,
          1);
    check_true("time goes on", cycles32() - before < 10000);
    NI_K(FUGU_K_GID) = ALL_ONES;
    check("GID has 12 bits", NI_K(FUGU_K_GID), FUGU_GID_MAX);
    fresh();
}

int main(void)
{
    pil_set(PIL_ALL);
    check("the kernel learns the kind",
          REG(FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF), FUGU_NETIF_NONE);
    check_pages();
    check_sizes();
    check_undefined("launch is undefined", op_launch, 1);
    check_undefined("launch of a body is undefined", op_launch_d1, 3);
    check_undefined("dispose is undefined", op_dispose, 0);
    check_uac();
    check_timer();
    check_clock();
    check("nothing is pending", NI_K(FUGU_K_PENDING), 0);
    return check_result();
}
