/*
 * SHRIMP's network interface (--ni shrimp): deliberate update, on the bare machine.
 * Each node sends to the next one. The MMU is off, so addresses are physical.
 *
 * Nodes agree by time alone: each phase begins at a cycle by which all nodes have
 * done the phase before.
 *
 * Arguments: dma=CYCLES, word=CYCLES: those of --dma-word and --mesh-word, if they
 * are not the defaults.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "ni.h"
#include "ops.h"
#include "trap.h"

#define PAGE        4096
#define WORDS       (PAGE / 4)
#define PHASE       100000              /* cycles */

static volatile uint32_t out[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[WORDS] __attribute__((aligned(PAGE)));
static uint32_t node, nodes;

static uint32_t address(const volatile uint32_t *word)
{
    return (uint32_t)(uintptr_t)word;
}

static uint32_t page_of(const volatile uint32_t *word)
{
    return (address(word) - FUGU_RAM_BASE) / PAGE;
}

static uint32_t command_of(const volatile uint32_t *word)
{
    return address(word) + FUGU_COMMAND_OFFSET;
}

/* The swap that starts the engine if it is free. Returns what it loads. */
static uint32_t try_send(const volatile uint32_t *from, uint32_t words)
{
    asm volatile ("swap [%1], %0"
                  : "+r" (words) : "r" (command_of(from)) : "memory");
    return words;
}

static uint32_t word(uint32_t of, uint32_t i)
{
    return of << 16 | i | 0x8000;
}

static void begin_phase(uint32_t phase)
{
    check_true("the phase before took less than its time",
               cycles32() < phase * PHASE);
    while (cycles32() < phase * PHASE) {
    }
}

/* ---- Phases --------------------------------------------------------------- */

static void map_pages(void)
{
    NI_K(FUGU_K_NIPT_PAGE) = page_of(out);
    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_NIPT_UPPER) =
        (uint64_t)((uint32_t)FUGU_NIPT_DELIBERATE << FUGU_NIPT_MODE_SHIFT |
                   (node + 1) % nodes) << 32 | address(in);
    NI_K(FUGU_K_NIPT_PAGE) = page_of(in);
    NI_K(FUGU_K_NIPT_IN) = FUGU_NIPT_IN_MAPPED;
    for (uint32_t i = 0; i < WORDS; i++) {
        out[i] = word(node, i);
    }
}

static void send_page(void)
{
    uint32_t first = try_send(out, WORDS);      /* lines take longer */
    uint32_t state = try_send(out, WORDS);
    uint32_t other = try_send(out + 1, 8);

    check("a swap starts the engine", first, 0);
    check("another one finds its own address", state & FUGU_ENGINE_HERE,
          FUGU_ENGINE_HERE);
    check_true("and words that are left", (state & FUGU_ENGINE_WORDS) > 0 &&
               (state & FUGU_ENGINE_WORDS) <= WORDS);
    check("at another address there is no command",
          other & FUGU_ENGINE_HERE, 0);
    while (REG(command_of(out))) {
    }
    check_true("a load tells that the command is over", true);
}

static void check_page(void)
{
    uint32_t from = (node + nodes - 1) % nodes;

    for (uint32_t i = 0; i < WORDS; i++) {
        check_quietly("a word of the page", in[i], word(from, i));
    }
    check_sum("the page has arrived");
    check("in 16 packets, all of which have entered their FIFO",
          NI_U(FUGU_U_CREDITED), 16);
    check("as many as were sent", NI_U(FUGU_U_SENT), 16);
}

static uint32_t data_misses(void)
{
    return REG(FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS);
}

/* Returns the misses that a load of the word takes. */
static uint32_t misses_of(const volatile uint32_t *word)
{
    uint32_t before = data_misses();

    (void)*word;
    return data_misses() - before;
}

static void arm(void)
{
    misses_of(&in[512]);
    check("what was loaded is in the cache", misses_of(&in[512]), 0);
    REG(command_of(in)) = FUGU_COMMAND_ARM;
}

static void send_words(void)
{
    out[512] = word(node, 1);
    check("a swap starts the engine again", try_send(&out[512], 8), 0);
}

static void check_arrival(void)
{
    check("an update of the page interrupts",
          NI_K(FUGU_K_PENDING) & FUGU_PEND_ARRIVAL, FUGU_PEND_ARRIVAL);
    check("the kernel learns which page", NI_K(FUGU_K_ARRIVAL), page_of(in));
    NI_K(FUGU_K_ARRIVAL) = page_of(in);
    check("and takes the arrival", NI_K(FUGU_K_PENDING), 0);
    check("the line has left the cache", misses_of(&in[512]), 1);
    check("its word is the new one", in[512],
          word((node + nodes - 1) % nodes, 1));
}

static void check_traps(void)
{
    struct op_store none = { command_of(out), 0 };
    struct op_store beyond = { command_of(&out[WORDS - 1]), 2 };

    check("no words are no command", RUN(USER, op_store_value, &none, PIL_ALL),
          FUGU_TT_PROTECTION_VIOLATION);
    check("precisely", caught.pc, PC(op_store_value_pc));
    check("nor are words past the page",
          RUN(KERNEL, op_store_value, &beyond, PIL_ALL),
          FUGU_TT_PROTECTION_VIOLATION);
    check("a swap needs a page that is mapped out",
          RUN(USER, op_swap, command_of(in), PIL_ALL),
          FUGU_TT_PROTECTION_VIOLATION);
    check("precisely", caught.pc, PC(op_swap));
    check("a byte is no command", RUN(USER, op_store_byte, command_of(out),
                                      PIL_ALL), FUGU_TT_PROTECTION_VIOLATION);
    check("no code is there: its word is the engine's state",
          RUN(KERNEL, command_of(out), 0, PIL_ALL), 2);
    check("nor where no page is mapped out",
          RUN(USER, command_of(in), 0, PIL_ALL), FUGU_TT_PROTECTION_VIOLATION);
    check("nothing was sent by these", NI_U(FUGU_U_SENT), 17);
    check("nothing was dropped", NI_K(FUGU_K_DROPPED), 0);
}

/* ---- Straight code --------------------------------------------------------- */

struct look {
    uint64_t sent, looked;              /* each after a load of the clock */
    uint32_t credited;
};

void send_and_look(uint32_t command, const char *enter, struct look *look);
extern const char look_sled[], look_sled_end[];

/* Returns the cycles from a swap to the credit of its word, which goes to the node
 * itself: the engine, the packet, the credit. */
static uint32_t credit_cycles(void)
{
    return argument("dma", 1) +
           (64 + argument("word", 4) * (FUGU_SHRIMP_OVERHEAD + 1)) + 64;
}

/* Looks after each time from a few cycles to more than the credit takes. No event
 * fires in the sled, and yet the credit is there at its cycle. */
static void check_straight_code(void)
{
    const uint32_t credit = credit_cycles();
    bool before = false, after = false;
    struct look look;

    NI_K(FUGU_K_NIPT_PAGE) = page_of(out);
    REG64(FUGU_NI_KERNEL_BASE + FUGU_K_NIPT_UPPER) =
        (uint64_t)((uint32_t)FUGU_NIPT_DELIBERATE << FUGU_NIPT_MODE_SHIFT |
                   node) << 32 | address(in);
    send_and_look(command_of(out), look_sled, &look);  /* loads the cache */
    for (const char *at = look_sled_end; at >= look_sled; at -= 4) {
        uint32_t sent;
        bool due;

        while (NI_U(FUGU_U_CREDITED) != NI_U(FUGU_U_SENT)) {
        }
        sent = NI_U(FUGU_U_SENT);
        send_and_look(command_of(out), at, &look);
        due = look.looked - look.sent >= credit;
        check_quietly("a credit in straight code", look.credited, sent + due);
        before |= look.looked - look.sent == credit - 1;
        after |= look.looked - look.sent == credit;
    }
    check_sum("a credit is there at its cycle, in straight code too");
    check_true("one cycle before was looked at", before);
    check_true("and that cycle", after);
}

int main(void)
{
    pil_set(PIL_ALL);
    node = NI_U(FUGU_U_NODE);
    nodes = NI_U(FUGU_U_NODES);
    check("the kernel learns the kind",
          REG(FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF), FUGU_NETIF_SHRIMP);
    map_pages();
    begin_phase(1);
    send_page();
    begin_phase(2);
    check_page();
    arm();
    begin_phase(3);
    send_words();
    begin_phase(4);
    check_arrival();
    check_traps();
    begin_phase(5);
    check_straight_code();
    return check_result();
}
