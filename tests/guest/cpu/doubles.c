/*
 * Loads and stores of FPU registers are aligned to their size, and make one
 * look-up in the cache and one access to a device.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "machine.h"
#include "message.h"
#include "ops.h"
#include "trap.h"

#define VIOLATION FUGU_TT_PROTECTION_VIOLATION
#define PAGE 4096

/* Two pages, so that an access can lie across their boundary. */
static uint32_t memory[2 * PAGE / 4] __attribute__((aligned(PAGE)));

static const struct op {
    const char *name;
    void (*op)(void *);
    unsigned size;
    bool store;
} ops[] = {
    { "a word is loaded", op_load_float, 4, false },
    { "a word is stored", op_store_float, 4, true },
    { "a double word is loaded", op_load_float_double, 8, false },
    { "a double word is stored", op_store_float_double, 8, true },
    { "a pair of words is loaded", op_load_double, 8, false },
    { "a pair of words is stored", op_store_double, 8, true },
};
#define OPS (sizeof(ops) / sizeof(ops[0]))

static uint32_t data_misses(void)
{
    return REG(FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS);
}

static void fill(void)
{
    for (unsigned i = 0; i < sizeof(memory) / 4; i++) {
        memory[i] = 0x01010101 * (i & 0xff);
    }
}

/* Returns how many words of memory differ from what fill() has stored. */
static unsigned changed(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < sizeof(memory) / 4; i++) {
        count += memory[i] != 0x01010101 * (i & 0xff);
    }
    return count;
}

/* ---- Memory -------------------------------------------------------------- */

/* Tries each address around the boundary of two lines, or of two pages. */
static void check_aligned(const struct op *op, uint32_t middle)
{
    for (uint32_t at = middle - 16; at < middle + 16; at++) {
        unsigned want = at % op->size ? TT_MISALIGNED : 0;

        for (enum mode mode = USER; mode <= KERNEL; mode++) {
            check_quietly("trap", RUN(mode, op->op, at, PIL_ALL), want);
            check_quietly("pc", caught.pc == PC(op->op), want != 0);
        }
    }
}

static void check_memory(void)
{
    for (const struct op *op = ops; op < ops + OPS; op++) {
        check_aligned(op, (uint32_t)memory + PAGE);
        check_aligned(op, (uint32_t)memory + 64);
        check_sum(op->name);
    }
}

/* A misaligned access changes neither memory nor register nor cache. */
static void check_no_effect(void)
{
    static double kept __attribute__((aligned(8))) = 3.25, after;
    uint32_t edge = (uint32_t)memory + PAGE - 4, before, misses;

    fill();
    RUN(KERNEL, op_load_float_double, &kept, PIL_ALL);
    for (int i = 0; i < 2; i++) {               /* twice: loads the cache */
        before = data_misses();
        RUN(KERNEL, op_load_float_double, edge, PIL_ALL);
        RUN(KERNEL, op_store_float_double, edge, PIL_ALL);
        misses = data_misses() - before;
    }
    RUN(KERNEL, op_store_float_double, &after, PIL_ALL);
    check_true("the register keeps its value", after == kept);
    check("memory is as it was", changed(), 0);
    check("nothing was looked up", misses, 0);
}

/* ---- The network interface ----------------------------------------------- */

/* At each pair of words, the integer and the FPU form of a double access do
 * the same. */
static void check_page(const char *name, uint32_t base, bool store)
{
    void (*whole)(void *) = store ? op_store_double : op_load_double;
    void (*floating)(void *) = store ? op_store_float_double
                                     : op_load_float_double;

    for (enum mode mode = USER; mode <= KERNEL; mode++) {
        for (uint32_t at = 0; at < FUGU_DEVICE_PAGE; at += 8) {
            unsigned want, length;

            ni_fresh();
            want = RUN(mode, whole, base + at, PIL_ALL);
            length = ni_descriptor_length();
            ni_fresh();
            if (!check_quietly(name, RUN(mode, floating, base + at, PIL_ALL),
                               want) ||
                !check_quietly(name, ni_descriptor_length(), length)) {
                printf("  at offset 0x%x, mode %u\n", at, mode);
            }
        }
    }
    ni_fresh();
    check_sum(name);
}

static void check_words(void)
{
    static uint32_t pair[2] __attribute__((aligned(8))) = { 0x1234, 0x5678 };
    uint32_t out = FUGU_NI_USER_BASE + FUGU_U_OUT;

    ni_fresh();
    RUN(KERNEL, op_load_float_double, pair, PIL_ALL);
    check("a double describes two words",
          (RUN(USER, op_store_float_double, out + 8, PIL_ALL),
           ni_descriptor_length()), 4);
    check("the first", ni_out_read(2), pair[0]);
    check("and the second", ni_out_read(3), pair[1]);
    ni_fresh();
    check("one that is not aligned describes none",
          RUN(USER, op_store_float_double, out + 4, PIL_ALL), TT_MISALIGNED);
    check("not one word", ni_descriptor_length(), 0);
    check("two registers are not stored to",
          RUN(KERNEL, op_store_float_double,
              FUGU_NI_KERNEL_BASE + FUGU_K_UAC, PIL_ALL), VIOLATION);
    check("nor is half of the two", NI_K(FUGU_K_UAC), 0);
}

static void check_clock(void)
{
    static uint64_t read __attribute__((aligned(8)));
    uint64_t before = REG64(FUGU_NI_USER_BASE + FUGU_U_CYCLES), after;

    RUN(KERNEL, op_load_float_double, FUGU_NI_USER_BASE + FUGU_U_CYCLES,
        PIL_ALL);
    after = REG64(FUGU_NI_USER_BASE + FUGU_U_CYCLES);
    RUN(KERNEL, op_store_float_double, &read, PIL_ALL);
    check_true("cycles are loaded whole", before < read && read < after);
}

int main(void)
{
    check_memory();
    check_no_effect();
    check_page("user page, loads", FUGU_NI_USER_BASE, false);
    check_page("user page, stores", FUGU_NI_USER_BASE, true);
    check_page("kernel page, loads", FUGU_NI_KERNEL_BASE, false);
    check_page("kernel page, stores", FUGU_NI_KERNEL_BASE, true);
    check_words();
    check_clock();
    return check_result();
}
