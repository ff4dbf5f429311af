/*
 * The cache: 64 KB, unified, direct-mapped, lines of 16 bytes, 10 cycles for a
 * miss, write-back with write-allocate, physically addressed. Argument: off=1
 * if the machine runs without a cache.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "machine.h"
#include "message.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

/* Defined in cache_code.S. Each returns the cycles of one access, or of
 * FETCH_LINES lines of code. */
uint32_t probe_load(const volatile void *address);
uint32_t probe_store(volatile void *address);
uint32_t probe_double(const volatile void *address);
uint32_t probe_swap(volatile void *address);
uint32_t probe_bypass(const volatile void *physical);   /* bypasses the MMU */
uint32_t fetch_lines(void);
extern const char fetch_code[], fetch_code_end[];

#define CACHE_SIZE      0x10000
#define LINE            16
#define MISS            10
#define LINES           (CACHE_SIZE / LINE)
#define FETCH_LINES     16
#define FETCH_CYCLES    (2 + 4 * FETCH_LINES - 3)   /* ba,a with its slot,
                                                     then up to the read */

/* Cycles of a hit. */
#define LOAD            2
#define STORE           3
#define DOUBLE          3
#define SWAP            4

/*
 * Memory of three times the cache's size. Tests use the lines from MIDDLE on:
 * this program's code, data and stack do not share any cache line with these.
 */
static uint8_t memory[3 * CACHE_SIZE] __attribute__((aligned(CACHE_SIZE)));
#define MIDDLE  0x8000

static uint32_t miss = MISS;            /* 0 if there is no cache */

static uint32_t data_misses(void)
{
    return REG(FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS);
}

static uint32_t fetch_misses(void)
{
    return REG(FUGU_CONTROL_BASE + FUGU_CONTROL_FETCH_MISS);
}

/* Brings the code of the probes into the cache. */
static void warm(void)
{
    static volatile uint64_t elsewhere;

    for (int i = 0; i < 2; i++) {
        probe_load(&elsewhere);
        probe_store(&elsewhere);
        probe_double(&elsewhere);
        probe_swap(&elsewhere);
        probe_bypass(&elsewhere);
    }
}

/*
 * Misses are counted around the probes only: a check prints, and printing has
 * misses too.
 */
static void check_line(void)
{
    volatile uint8_t *line = memory + MIDDLE;
    uint32_t before = data_misses();
    uint32_t first = probe_load(line), again = probe_load(line);
    uint32_t next = probe_load(line + LINE), last = probe_load(line - LINE);
    uint32_t misses = data_misses() - before;

    check("a load misses", first, LOAD + miss);
    check("the same again hits", again, LOAD);
    for (unsigned at = 4; at < LINE; at += 4) {
        check_quietly("rest of the line", probe_load(line + at), LOAD);
    }
    check_sum("so does the rest of its line");
    check("the next line misses", next, LOAD + miss);
    check("and the line before", last, LOAD + miss);
    check("these are three misses of data", misses, miss ? 3 : 0);
}

static void check_store(void)
{
    volatile uint8_t *line = memory + MIDDLE + 0x100;

    check("a store misses", probe_store(line), STORE + miss);
    check("and allocates: a load hits", probe_load(line + 4), LOAD);
    check("a store hits then", probe_store(line + 8), STORE);
    check("a double load is one look-up", probe_double(line + LINE),
          DOUBLE + miss);
    check("a swap is one look-up", probe_swap(line + 2 * LINE), SWAP + miss);
    check("and hits", probe_swap(line + 2 * LINE), SWAP);
}

static void check_mapping(void)
{
    volatile uint8_t *line = memory + MIDDLE + 0x200;

    probe_load(line);
    check("half a cache away there is no conflict",
          (probe_load(line + CACHE_SIZE / 2), probe_load(line)), LOAD);
    check("a cache away there is one", probe_load(line + CACHE_SIZE),
          LOAD + miss);
    check("it evicts: direct-mapped", probe_load(line), LOAD + miss);
    check("two caches away as well",
          (probe_load(line + 2 * CACHE_SIZE), probe_load(line)), LOAD + miss);
    probe_store(line);
    check("writing back costs no more than the miss",
          probe_load(line + CACHE_SIZE), LOAD + miss);
}

/* Loads every line once. A second pass must then hit everywhere. */
static void check_size(void)
{
    uint32_t before, misses;
    const uint32_t from = MIDDLE, to = CACHE_SIZE - 0x2000;

    for (uint32_t at = from; at < to; at += LINE) {
        probe_load(memory + at);
    }
    before = data_misses();
    for (uint32_t at = from; at < to; at += LINE) {
        probe_load(memory + at);
    }
    misses = data_misses() - before;
    check("what fits stays", misses, 0);
}

/* Runs the code and counts its misses. A separate function, so that the
 * first run also brings this code into the cache. */
static uint32_t __attribute__((noinline)) run_code(uint32_t *misses)
{
    uint32_t before = fetch_misses();
    uint32_t cycles = fetch_lines();

    *misses = fetch_misses() - before;
    return cycles;
}

static void check_fetch(void)
{
    uint32_t index = (uint32_t)fetch_code & (CACHE_SIZE - 1);
    uint32_t size = fetch_code_end - fetch_code;
    uint32_t misses;

    check("the code has so many lines", size, FETCH_LINES * LINE);
    run_code(&misses);
    check("code in the cache runs at a cycle an instruction",
          run_code(&misses), FETCH_CYCLES);
    check("without a miss", misses, 0);

    for (uint32_t at = 0; at < size; at += LINE) {
        probe_load(memory + index + at);
    }
    check("data evicts code: the cache is unified", run_code(&misses),
          FETCH_CYCLES + FETCH_LINES * miss);
    check("line by line", misses, miss ? FETCH_LINES : 0);
    check("and code evicts data", probe_load(memory + index), LOAD + miss);
}

/* Two pages that map the same frame share its cache lines. */
static void check_physical(void)
{
    volatile uint8_t *one = (volatile uint8_t *)MMU_TEST_WINDOW;
    volatile uint8_t *two = one + 0x1000;
    uint32_t frame = (uint32_t)memory + CACHE_SIZE + MIDDLE;

    mmu_on();
    mmu_map((uint32_t)one, frame, MMU_ALL);
    mmu_map((uint32_t)two, frame, MMU_ALL);
    warm();
    check("through one page it misses", probe_load(one), LOAD + miss);
    check("through another it hits", probe_load(two), LOAD);
    mmu_off();
    check("and without the MMU", probe_load((void *)frame), LOAD);
}

/*
 * The address of a page that is mapped to another frame means one line with
 * the MMU on, and a different line with the MMU off. Both lines have the same
 * place in the cache.
 */
static void check_switched(void)
{
    volatile uint8_t *page = memory + MIDDLE + 0x1000;

    mmu_on();
    mmu_map((uint32_t)page, (uint32_t)page + CACHE_SIZE, MMU_ALL);
    mmu_off();
    warm();
    probe_load(page);
    mmu_on_again();
    check("the MMU on, an address is another line", probe_load(page),
          LOAD + miss);
    check("which stays", probe_load(page), LOAD);
    mmu_off();
    check("off again, its own", probe_load(page), LOAD + miss);
    mmu_on_again();
    probe_load(page);
    check("past the MMU an address is its own line", probe_bypass(page),
          LOAD + miss);
    check("which is not the page's", probe_load(page), LOAD + miss);
    mmu_off();
}

/* swap and ldstub store too: if the page is not writable, they have no
 * effect. */
static void check_atomic(void)
{
    volatile uint8_t *page = (volatile uint8_t *)MMU_TEST_WINDOW;
    volatile uint8_t *frame = memory + MIDDLE + 0x2000;

    mmu_on();
    mmu_map((uint32_t)page, (uint32_t)frame, MMU_READ);
    warm();
    probe_load(frame + CACHE_SIZE);     /* evicts the lines under test */
    probe_load(frame + CACHE_SIZE + LINE);
    check("swap in a page that is not writable traps",
          RUN(KERNEL, op_swap, page, PIL_ALL), TT_DATA_ACCESS);
    check("as a store", MMU_FAULT_TYPE(mmu_fault_status()), MMU_STORE_KERNEL);
    check("and is not looked up", probe_load(page), LOAD + miss);
    check("nor is ldstub", (RUN(KERNEL, op_ldstub, page + LINE, PIL_ALL),
                            probe_load(page + LINE)), LOAD + miss);
    check("which traps too", caught.type, TT_DATA_ACCESS);
    mmu_off();
}

/* Accesses to devices are not cached, and take as long as a hit. */
static void check_devices(void)
{
    uint32_t before = data_misses();
    uint32_t load = probe_load((void *)(FUGU_NI_USER_BASE + FUGU_U_NODE));
    uint32_t store = probe_store((void *)(FUGU_NI_USER_BASE + FUGU_U_OUT));
    uint32_t timer = probe_load((void *)(FUGU_TIMER_BASE +
                                         FUGU_TIMER_STATUS));
    uint32_t misses = data_misses() - before;

    check("a load from the NI costs what a hit costs", load, LOAD);
    check("a store to it too", store, STORE);
    check("so does a load from the timer", timer, LOAD);
    check("none of them is a miss", misses, 0);
    NI_K(FUGU_K_USER_LEN) = 0;
}

int main(void)
{
    if (argument("off", 0)) {
        miss = 0;
    }
    warm();
    check_line();
    check_store();
    check_mapping();
    check_size();
    check_fetch();
    check_physical();
    check_switched();
    check_atomic();
    check_devices();
    return check_result();
}
