/*
 * The M-Machine's message interface (--ni m-machine): all of it at once, on the bare
 * machine. Each node sends random messages from integer and from floating-point
 * registers to random nodes, at times, waits for Acks, and sleeps. Handlers read too few
 * words or too many, take atoms, or stop their slot when they have replied: an interrupt
 * restarts it.
 *
 * Arguments: times=N: messages of each node, 300 by default. only=1: all of them to the
 * handler that reads too few words.
 *
 * Prints one line per check of each node; the exit status is the number of failed
 * checks.
 */
#include "check.h"
#include "cycles.h"
#include "random.h"
#include "slots.h"
#include "trap.h"

#define WORDS       FUGU_MM_BODY_MAX

enum { SUM, FEW, MANY, ATOM, STOP, REPLY, DONE, HANDLERS };

/* storm_code.S: routines of 64 bytes, one for each length. */
void slot_code(void);
void sum_handler(void);
void few_handler(void);
void many_handler(void);
void atom_handler(void);
void stop_handler(void);
void reply_handler(void);
void done_handler(void);
extern const char from_integers[], from_floats[];
void await_all(void);

struct message {
    uint32_t dest, handler;
    uint32_t word[WORDS];
} __attribute__((aligned(8)));

/* What other nodes reach. */
static struct {
    volatile uint32_t replies, sum;
    volatile uint32_t done;             /* nodes, at node 0 */
    volatile uint32_t atom;             /* requests that took it */
} area __attribute__((aligned(8)));

static uint32_t only;                   /* REPLY or more: any handler */
static volatile uint32_t stops;         /* slots that were restarted */

/* What the replies add up to: how many words handlers of each kind see. */
static uint32_t seen_by(unsigned handler, const struct message *m, unsigned length)
{
    uint32_t sum = 0;
    unsigned limit = handler == FEW ? 3 : WORDS;

    for (unsigned i = 1; i < length && i < limit; i++) {
        sum += m->word[i];
    }
    return handler == ATOM ? 0 : sum;
}

/* A slot that is at fault has replied: the rest of its message is lost. */
static void restart(struct trap *t)
{
    (void)t;
    for (unsigned p = 0; p < FUGU_MM_PRIORITIES; p++) {
        if (NI_K(FUGU_K_MM_STATE + 4 * p) == FUGU_MM_SLOT_FAULT) {
            stops++;
            NI_K(FUGU_K_MM_START + 4 * p) = (uint32_t)(uintptr_t)slot_code;
        }
    }
}

/* An interrupt that comes first is masked, and ends the wait. */
static void wait(uint32_t cycles_to_wait)
{
    pil_set(PIL_ALL);
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + cycles_to_wait;
    cpu_wait();
    pil_set(PIL_NONE);
}

static void send(uint32_t *state, uint32_t *sum)
{
    static struct message m;
    unsigned length = 1 + random_below(state, WORDS);
    const char *routines = random_below(state, 2) ? from_floats : from_integers;
    void (*routine)(struct message *) =
        (void (*)(struct message *))(uintptr_t)(routines + 64 * length);
    unsigned nodes = NI_U(FUGU_U_NODES);

    m.dest = at(random_next(state) % nodes, 0);
    m.handler = random_below(state, REPLY);
    if (only < REPLY) {
        m.handler = only;
    }
    m.word[0] = at(NI_U(FUGU_U_NODE), 0);
    for (unsigned i = 1; i < WORDS; i++) {
        m.word[i] = random_next(state);
    }
    *sum += seen_by(m.handler, &m, length);
    routine(&m);
    switch (random_below(state, 8)) {
    case 0:
        await_all();
        break;
    case 1:
        wait(random_next(state) & 0x1ff);
        break;
    }
}

static void send_done(void)
{
    static struct message m;
    void (*routine)(struct message *) =
        (void (*)(struct message *))(uintptr_t)from_integers;

    m.dest = at(0, 0);
    m.handler = DONE;
    routine(&m);
}

static void timeout(struct trap *t)
{
    (void)t;
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = ~0ull;
}

int main(void)
{
    static void (*const handlers[])(void) = {
        sum_handler, few_handler, many_handler, atom_handler, stop_handler,
        reply_handler, done_handler,
    };
    uint32_t times = argument("times", 300), sum = 0, node = NI_U(FUGU_U_NODE);
    uint32_t state = random_stream(3, node, 0, 0);

    only = argument("only", HANDLERS);
    set_segment(0, &area);
    for (unsigned i = 0; i < HANDLERS; i++) {
        set_handler(i, handlers[i], sizeof(area));
    }
    start_slot(0, slot_code);
    start_slot(1, slot_code);
    while (cycles32() < 100000) {       /* all nodes have got that far */
    }
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MISMATCH), restart);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), timeout);
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = ~0ull;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    pil_set(PIL_NONE);
    for (uint32_t i = 0; i < times; i++) {
        send(&state, &sum);
    }
    while (area.replies < times) {
    }
    check("each message is answered once", area.replies, times);
    check("with the sum of what its handler sees", area.sum, sum);
    send_done();
    while (node != 0) {
        wait(1000);
    }
    while (area.done < NI_U(FUGU_U_NODES)) {
    }
    machine_stop(check_result());
}
