/*
 * SHRIMP's network interface (--ni shrimp): automatic update, on the bare machine.
 * Each node's stores to a page go to the next node.
 *
 * Nodes agree by time alone: each phase begins at a cycle by which all nodes have
 * done the phase before.
 *
 * Arguments: word=CYCLES: that of --mesh-word, if it is not the default.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "cycles.h"
#include "mapped.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

#define PHASE       300000              /* cycles */
#define BURST       10000               /* stores */
#define CACHE       65536               /* bytes, the default */

/* Two words of an array of words, stored as one. */
typedef uint64_t __attribute__((may_alias)) doubleword;

static struct page out, in;             /* out goes to in of the next node */
static struct page both;                /* goes to itself there */
static struct page asked;               /* for deliberate update */
static struct page plain;               /* not mapped */
static uint32_t node, nodes;

/* Maps the page to one of the next node. */
static void map_next(const struct page *page, uint32_t mode,
                     const struct page *there)
{
    map_out(page, mode, (node + 1) % nodes, there);
}

static void begin_phase(uint32_t phase)
{
    check_true("the phase before took less than its time",
               cycles32() < phase * PHASE);
    while (cycles32() < phase * PHASE) {
    }
}

/* ---- Stores of each kind ---------------------------------------------------- */

static void store_sizes(void)
{
    volatile uint8_t *byte = (volatile uint8_t *)&out.word[0];
    volatile uint16_t *half = (volatile uint16_t *)&out.word[2];
    uint32_t loaded = 0x55;

    byte[3] = 0x11;
    check_sent("a byte is a packet", 1);
    half[0] = 0x2222;
    check_sent("so is a halfword", 1);
    out.word[4] = 0x33333333;
    check_sent("so is a word", 1);
    *(volatile doubleword *)&out.word[6] = 0x4444444455555555;
    check_sent("so is a doubleword", 1);
    asm volatile ("swap [%1], %0"
                  : "+r" (loaded) : "r" (&out.word[4]) : "memory");
    check("swap loads what was there", loaded, 0x33333333);
    check_sent("its store is a packet", 1);
    asm volatile ("ldstub [%1], %0"
                  : "=r" (loaded) : "r" (&out.word[8]) : "memory");
    check_sent("so is that of ldstub", 1);
    (void)out.word[4];
    check_sent("a load sends nothing", 0);
    plain.word[0] = 1;
    asked.word[0] = 1;
    check_sent("nor is a store elsewhere, or to a deliberate page", 0);
}

static void check_sizes(void)
{
    check("the byte is at its place", in.word[0], 0x11);
    check("the halfword", in.word[2], 0x22220000);
    check("the word that swap stored", in.word[4], 0x55);
    check("both words of the doubleword", in.word[6] == 0x44444444 &&
          in.word[7] == 0x55555555, 1);
    check("the byte of ldstub", in.word[8], 0xff000000);
    check("and nothing else", in.word[1] | in.word[3] | in.word[5] | in.word[9],
          0);
}

#define STA(asi, at, value) \
    asm volatile ("sta %0, [%1] " #asi : : "r" (value), "r" (at) : "memory")

static void store_ways(void)
{
    volatile uint32_t *one = (volatile uint32_t *)MMU_TEST_WINDOW;
    volatile uint32_t *two = (volatile uint32_t *)(MMU_TEST_WINDOW + 5 * PAGE);
    struct op_store user = { address(&out.word[18]), 103 };

    mmu_on();
    mmu_map(address(one), address(&out), MMU_WRITE);
    mmu_map(address(two), address(&out), MMU_WRITE);
    one[16] = 101;
    two[17] = 102;
    check_sent("stores at other virtual addresses are snooped", 2);
    check("a user's store needs no more rights",
          RUN(USER, op_store_value, &user, PIL_ALL), 0);
    check_sent("and is snooped", 1);
    STA(0xa, &out.word[19], 104);
    STA(0xb, &out.word[20], 105);
    check_sent("so are stores to the user's and the kernel's data space", 2);
    STA(0x20, &out.word[21], 106);
    check_sent("and one that goes by the MMU", 1);
    mmu_map(address(one), address(&plain), MMU_WRITE);
    one[16] = 1;
    check_sent("a page that replaces it is not", 0);
    mmu_map(address(two), address(&out), MMU_READ);
    check("a store that traps", RUN(USER, op_store, &two[17], PIL_ALL), 9);
    check_sent("is not sent", 0);
    mmu_off();
}

static void check_ways(void)
{
    for (uint32_t i = 0; i < 6; i++) {
        check_quietly("a word", in.word[16 + i], 101 + i);
    }
    check_sum("each of these has arrived");
}

/* ---- Code in the page -------------------------------------------------------- */

/* Runs code in the page that changes its next instruction but one. */
static void store_code(void)
{
    static const uint32_t code[] = {
        0xd2222008,                     /* st %o1, [%o0 + 8] */
        0x01000000,                     /* nop */
        0x90102001,                     /* mov 1, %o0 */
        0x81c3e008, 0x01000000,         /* retl; nop */
    };
    uint32_t (*run)(volatile uint32_t *, uint32_t) =
        (uint32_t (*)(volatile uint32_t *, uint32_t))address(&out.word[32]);

    for (uint32_t i = 0; i < 5; i++) {
        out.word[32 + i] = code[i];
        asm volatile ("flush %0" : : "r" (&out.word[32 + i]) : "memory");
    }
    check_sent("code is stored as data is", 5);
    check("code that it stores is executed",
          run(&out.word[32], 0x90102002 /* mov 2, %o0 */), 2);
    check_sent("and was sent once", 1);
}

/* ---- Cache -------------------------------------------------------------------- */

static uint32_t misses_of(const volatile uint32_t *word)
{
    uint32_t before = REG(FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS);

    (void)*word;
    return REG(FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS) - before;
}

static uint32_t __attribute__((noinline)) store_cycles(volatile uint32_t *word)
{
    uint32_t before = cycles32();

    *word = 7;
    return cycles32() - before;
}

static void check_cache(volatile uint32_t *word, const char *page)
{
    uint32_t hit;

    store_cycles(&plain.word[0]);
    hit = store_cycles(&plain.word[0]);
    (void)word[CACHE / 4];              /* evicts the line */
    check_group(page);
    check("a store that misses takes the time of a hit", store_cycles(word), hit);
    check("and does not allocate", misses_of(word), 1);
    check("a store that hits takes that time", store_cycles(word), hit);
    check("and leaves the line", misses_of(word), 0);
    check_group(NULL);
}

/* ---- Mapping ------------------------------------------------------------------ */

static void check_mapping(void)
{
    check_sent("stores for the cache", 2);
    map_next(&out, FUGU_NIPT_NOTHING, &in);
    out.word[40] = 1;
    map_next(&out, FUGU_NIPT_SINGLE, &in);
    out.word[41] = 2;
    check_sent("a change of the table counts at the next store", 1);
}

static void check_echo(void)
{
    uint32_t from = (node + nodes - 1) % nodes;

    check("a word came to the page that goes out itself", both.word[from],
          from + 1);
    check("and only one", both.word[(from + nodes - 1) % nodes],
          nodes == 1 ? 1 : nodes == 2 ? node + 1 : 0);
    check_sent("it was not sent on", 0);
}

/* ---- Floods -------------------------------------------------------------------- */

/* Stores numbers from `first` on, as fast as a program does that copies. */
static void store_burst(uint32_t first)
{
    for (uint32_t i = 0; i < BURST; i += 8) {
        volatile uint32_t *to = &out.word[i % WORDS];
        uint32_t value = first + i;

        to[0] = value;
        to[1] = value + 1;
        to[2] = value + 2;
        to[3] = value + 3;
        to[4] = value + 4;
        to[5] = value + 5;
        to[6] = value + 6;
        to[7] = value + 7;
    }
}

/* The processor does nothing but store. So the stores wait for the link. */
static void burst(void)
{
    uint32_t per_packet = argument("word", 4) * (FUGU_SHRIMP_OVERHEAD + 1);
    uint32_t begin = cycles32(), took, words;

    store_burst(0);
    words = NI_K(FUGU_K_OUT_WORDS);
    while (NI_U(FUGU_U_CREDITED) != NI_U(FUGU_U_SENT)) {
    }
    took = cycles32() - begin;
    check_true("the FIFO was full", words > FUGU_SHRIMP_FIFO - 16 &&
               words <= FUGU_SHRIMP_FIFO);
    check_true("10,000 stores take the link's time, within 2 %",
               took >= BURST * per_packet && took <= BURST * per_packet * 102 / 100);
    check_sent("each was sent", BURST);
}

/* The same with stores that are merged. */
static void burst_merged(void)
{
    const uint32_t per_store = argument("word", 4) * (FUGU_SHRIMP_OVERHEAD + 1);
    const uint32_t command = address(&out) + FUGU_COMMAND_OFFSET;
    uint32_t begin, took;

    REG(command) = FUGU_COMMAND_BLOCKED;
    begin = cycles32();
    store_burst(1);
    while (NI_U(FUGU_U_CREDITED) != NI_U(FUGU_U_SENT)) {
    }
    took = cycles32() - begin;
    check_true("stores that are merged take less than half of that time",
               took < BURST * per_store / 2);
    /* 64 words a packet; a page ends with one. */
    check_sent("in packets of 256 bytes", (BURST + 63) / 64);
    REG(command) = FUGU_COMMAND_SINGLE;
}

static void check_merged(void)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t last = BURST - 1 - (BURST - 1 - i) % WORDS;

        check_quietly("a word of the burst", in.word[i], last + 1);
    }
    check_sum("memory is as with single-write");
    check("nothing was dropped", NI_K(FUGU_K_DROPPED), 0);
}

static void check_burst(void)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t last = BURST - 1 - (BURST - 1 - i) % WORDS;

        check_quietly("a word of the burst", in.word[i], last);
    }
    check_sum("the last value of each word has arrived");
}

static uint32_t interrupts, interrupted_pc;
extern const char after_store[];

static void on_threshold(struct trap *t)
{
    interrupts++;
    interrupted_pc = t->pc;
    NI_K(FUGU_K_OUT_THRESHOLD) = FUGU_SHRIMP_FIFO;
}

/* The store whose packet brings the FIFO above the threshold is the last one before
 * the interrupt. */
static void __attribute__((noinline)) check_threshold(void)
{
    uint32_t n, pil;

    trap_set(FUGU_TT_IRQ(FUGU_SHRIMP_IRQ_OUTGOING), on_threshold);
    NI_K(FUGU_K_OUT_THRESHOLD) = 100;
    pil = pil_set(0);
    asm volatile (
        "       .global after_store\n"
        "       clr     %0\n"
        "1:     st      %0, [%2]\n"
        "after_store:\n"
        "       ld      [%3], %%g1\n"
        "       cmp     %%g1, 0\n"
        "       be      1b\n"
        "        inc    %0\n"
        : "=&r" (n), "+m" (out) : "r" (&out.word[0]), "r" (&interrupts)
        : "g1", "cc", "memory");
    pil_set(pil);
    check("the threshold interrupts once", interrupts, 1);
    check("right after the store", interrupted_pc, PC(after_store));
    check_sent("as many packets as stores", n);
    NI_K(FUGU_K_OUT_THRESHOLD) = 768;
}

int main(void)
{
    pil_set(PIL_ALL);
    node = NI_U(FUGU_U_NODE);
    nodes = NI_U(FUGU_U_NODES);
    map_in(&in);
    map_in(&both);
    map_next(&out, FUGU_NIPT_SINGLE, &in);
    map_next(&both, FUGU_NIPT_SINGLE, &both);
    map_next(&asked, FUGU_NIPT_DELIBERATE, &in);
    begin_phase(1);
    store_sizes();
    store_ways();
    store_code();
    check_cache(&out.word[200], "automatic");
    check_cache(&asked.word[220], "deliberate");
    check_mapping();
    both.word[node] = node + 1;
    check_sent("a store to the page that comes back", 1);
    begin_phase(2);
    check_sizes();
    check_ways();
    check_echo();
    burst();
    begin_phase(3);
    check_burst();
    check_threshold();
    begin_phase(4);
    burst_merged();
    begin_phase(5);
    check_merged();
    check_sent("nothing else was sent", 0);
    return check_result();
}
