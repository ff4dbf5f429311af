/*
 * SHRIMP's network interface (--ni shrimp): what is snooped of all that changes
 * memory, on the bare machine. Each node sends to itself.
 *
 * Arguments: disk=1 if the node has a disk; slow=CYCLES, max=BYTES: those of
 * --write-through and --packet-max.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "cycles.h"
#include "mapped.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

#define STORE_CYCLES    3
#define D(offset)       REG(FUGU_DISK_BASE + (offset))

static struct page out, in;             /* out goes to in */
static struct page other;               /* gets the lower part of out */
static struct page asked;               /* for deliberate update */
static uint32_t node;

/* ---- Stores of the FPU ---------------------------------------------------------- */

static void check_floats(void)
{
    static const uint64_t value = 0x0102030405060708;
    const uint32_t single = 0x11121314;

    asm volatile (
        "ldd    [%0], %%f2\n"
        "ld     [%1], %%f4\n"
        "std    %%f2, [%2 + 8]\n"
        "st     %%f4, [%2 + 4]\n"
        : : "r" (&value), "r" (&single), "r" (&out) : "f2", "f3", "f4", "memory");
    check_sent("a double and a single of the FPU are a packet each", 2);
    asm volatile ("st %%fsr, [%0 + 24]" : : "r" (&out) : "memory");
    check_sent("so is its state", 1);
    check("a double that is not aligned traps",
          RUN(KERNEL, op_store_float_double, &out.word[1], PIL_ALL), 7);
    check("also across two pages",
          RUN(KERNEL, op_store_float_double, &out.word[WORDS - 1], PIL_ALL), 7);
    check("as does a pair", RUN(KERNEL, op_store_double, &out.word[WORDS - 1],
                                PIL_ALL), 7);
    check_sent("and sends nothing", 0);
    settle();
    check("the double is there", in.word[2] == 0x01020304 &&
          in.word[3] == 0x05060708, 1);
    check("and the single", in.word[1], 0x11121314);
    check("and the state", in.word[6], out.word[6]);
}

/* ---- Blocks --------------------------------------------------------------------- */

/* Fills 32 bytes with a pair. */
static void fill_block(volatile uint32_t *at, uint64_t pair)
{
    asm volatile ("stda %1, [%0] 0x1f" : : "r" (at), "r" (pair) : "memory");
}

static void copy_block(volatile uint32_t *to, const uint32_t *from)
{
    asm volatile ("sta %1, [%0] 0x17" : : "r" (to), "r" (from) : "memory");
}

static bool is_filled(const volatile uint32_t *word, uint32_t words, uint64_t pair)
{
    bool right = true;

    for (uint32_t i = 0; i < words; i++) {
        right &= word[i] == (uint32_t)(i % 2 ? pair : pair >> 32);
    }
    return right;
}

/* A block is four doublewords: the bus is as wide as that. */
static void check_blocks(void)
{
    static const uint32_t from[8] __attribute__((aligned(32))) = {
        1, 2, 3, 4, 5, 6, 7, 8,
    };
    bool right = true;

    fill_block(&out.word[32], 0xaaaaaaaabbbbbbbb);
    check_sent("a block that is filled is four packets", 4);
    copy_block(&out.word[40], from);
    check_sent("so is one that is copied", 4);
    settle();
    check_true("the block is there", is_filled(&in.word[32], 8, 0xaaaaaaaabbbbbbbb));
    for (uint32_t i = 0; i < 8; i++) {
        right &= in.word[40 + i] == i + 1;
    }
    check_true("and the other", right);
}

/* The split is in the middle of a block. */
static void check_split(uint32_t words, bool merged)
{
    const uint32_t mode = merged ? FUGU_NIPT_BLOCKED : FUGU_NIPT_SINGLE;
    const uint64_t pair = 0x1000000020000000 + words + merged;

    NI_K(FUGU_K_NIPT_PAGE) = page_number(&out);
    NI_K(FUGU_K_NIPT_SPLIT) = 4 * (64 + words);
    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_NIPT_LOWER) = part_of(mode, node,
                                                             address(&other));
    map_out(&out, mode, node, &in);
    check_sent("what was before", 0);
    fill_block(&out.word[64], pair);
    check_sent("a block across a split: packets",
               merged && argument("max", 256) > 8 ? 2 : 4);
    settle();
    check_true("its begin goes with the lower part",
               is_filled(&other.word[64], words, pair));
    check_true("its end with the upper part",
               is_filled(&in.word[64 + words], 8 - words, pair));
    check("and not elsewhere", other.word[64 + words] | in.word[63 + words], 0);
    for (uint32_t i = 0; i < 8; i++) {
        in.word[64 + i] = 0;
        other.word[64 + i] = 0;
    }
    NI_K(FUGU_K_NIPT_SPLIT) = 0;
    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_NIPT_LOWER) = 0;
    map_out(&out, FUGU_NIPT_SINGLE, node, &in);
}

/* ---- What is not a store of the processor ---------------------------------------- */

/* Table of the MMU's last level, in a page that is mapped out. */
static void check_tables(void)
{
    static uint32_t contexts[256] __attribute__((aligned(1024)));
    static uint32_t regions[256] __attribute__((aligned(1024)));
    static uint32_t segments[64] __attribute__((aligned(256)));
    volatile uint32_t *window = (volatile uint32_t *)0x30000000;
    volatile uint32_t *entry = &out.word[128];
    uint32_t before;

    for (uint32_t i = 0; i < 256; i++) {
        regions[i] = i << 20 | 0x9e;    /* cached, all rights, itself */
    }
    regions[0x30] = address(segments) >> 4 | 1;
    segments[0] = address(entry) >> 4 | 1;
    contexts[0] = address(regions) >> 4 | 1;
    *entry = address(&other) >> 4 | 0x9e;
    check_sent("an entry of the MMU's tables is stored", 1);
    asm volatile ("sta %%g0, [%0] 3\n"
                  "sta %1, [%2] 4\n"
                  "sta %%g0, [%3] 4\n"
                  "sta %4, [%%g0] 4\n"
                  : : "r" (0x400), "r" (address(contexts) >> 4), "r" (0x100),
                  "r" (0x200), "r" (1) : "memory");
    before = *entry;
    (void)window[0];
    check("the MMU sets the bit of a load", *entry & ~before, 0x20);
    window[1] = 1;
    check("and that of a store", *entry & ~before, 0x60);
    asm volatile ("sta %%g0, [%%g0] 4" : : : "memory");
    check_sent("neither is sent", 0);
    settle();
    check("there the entry is as it was stored", in.word[128], before);
    check("and here it is not", out.word[128], before | 0x60);
}

static void check_disk(void)
{
    const uint32_t words = FUGU_DISK_SECTOR_SIZE / 4;

    D(FUGU_DISK_SECTOR) = 1;
    D(FUGU_DISK_COUNT) = 1;
    D(FUGU_DISK_ADDR) = address(&out.word[256]);
    D(FUGU_DISK_COMMAND) = FUGU_DISK_READ;
    while (D(FUGU_DISK_STATUS) & FUGU_DISK_BUSY) {
    }
    check("a sector has come to the page", D(FUGU_DISK_STATUS), FUGU_DISK_DONE);
    check("with its words", out.word[256] + out.word[255 + words], 2);
    check_sent("DMA is not sent", 0);
}

/* ---- The pace of the bus ---------------------------------------------------------- */

static uint32_t __attribute__((noinline)) store_cycles(volatile uint32_t *word)
{
    uint32_t before = cycles32();

    *word = 7;
    return cycles32() - before;
}

static uint32_t __attribute__((noinline)) block_cycles(volatile uint32_t *word)
{
    uint32_t before = cycles32();

    fill_block(word, 0);
    return cycles32() - before;
}

/* A store takes the same time whether it is sent or not. */
static void check_bus(uint32_t slow)
{
    static struct page plain;
    uint32_t hit, block;

    store_cycles(&plain.word[0]);
    hit = store_cycles(&plain.word[0]);
    block_cycles(&plain.word[0]);
    block = block_cycles(&plain.word[0]);
    check("a store that hits", hit, STORE_CYCLES + CYCLES_READ);
    check("a store to an automatic page", store_cycles(&out.word[400]), hit + slow);
    check("one to a deliberate page", store_cycles(&asked.word[400]), hit + slow);
    check("a block takes the bus four times", block_cycles(&out.word[400]),
          block + 4 * slow);
    check_sent("these were sent", 5);
    map_out(&asked, FUGU_NIPT_NOTHING, 0, &other);
    store_cycles(&asked.word[400]);
    check("one to a page that is not mapped out any more",
          store_cycles(&asked.word[400]), hit);
}

int main(void)
{
    pil_set(PIL_ALL);
    node = NI_U(FUGU_U_NODE);
    map_in(&in);
    map_in(&other);
    map_out(&out, FUGU_NIPT_SINGLE, node, &in);
    map_out(&asked, FUGU_NIPT_DELIBERATE, node, &in);
    check_floats();
    check_blocks();
    for (uint32_t words = 2; words < 8; words += 2) {
        check_split(words, false);
        check_split(words, true);
    }
    check_tables();
    if (argument("disk", 0)) {
        check_disk();
    }
    check_bus(argument("slow", 0));
    settle();
    check("nothing was dropped", NI_K(FUGU_K_DROPPED), 0);
    return check_result();
}
