/*
 * SHRIMP's network interface (--ni shrimp): stores that wait for room in the Outgoing
 * FIFO, and the interrupts that come meanwhile. On the bare machine; each node sends
 * to itself.
 *
 * Argument: word=CYCLES: that of --mesh-word, if it is not the default.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "cycles.h"
#include "mapped.h"
#include "ops.h"
#include "trap.h"

#define T(offset)       (FUGU_TIMER_BASE + (offset))
#define BLOCKS          64

static struct page out, in;             /* out goes to in */

/* full_code.S: stores 0, 1, 2 and so on until *flag is not 0. Returns how many it
 * has stored. The next one is in %o2 at held_store. */
uint32_t store_until(volatile uint32_t *to, volatile uint32_t *flag);
extern const char held_store[];

/* Stores until nothing has room any more. */
static void fill_fifo(void)
{
    while (NI_K(FUGU_K_OUT_WORDS) <= FUGU_SHRIMP_FIFO - 4) {
        out.word[0] = 1;
    }
}

/* ---- An interrupt while a store waits --------------------------------------------- */

static volatile uint32_t come;          /* interrupts */
static uint32_t at_pc, next, stored, sent, late;

static void on_timer(struct trap *t)
{
    late = cycles32() - (uint32_t)REG64(T(FUGU_TIMER_COMPARE));
    at_pc = t->pc;
    next = t->o[2];
    stored = out.word[1];
    sent = NI_U(FUGU_U_SENT);
    REG(T(FUGU_TIMER_CONTROL)) = 0;
    come = 1;
}

/* Returns whether the interrupt came while a store waited. */
static bool interrupt_after(uint32_t delay)
{
    uint32_t before, count, pil;
    bool held;

    out.word[1] = ~0u;
    fill_fifo();
    come = 0;
    before = NI_U(FUGU_U_SENT);
    REG64(T(FUGU_TIMER_COMPARE)) = cycles() + 100 + delay;
    REG(T(FUGU_TIMER_CONTROL)) = 1;
    pil = pil_set(PIL_NONE);
    count = store_until(&out.word[1], &come);
    pil_set(pil);
    held = at_pc == PC(held_store);
    if (held) {
        check_quietly("the store that waits has had no effect", stored, next - 1);
        check_quietly("nor was it sent", sent - before, next);
        check_quietly("the interrupt does not wait", late < 400, true);
    }
    check_quietly("each store is sent once", NI_U(FUGU_U_SENT) - before, count);
    check_quietly("and made", out.word[1], count - 1);
    return held;
}

static void check_interrupts(uint32_t delays)
{
    uint32_t held = 0;

    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), on_timer);
    NI_K(FUGU_K_OUT_THRESHOLD) = FUGU_SHRIMP_FIFO;
    for (uint32_t delay = 0; delay < delays; delay++) {
        held += interrupt_after(delay);
    }
    check_sum("a store that waits is interrupted, and made later");
    check_true("most interrupts found a store that waited", held > delays / 2);
    settle();
    check("the last value has arrived", in.word[1], out.word[1]);
}

/* ---- A kernel that waits for room ---------------------------------------------------- */

static uint32_t most, least = ~0u, rooms;

static void on_threshold(struct trap *t)
{
    uint32_t words = NI_K(FUGU_K_OUT_WORDS);

    (void)t;
    come++;
    most = words > most ? words : most;
    NI_K(FUGU_K_OUT_AWAIT) = 512;
    rooms += !(NI_K(FUGU_K_PENDING) & (FUGU_PEND_OUTGOING | FUGU_PEND_ROOM));
    cpu_wait();
    rooms += NI_K(FUGU_K_PENDING) == FUGU_PEND_ROOM;
    words = NI_K(FUGU_K_OUT_WORDS);
    least = words < least ? words : least;
    NI_K(FUGU_K_OUT_AWAIT) = 0;
}

/* With a slow link nothing leaves while the handler looks. */
static void check_threshold(uint32_t stores, bool slow)
{
    uint32_t before, pil;

    trap_set(FUGU_TT_IRQ(FUGU_SHRIMP_IRQ_OUTGOING), on_threshold);
    NI_K(FUGU_K_OUT_THRESHOLD) = 768;
    come = 0;
    before = NI_U(FUGU_U_SENT);
    pil = pil_set(PIL_NONE);
    for (uint32_t i = 0; i < stores; i++) {
        out.word[i % WORDS] = i;
    }
    pil_set(pil);
    check_true("the threshold interrupts again and again", come > 2);
    check_true("at the first word above it",
               slow ? most == 772 : most > 700 && most <= 772);
    check("the kernel that awaits room sleeps until it is there", rooms, 2 * come);
    check_true("and no longer", slow ? least == 512 : least > 480 && least <= 512);
    check("each store is sent once", NI_U(FUGU_U_SENT) - before, stores);
}

/* ---- What comes while a store begins to wait ------------------------------------------ */

static struct page merged, there;       /* for blocked-write */

/* full_code.S. */
uint32_t store_merged(volatile uint32_t *blocked, volatile uint32_t *single);

static uint32_t closed;

static void on_closed(struct trap *t)
{
    (void)t;
    closed = cycles32();
    come = 1;
    NI_K(FUGU_K_OUT_THRESHOLD) = FUGU_SHRIMP_FIFO;
}

/* The open packet closes `merge` cycles after a store, above the threshold. The next
 * store waits. */
static void close_after(uint32_t merge)
{
    uint32_t began, pil;

    settle();
    NI_K(FUGU_K_MERGE) = FUGU_SHRIMP_MERGE_MAX;
    while (NI_K(FUGU_K_OUT_WORDS) < FUGU_SHRIMP_FIFO - 12) {
        out.word[0] = merge;
    }
    for (uint32_t i = 0; i < 8; i++) {
        merged.word[i] = merge;
    }
    NI_K(FUGU_K_MERGE) = merge;
    NI_K(FUGU_K_OUT_THRESHOLD) = FUGU_SHRIMP_FIFO - 12;
    come = 0;
    pil = pil_set(PIL_NONE);
    began = store_merged(&merged.word[8], &out.word[1]);
    pil_set(pil);
    check_quietly("the packet that closes interrupts", come, 1);
    check_quietly("at once", closed - (began + 3 + merge) < 400, true);
}

/* The interrupt comes while the store waits, also if the packet's time came in the
 * same straight code as the store. */
static void check_closing(void)
{
    map_in(&there);
    map_out(&merged, FUGU_NIPT_BLOCKED, NI_U(FUGU_U_NODE), &there);
    trap_set(FUGU_TT_IRQ(FUGU_SHRIMP_IRQ_OUTGOING), on_closed);
    NI_K(FUGU_K_OUT_THRESHOLD) = FUGU_SHRIMP_FIFO;
    settle();
    store_merged(&merged.word[0], &out.word[1]);        /* loads the cache */
    for (uint32_t merge = 1; merge < 40; merge += 3) {
        close_after(merge);
    }
    check_sum("a packet that closes interrupts a store that waits");
    NI_K(FUGU_K_MERGE) = 32;
}

/* ---- Straight code ---------------------------------------------------------------------- */

struct look {
    uint32_t stored, looked, pending;
};

void store_and_look(volatile uint32_t *to, const char *enter, struct look *look);
extern const char look_sled[], look_sled_end[];

/* The second of two words leaves when the link has taken the first one. All of the
 * FIFO is then free, at that cycle. */
static void check_straight_code(void)
{
    const uint32_t link = argument("word", 4) * (FUGU_SHRIMP_OVERHEAD + 1);
    bool before = false, after = false;
    struct look look;

    settle();
    NI_K(FUGU_K_OUT_AWAIT) = FUGU_SHRIMP_FIFO;
    store_and_look(&out.word[0], look_sled, &look);     /* loads the cache */
    for (const char *at = look_sled_end; at >= look_sled; at -= 4) {
        uint32_t since;

        settle();
        store_and_look(&out.word[0], at, &look);
        since = look.looked - look.stored + 3;  /* the first store */
        check_quietly("room in straight code", look.pending,
                      since >= link ? FUGU_PEND_ROOM : 0);
        before |= since == link - 1;
        after |= since == link;
    }
    NI_K(FUGU_K_OUT_AWAIT) = 0;
    check_sum("room is pending at its cycle, in straight code too");
    check_true("one cycle before was looked at, and that cycle", before && after);
}

/* ---- A swap while the engine ends ------------------------------------------------------ */

static struct page asked;               /* for deliberate update */

uint32_t send_twice(uint32_t command, const char *enter, uint32_t other);
extern const char twice_sled[], twice_sled_end[];

/* Its load and its store are of the same cycle: it loads 0 if it has started the engine,
 * and not otherwise. */
static void check_swaps(void)
{
    const uint32_t command = address(&asked) + FUGU_COMMAND_OFFSET;
    uint32_t free = 0, busy = 0;

    map_out(&asked, FUGU_NIPT_DELIBERATE, NI_U(FUGU_U_NODE), &in);
    send_twice(command, twice_sled, command + 64);      /* loads the cache */
    for (const char *at = twice_sled_end; at >= twice_sled; at -= 4) {
        uint32_t before, left;

        settle();
        before = NI_U(FUGU_U_SENT);
        left = send_twice(command, at, command + 64);
        settle();
        check_quietly("what was sent", NI_U(FUGU_U_SENT) - before, left ? 1 : 2);
        check_quietly("what is left", left, left ? 16 : 0);
        free += !left;
        busy += !!left;
    }
    check_sum("a swap says whether it has started the engine");
    check_true("at some cycles it has, at others not", free && busy);
}

/* ---- Instructions that do more than store -------------------------------------------- */

static struct page source;              /* is not in the cache */

static uint32_t swap(volatile uint32_t *word, uint32_t value)
{
    asm volatile ("swap [%1], %0" : "+r" (value) : "r" (word) : "memory");
    return value;
}

static uint32_t ldstub(volatile uint32_t *word)
{
    uint32_t value;

    asm volatile ("ldstub [%1], %0" : "=r" (value) : "r" (word) : "memory");
    return value;
}

/* Each of them waits, for room or for its turn, before it has any effect. A block that
 * sent its begin before would fill the room that its end waits for, and never end. */
static void check_others(void)
{
    uint32_t before;

    out.word[2] = 0;
    fill_fifo();
    before = NI_U(FUGU_U_SENT);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        check_quietly("swap loads what was there", swap(&out.word[2], i + 1), i);
    }
    check_sum("swap loads what was there");
    check("and is sent once", NI_U(FUGU_U_SENT) - before, BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        check_quietly("ldstub loads what was there", ldstub(&out.word[64 + i]), 0);
    }
    check_sum("so does ldstub");
    check("and is sent once", NI_U(FUGU_U_SENT) - before, 2 * BLOCKS);
    before = NI_U(FUGU_U_SENT);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        asm volatile ("stda %1, [%0] 0x1f"
                      : : "r" (&out.word[128 + 8 * i % 64]), "r" (7ull)
                      : "memory");
    }
    check("a block that is filled is sent once", NI_U(FUGU_U_SENT) - before,
          4 * BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        asm volatile ("sta %1, [%0] 0x17"
                      : : "r" (&out.word[128 + 8 * i % 64]),
                      "r" (&source.word[8 * i]) : "memory");
    }
    check("so is one that is copied", NI_U(FUGU_U_SENT) - before, 8 * BLOCKS);
}

int main(void)
{
    bool slow = argument("word", 4) > 10;

    pil_set(PIL_ALL);
    map_in(&in);
    map_out(&out, FUGU_NIPT_SINGLE, NI_U(FUGU_U_NODE), &in);
    check_interrupts(slow ? 8 : 64);
    check_threshold(slow ? 700 : 3000, slow);
    check_others();
    if (slow) {
        check_closing();
    } else {
        check_straight_code();
    }
    check_swaps();
    settle();
    check("nothing was dropped", NI_K(FUGU_K_DROPPED), 0);
    return check_result();
}
