/*
 * The design space of message interfaces (Lee et al., IEEE Computer 1998,
 * "Performance evaluation"), on the bare machine with --ni m-machine and 9 nodes: one
 * of five interfaces (designs.h), by several ways of dispatch, in four benchmarks.
 *
 * Arguments: phases=N: tries so many phases between sender and receiver, 100 by
 * default, so that a message comes at each cycle between two polls. pins=CYCLES: that of
 * --pin-cycles, which a poll of memory takes more.
 *
 * Prints lines "DISPATCH BENCHMARK node N: ..." with the least and the most latency and
 * busy cycles of all phases, and one line per check. Times of all nodes are one clock's.
 * The exit status is the number of failed checks.
 *
 * Each try begins at a time that all nodes know. Then the sender sends, and it and the
 * receivers go on with a program of theirs. Handlers stamp the end of what they do. In
 * a second try without stamps, the cycles that the node's contexts are busy, less those of
 * the program alone, are those of the messages.
 */
#include <string.h>

#include "check.h"
#include "console.h"
#include "cycles.h"
#include "designs.h"
#include "slots.h"
#include "trap.h"

#define WORK_LOG        12              /* a node's part of the window, in bytes: log2 */
#define RECORD          64              /* where a thread's record is in it */
#define BLOCK_AT        0
#define WARM            3               /* tries that do not count: they fill the caches */
#define START           200000          /* all nodes have got that far */
#define BLOCK_ROUNDS    1200            /* of the program beside blockwrite */
#define BLOCK_STEP      5               /* phases of blockwrite */
#define TABLE_WORDS     1024            /* of traps: 256 of 4 instructions */
#define PRINTING        200000          /* cycles for a line */

typedef void code(void);

/* designs_code.S */
code slot_code_0, slot_code_1;
code send_ping, send_ping_stamped, send_soft, send_soft_stamped;
code send_rpc, send_rpc_stamped, send_all, send_all_stamped;
code send_block, send_block_stamped, send_nothing;
code asleep, compute, poll_0_hit, poll_1_hit, poll_0_miss, poll_1_miss;
code swap_0_hit, swap_1_hit, swap_0_miss, swap_1_miss;
code window_0_hit, window_1_hit, window_0_miss, window_1_miss;
extern const char asleep_sled[], compute_sled[], poll_0_hit_sled[], poll_1_hit_sled[];
extern const char poll_0_miss_sled[], poll_1_miss_sled[];
extern const volatile uint32_t trap_table[];    /* of the library */
extern code *const handler_tables[10][HANDLERS];
extern volatile uint32_t begun, ended, sent;
extern uint32_t soft_segment[5];
void send_and_go_on(code *sender, code *program, const char *place,
                    uint32_t rounds, const uint32_t *arguments);

uint32_t arguments[4] __attribute__((aligned(8))) = { 3, 5, 7, 11 };
uint32_t source_words[BLOCK_WORDS] __attribute__((aligned(32)));
static volatile uint32_t table[TABLE_WORDS] __attribute__((aligned(4096)));
static uint8_t work[1 << WORK_LOG] __attribute__((aligned(1 << WORK_LOG)));

/* ---- What is measured --------------------------------------------------------- */

struct benchmark {
    const char *name;
    code *sender[2];                    /* without and with stamps */
    unsigned receivers;                 /* nodes from 1 on */
    bool answered, soft;
    uint32_t rounds;                    /* of the program, with a default mesh */
};

static const struct benchmark benchmarks[] = {
    { "ping", { send_ping, send_ping_stamped }, 1, true, false, 15 },
    { "rpc", { send_rpc, send_rpc_stamped }, 1, false, false, 20 },
    { "distribute", { send_all, send_all_stamped }, 8, false, false, 60 },
    { "blockwrite", { send_block, send_block_stamped }, 1, false, false,
      BLOCK_ROUNDS },
    { "ping-soft", { send_soft, send_soft_stamped }, 1, true, true, 15 },
};

struct dispatch {
    const char *name;
    bool slots, hits;
    struct {
        code *program, *interrupt;
        const char *sled;
    } by[2];                            /* the node's messages have this priority */
};

static const struct dispatch dispatches[] = {
    { "thread-idle", true, true,
      { { asleep, NULL, asleep_sled }, { asleep, NULL, asleep_sled } } },
    { "thread", true, true,
      { { compute, NULL, compute_sled }, { compute, NULL, compute_sled } } },
    { "poll-hit", false, true,
      { { poll_0_hit, NULL, poll_0_hit_sled },
        { poll_1_hit, NULL, poll_1_hit_sled } } },
    { "poll-miss", false, false,
      { { poll_0_miss, NULL, poll_0_miss_sled },
        { poll_1_miss, NULL, poll_1_miss_sled } } },
    { "interrupt-hit", false, true,
      { { compute, swap_0_hit, compute_sled },
        { compute, swap_1_hit, compute_sled } } },
    { "interrupt-miss", false, false,
      { { compute, swap_0_miss, compute_sled },
        { compute, swap_1_miss, compute_sled } } },
    { "window-hit", false, true,
      { { compute, window_0_hit, compute_sled },
        { compute, window_1_hit, compute_sled } } },
    { "window-miss", false, false,
      { { compute, window_0_miss, compute_sled },
        { compute, window_1_miss, compute_sled } } },
};

/* One try. */
struct try {
    const struct dispatch *dispatch;
    const struct benchmark *benchmark;
    bool stamps, alone, begins;
    uint32_t phase, answer_phase;
};

static uint32_t least, most;            /* latency of all tries */
static uint32_t first;                  /* from a try's begin to the first handler's */
static uint32_t node, now, busy_alone;
static uint32_t sent_after;             /* from the time of a try to its sender's */

static bool is_polled(const struct dispatch *d)
{
    return !d->slots && !d->by[0].interrupt;
}

/* The priority of messages that this node takes. */
static unsigned priority_here(void)
{
    return node == 0;
}

static bool takes_part(const struct benchmark *b)
{
    return node <= b->receivers;
}

/* Whether this node knows the latency, since the last handler runs here. */
static bool is_last(const struct benchmark *b)
{
    return b->answered ? node == 0 : node > 0 && takes_part(b);
}

/* ---- The interface -------------------------------------------------------------- */

static uint32_t rules(void)
{
    if (DESIGN == M_MACHINE) {
        return FUGU_MM_RULE_REPLIES | FUGU_MM_RULE_COPIES;
    }
    return FUGU_MM_RULE_REPLIES | FUGU_MM_RULE_COPIES |
           (STREAMS ? FUGU_MM_RULE_STREAMS : FUGU_MM_RULE_WHOLE);
}

static void set_tables(const struct try *t)
{
    bool main = !t->dispatch->slots;
    code *const *table =
        handler_tables[t->begins ? 8 + main
                                 : 4 * main + 2 * t->benchmark->soft + t->stamps];

    for (unsigned i = 0; i < HANDLERS; i++) {
        set_handler(i, table[i], 4 * (i == BLOCK_LAST ? BLOCK_TAIL : BLOCK_BODY));
    }
}

/* Messages interrupt by way of `handler`. It is called by a vector of four
 * instructions. */
static void set_vector(code *handler)
{
    volatile uint32_t *vector = &table[4 * FUGU_TT_IRQ(FUGU_IRQ_MESSAGE)];
    uint32_t to = (uint32_t)(uintptr_t)handler;

    vector[0] = 0xa1480000;                     /* rd %psr, %l0 */
    vector[1] = 0x29000000 | to >> 10;          /* sethi %hi(handler), %l4 */
    vector[2] = 0x81c52000 | (to & 0x3ff);      /* jmp %l4 + %lo(handler) */
    vector[3] = 0x01000000;                     /* nop */
}

/* The library's table is in memory that cannot be written. */
static void copy_table(void)
{
    for (unsigned i = 0; i < TABLE_WORDS; i++) {
        table[i] = trap_table[i];
    }
    asm volatile ("wr %0, %%tbr; nop; nop; nop" : : "r" (table) : "memory");
}

/* Only where messages come: a slot that waits in a load keeps trying. */
static void set_dispatch(const struct dispatch *d, bool takes)
{
    code *interrupt = takes ? d->by[priority_here()].interrupt : NULL;

    if (d->slots && takes) {
        start_slot(0, slot_code_0);
        start_slot(1, slot_code_1);
    } else {
        NI_K(FUGU_K_MM_STATE) = FUGU_MM_SLOT_OFF;
        NI_K(FUGU_K_MM_STATE + 4) = FUGU_MM_SLOT_OFF;
    }
    if (interrupt) {
        set_vector(interrupt);
    }
    NI_K(FUGU_K_MM_IRQ) = interrupt ? 1u << priority_here() : 0;
}

/* ---- One try --------------------------------------------------------------------- */

static uint32_t busy(void)
{
    return NI_K(FUGU_K_MM_BUSY) + NI_K(FUGU_K_MM_BUSY + 4) +
           NI_K(FUGU_K_MM_BUSY + 8);
}

static void set_timer(uint32_t after)
{
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + after;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
}

static void wait_until(uint32_t time)
{
    uint64_t all = cycles();

    if ((int32_t)(time - (uint32_t)all) <= 0) {
        panic("a try begins too late");
    }
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = all + (time - (uint32_t)all);
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    cpu_wait();
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
}

/* Returns the cycles that this node was busy. */
static uint32_t run(const struct try *t)
{
    const uint32_t places[3] = {
        (t->benchmark->rounds == BLOCK_ROUNDS ? BLOCK_AT : RECORD) +
            (WINDOW + (1 << WORK_LOG)), 1 << WORK_LOG, WINDOW
    };
    bool sends = node == 0 && !t->alone;
    uint32_t phase = node == 0 ? t->phase : 0;
    unsigned by = priority_here();
    uint32_t delay = node == 0 ? t->answer_phase : 0;
    const char *place = t->dispatch->by[by].sled + 12 * (SLED / 2) -
                        12 * (delay / 2) - 4 * (delay % 2);
    uint32_t before;

    ended = 0;
    begun = 0;
    wait_until(now + phase);
    if (t->dispatch->by[by].interrupt) {
        pil_set(PIL_NONE);
    }
    if (t->dispatch->by[by].program == asleep) {
        set_timer(POLL_CYCLES * t->benchmark->rounds);
    }
    before = busy();
    send_and_go_on(sends ? t->benchmark->sender[t->stamps] : send_nothing,
                   t->dispatch->by[by].program, place, t->benchmark->rounds,
                   places);
    before = busy() - before;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
    pil_set(PIL_ALL);
    return before;
}

/* Whether all words of a block are here. */
static void check_block(void)
{
    const uint32_t *words = (const uint32_t *)(const void *)(work + BLOCK_AT);

    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        check_quietly("a word of the block", words[i], source_words[i]);
    }
    memset(work + BLOCK_AT, 0, 4 * BLOCK_WORDS);
}

static void check_record(void)
{
    const uint32_t *words = (const uint32_t *)(const void *)(work + RECORD);
    uint32_t dest = WINDOW + (node << WORK_LOG) + RECORD;

    for (unsigned i = 0; i < 8; i++) {
        check_quietly("an argument", words[i],
                      i < 4 ? arguments[i] : arguments[i - 4] + dest);
    }
    check_quietly("the thread may run", words[THREAD_READY / 4], 1);
    memset(work + RECORD, 0, 40);
}

static void check_received(const struct benchmark *b)
{
    if (node == 0 || b->answered) {
        return;
    }
    if (b->rounds == BLOCK_ROUNDS) {
        check_block();
    } else {
        check_record();
    }
}

static uint32_t one(const struct try *t, bool counts)
{
    const struct benchmark *b = t->benchmark;
    uint32_t took = run(t);

    if (t->alone) {
        return took;
    }
    check_received(b);
    first = t->begins ? begun - (now + t->phase) : first;
    if (is_last(b) && t->stamps) {
        uint32_t from = node == 0 ? sent : now + t->phase;

        if (!check_quietly("it ends in time", ended != 0, true)) {
            panic("%s %s: phase %lu, answer %lu", t->dispatch->name, b->name,
                  (unsigned long)t->phase, (unsigned long)t->answer_phase);
        }
        if (counts) {
            least = ended - from < least ? ended - from : least;
            most = ended - from > most ? ended - from : most;
        }
    }
    if (node == 0 && t->stamps) {
        uint32_t after = sent - (now + t->phase);

        if (counts && !t->benchmark->answered) {
            check_quietly("the sender's delay", after, sent_after);
        }
        sent_after = after;
    }
    return took;
}

/* ---- Phases ------------------------------------------------------------------------ */

/* With all that a try does besides, which is most for the check of a block. */
static uint32_t period(const struct benchmark *b)
{
    return b->rounds * 2 * POLL_CYCLES +
           (b->rounds == BLOCK_ROUNDS ? 60000 : b->answered ? 2000 : 8000);
}

static uint32_t next(const struct try *t, bool counts)
{
    uint32_t took = 0;

    if (takes_part(t->benchmark)) {
        took = one(t, counts);
    }
    now += period(t->benchmark);
    return took;
}

static uint32_t warm(const struct try *t)
{
    uint32_t took = 0;

    for (unsigned i = 0; i < WARM; i++) {
        took = next(t, false);
    }
    return took;
}

static void sweep(struct try *t, uint32_t step, uint32_t phases,
                  uint32_t answers)
{
    warm(t);
    for (t->phase = 0; t->phase < phases; t->phase += step) {
        for (t->answer_phase = 0; t->answer_phase < answers; t->answer_phase++) {
            next(t, true);
        }
    }
    t->phase = 0;
    t->answer_phase = 0;
}

/* The busy cycles of all phases: the least and the most, less the program's. */
static void sweep_busy(struct try *t, uint32_t step, uint32_t phases,
                       uint32_t *low, uint32_t *high)
{
    *low = ~0u;
    *high = 0;
    warm(t);
    for (t->phase = 0; t->phase < phases; t->phase += step) {
        uint32_t took = next(t, true) - busy_alone;

        *low = took < *low ? took : *low;
        *high = took > *high ? took : *high;
    }
    t->phase = 0;
}

static void print(const struct try *t, uint32_t low, uint32_t high)
{
    const struct benchmark *b = t->benchmark;

    printf("%s %s node %lu: busy %lu to %lu", t->dispatch->name, b->name,
           (unsigned long)node, (unsigned long)low, (unsigned long)high);
    if (node == 0) {
        printf(", sent after %ld", (long)(int32_t)sent_after);
    }
    if (is_last(b)) {
        printf(", latency %lu to %lu", (unsigned long)least, (unsigned long)most);
    }
    if (is_last(b) && b->rounds == BLOCK_ROUNDS) {
        printf(", first %lu", (unsigned long)first);
    }
    printf("\n");
}

/* A program that waits has no phases. Those of blockwrite are tried in steps. */
static void measure(const struct dispatch *d, const struct benchmark *b,
                    uint32_t phases)
{
    struct try t = { .dispatch = d, .benchmark = b };
    uint32_t step = b->rounds == BLOCK_ROUNDS ? BLOCK_STEP : 1;
    uint32_t low, high;

    phases = d->by[0].program == asleep ? 1 : phases;
    least = ~0u;
    most = 0;
    set_dispatch(d, takes_part(b) && (node > 0 || b->answered));
    NI_K(FUGU_K_MM_PRIORITY) = b->answered && node > 0 && !d->slots;
    t.stamps = true;
    set_tables(&t);
    sweep(&t, step, phases, b->answered ? phases : 1);
    t.stamps = false;
    t.begins = true;
    set_tables(&t);
    warm(&t);
    t.begins = false;
    set_tables(&t);
    t.alone = true;
    busy_alone = warm(&t);
    t.alone = false;
    sweep_busy(&t, step, phases, &low, &high);
    now += PRINTING;
    if (takes_part(b)) {
        print(&t, low, high);
    }
}

/* Checks what a round of the program takes without messages. */
static void check_period(const struct dispatch *d)
{
    struct try t = { .dispatch = d, .benchmark = &benchmarks[0], .alone = true };
    struct benchmark longer = benchmarks[0];
    uint32_t cycles_of[2];

    for (unsigned i = 0; i < 2; i++) {
        longer.rounds = 12 + i;
        t.benchmark = &longer;
        for (unsigned k = 0; k < WARM; k++) {
            cycles_of[i] = run(&t);
            now += period(&longer);
        }
    }
    check("cycles from poll to poll", cycles_of[1] - cycles_of[0],
          POLL_CYCLES + (IN_MEMORY && is_polled(d) ? argument("pins", 0) : 0));
    now += PRINTING;
}

/* With polling, looks that hit and those that miss differ only where more than one
 * message comes, and translation by software tells nothing new. */
static bool tells_more(const struct dispatch *d, const struct benchmark *b)
{
    return !b->soft && (d->hits || b->rounds == BLOCK_ROUNDS);
}

int main(void)
{
    uint32_t phases = argument("phases", 100);

    node = NI_U(FUGU_U_NODE);
    pil_set(PIL_ALL);
    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        source_words[i] = 0x10000 + i;
    }
    copy_table();
    NI_K(FUGU_K_MM_RULES) = rules();
    NI_K(FUGU_K_MM_GTLB) = 0;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_BASE) = WINDOW;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_SIZE) = WORK_LOG;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_LOCAL) =
        (uint32_t)(uintptr_t)work;
    NI_K(FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_GID) = FUGU_MM_VALID;
    soft_segment[SOFT_BASE / 4] = WINDOW;
    soft_segment[SOFT_LOG / 4] = WORK_LOG;
    soft_segment[SOFT_NODES / 4] = NI_U(FUGU_U_NODES);
    soft_segment[SOFT_LOCAL / 4] = (uint32_t)(uintptr_t)work;
    soft_segment[SOFT_EXTENT / 4] = 64;
    now = START;
    for (unsigned i = 0; i < sizeof(dispatches) / sizeof(dispatches[0]); i++) {
        const struct dispatch *d = &dispatches[i];

        set_dispatch(d, true);
        if (d->by[0].program != asleep) {
            check_period(d);
        }
        for (unsigned k = 0; k < sizeof(benchmarks) / sizeof(benchmarks[0]); k++) {
            if (!is_polled(d) || tells_more(d, &benchmarks[k])) {
                measure(d, &benchmarks[k], phases);
            }
        }
    }
    check_sum("what the messages brought");
    return check_result();
}
