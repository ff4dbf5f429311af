/*
 * What messages cost, measured: table 4's send and receive by polling, and the
 * mesh's latency to each node and for each length.
 *
 * Node 0 pings and checks; all others answer. Two nodes are enough. Arguments:
 * base, hop, word, width of the mesh, if they are not the defaults.
 *
 * Prints the latencies and one line per check; the exit status is the number
 * of failed checks.
 */
#include "check.h"
#include "console.h"
#include "contract.h"
#include "cycles.h"
#include "ni.h"
#include "stamp.h"
#include "trap.h"

/* Defined in latency_code.S. */
uint32_t user_send_null(uint32_t header);
uint32_t kernel_send_null(uint32_t header);
uint32_t receive_null(void);

/* Table 4, in cycles. */
#define SEND_DESCRIPTION        6
#define SEND_LAUNCH             1
#define POLL                    3
#define POLL_DISPATCH           5
#define POLL_NULL_HANDLER       1

static uint32_t node, nodes;

/* Waits longer than any message takes on an idle mesh. */
static void pause(void)
{
    uint32_t start = cycles32();

    while (cycles32() - start < 1024) {
    }
}

/* ---- Costs at the two ends ----------------------------------------------- */

static void drop_all(void)
{
    pause();
    while (ni_available()) {
        ni_dispose();
    }
}

/* Cycles that the piece takes when it is executed a second time. */
#define COST(mode, piece, argument) \
    (RUN(mode, piece, argument, PIL_ALL), RUN(mode, piece, argument, PIL_ALL), \
     caught.o[0] - CYCLES_READ)

static void check_costs(void)
{
    check("a null message is sent in 7 cycles, kernel",
          COST(KERNEL, kernel_send_null, node),
          SEND_DESCRIPTION + SEND_LAUNCH);
    check("a null message is sent in 7 cycles, user",
          COST(USER, user_send_null, node), SEND_DESCRIPTION + SEND_LAUNCH);

    /* Four null messages to this node are under way. */
    pause();
    check("a null message is received by polling in 9 cycles, kernel",
          COST(KERNEL, receive_null, 0),
          POLL + POLL_DISPATCH + POLL_NULL_HANDLER);
    check("a null message is received by polling in 9 cycles, user",
          COST(USER, receive_null, 0),
          POLL + POLL_DISPATCH + POLL_NULL_HANDLER);
    check("all four were received", ni_available(), false);
    drop_all();
}

/* ---- Latencies ----------------------------------------------------------- */

/* Returns the mesh's latency by its formula, with this machine's parameters. */
static uint32_t latency(uint32_t to, uint32_t words)
{
    uint32_t width = argument("width", mesh_width(nodes));
    uint32_t hops = to % width + to / width;    /* between `to` and node 0 */

    return argument("base", MESH_BASE) + argument("hop", MESH_HOP) * hops +
           argument("word", MESH_WORD) * words;
}

enum { PING, PONG, END };       /* handler words; not used as addresses */

struct stamp {
    uint32_t latency;           /* of the received message */
    uint32_t handler, words, source, last;
};

static struct stamp receive(void)
{
    struct stamp s;
    uint32_t now = stamp_wait();

    s.latency = now - ni_in(2);
    s.handler = ni_in(1);
    s.words = ni_length();
    s.source = header_node(ni_in(0));
    s.last = ni_in(s.words - 1);
    ni_dispose();
    return s;
}

/* Pings a node, and compares both ways with the mesh's formula. */
static struct stamp ping(uint32_t to, uint32_t words)
{
    struct stamp pong;

    pause();    /* the node must be waiting, and all links free */
    stamp_send(to, PING, words, 0);
    pong = receive();
    check_quietly("a ping takes what the mesh takes", pong.last,
                  latency(to, words));
    check_quietly("a pong has as many words", pong.words, words);
    check_quietly("a pong takes what the mesh takes", pong.latency,
                  latency(to, words));
    return pong;
}

#define SHORTEST        4       /* words: header, handler, stamp and last */
#define SHOWN_NODES     15      /* enough to see the rule */

static void ping_all(void)
{
    for (uint32_t to = 1; to < nodes; to++) {
        struct stamp pong = ping(to, SHORTEST);

        if (to <= SHOWN_NODES) {
            printf("  node %4u  there %3u  and back %3u cycles\n", to,
                   pong.last, pong.latency);
        }
    }
    check_sum("latency is base + hop * hops + word * words, to every node");
    for (uint32_t words = SHORTEST; words <= FUGU_MSG_WORDS; words++) {
        ping(1, words);
    }
    check_sum("the same for every length");
    for (uint32_t to = 1; to < nodes; to++) {
        stamp_send(to, END, 3, 0);
    }
}

/* A message from node 0 to itself. */
static void ping_self(void)
{
    pause();
    stamp_send(node, PING, 3, 0);
    check("a message to oneself takes the base and its words",
          receive().latency, latency(0, 3));
}

static void answer_all(void)
{
    for (;;) {
        struct stamp s = receive();

        if (s.handler == END) {
            return;
        }
        stamp_send(s.source, PONG, s.words, s.latency);
    }
}

int main(void)
{
    node = ni_node();
    nodes = ni_nodes();
    if (node != 0) {
        answer_all();
        return 0;
    }
    printf("latency on %u nodes\n", nodes);
    check_costs();
    ping_self();
    if (nodes > 1) {
        ping_all();
    }
    return check_result();
}
