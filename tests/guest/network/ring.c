/*
 * The first program to run: a token goes round all nodes, then all nodes send
 * messages to all.
 *
 * Every word that arrives is compared with the rule that made it. Node 0
 * prints what all nodes have counted. Arguments: laps, rounds, words, seed,
 * and rows, the number of nodes that the table shows. The exit status is 1 if
 * a check failed, else 0.
 */
#include "am.h"
#include "check.h"
#include "cycles.h"
#include "random.h"
#include "ring_report.h"
#include "trap.h"

static struct {
    uint32_t laps;      /* rounds that the token makes */
    uint32_t rounds;    /* messages that a node sends in one exchange */
    uint32_t words;     /* length of the longest message */
    uint32_t seed;
} setting;

static uint32_t node, nodes;

static struct ring_row row;             /* what this node has counted */

/* ---- The token ----------------------------------------------------------- */

static volatile uint32_t token_seen;    /* arrivals of the token here */
static uint32_t token_next;             /* hop number of the next arrival */

/* Returns the token's value at a hop: random, and known to all nodes. */
static uint32_t token_value(uint32_t hop)
{
    return random_stream(setting.seed, hop, 0, 0);
}

static void token_arrives(void)
{
    check_quietly("the token comes from the node before", am_source(),
                  (node ? node : nodes) - 1);
    check_quietly("the token knows its hop", am_arg(0), token_next);
    check_quietly("the token carries its value", am_arg(1),
                  token_value(token_next));
    token_next += nodes;
    token_seen++;
}

static void token_pass(uint32_t hop)
{
    uint32_t args[] = { hop, token_value(hop) };

    am_send(node + 1 < nodes ? node + 1 : 0, token_arrives, 2, args, true);
}

/* Returns the cycles that all laps took. Interrupts stay masked; all nodes
 * poll. */
static uint32_t token_laps(void)
{
    uint32_t start, hop = node + 1;

    token_next = node ? node : nodes;
    barrier();
    start = cycles32();
    for (uint32_t lap = 1; lap <= setting.laps; lap++, hop += nodes) {
        if (node == 0) {
            token_pass(hop);
            am_wait(&token_seen, lap);
        } else {
            am_wait(&token_seen, lap);
            token_pass(hop);
        }
    }
    return cycles32() - start;
}

/* ---- All nodes to all nodes ---------------------------------------------- */

/*
 * In round r node i sends to node i + r, modulo the number of nodes, itself
 * included. Length and words of a message follow from the number of the
 * exchange, its sender and its round.
 */
enum { ARG_TIME, ARG_ROUND, ARG_RANDOM };

static uint32_t exchange;               /* number of the current exchange */
static volatile uint32_t arrived;       /* messages of this exchange */
static uint16_t arrived_from[FUGU_NODES_MAX];

/* Returns how many arguments this message has. The message's words are the
 * next ones of the stream. */
static uint32_t exchange_args(uint32_t source, uint32_t round,
                              uint32_t *stream)
{
    uint32_t most = setting.words - 2 - ARG_RANDOM + 1;

    *stream = random_stream(setting.seed + exchange, source, round, 1);
    return ARG_RANDOM + random_below(stream, most);
}

static void exchange_arrives(void)
{
    uint32_t latency = cycles32() - am_arg(ARG_TIME);
    uint32_t source = am_source();
    uint32_t behind = node >= source ? node - source : node + nodes - source;
    uint32_t round = behind + arrived_from[source]++ * nodes;
    uint32_t stream;
    uint32_t args = exchange_args(source, round, &stream);

    check_quietly("messages of a pair come in order", am_arg(ARG_ROUND),
                  round);
    check_quietly("a message has its length", ni_length(), 2 + args);
    for (uint32_t k = ARG_RANDOM; k < args; k++) {
        check_quietly("a word arrives as it was sent", am_arg(k),
                      random_next(&stream));
    }
    row.messages++;
    row.words += ni_length();
    row.latency_sum += latency;
    if (latency > row.latency_max) {
        row.latency_max = latency;
    }
    arrived++;
}

static void exchange_send(uint32_t to, uint32_t round, bool polling)
{
    uint32_t arg[AM_ARGS], stream;
    uint32_t args = exchange_args(node, round, &stream);

    arg[ARG_ROUND] = round;
    for (uint32_t k = ARG_RANDOM; k < args; k++) {
        arg[k] = random_next(&stream);
    }
    arg[ARG_TIME] = cycles32();
    am_send(to, exchange_arrives, args, arg, polling);
}

/* Other nodes may start the exchange before this node's barrier() returns. */
static void exchange_all(uint32_t number, bool polling)
{
    uint32_t start, to = node, interrupts = am_interrupts();

    exchange = number;
    arrived = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        arrived_from[i] = 0;
    }
    barrier();

    start = cycles32();
    pil_set(polling ? PIL_ALL : PIL_NONE);
    for (uint32_t round = 0; round < setting.rounds; round++) {
        exchange_send(to, round, polling);
        to = to + 1 < nodes ? to + 1 : 0;
        if (polling) {
            am_poll();
        }
    }
    am_wait(&arrived, setting.rounds);
    pil_set(PIL_ALL);
    row.cycles += cycles32() - start;
    row.interrupts += am_interrupts() - interrupts;
    check_quietly("as many arrive as were sent", arrived, setting.rounds);
    barrier();
}

/* ---- Main ---------------------------------------------------------------- */

static void read_setting(void)
{
    node = ni_node();
    nodes = ni_nodes();
    setting.laps = argument("laps", 3);
    setting.rounds = argument("rounds", 32);
    setting.words = argument("words", FUGU_MSG_WORDS);
    setting.seed = argument("seed", 1);
    if (setting.words < 2 + ARG_RANDOM || setting.words > FUGU_MSG_WORDS) {
        panic("words must be between %d and %d", 2 + ARG_RANDOM,
              FUGU_MSG_WORDS);
    }
    if (setting.rounds > 0xffff) {
        panic("rounds must be below 65536");
    }
}

int main(void)
{
    uint32_t lap_cycles;

    read_setting();
    am_init();
    if (node == 0) {
        ring_heading(nodes, setting.seed);
    }
    lap_cycles = token_laps();
    if (node == 0) {
        ring_token_line(setting.laps, nodes, lap_cycles);
    }
    exchange_all(1, false);
    exchange_all(2, true);
    row.checks = check_quiet_count();
    row.failures = check_quiet_failures();
    ring_report(&row, argument("rows", 16));
    return row.failures != 0;
}
