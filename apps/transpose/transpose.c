/*
 * The transpose of a matrix of blocks, built of small messages. See README.md.
 *
 * Node i sends block j to node j, which stores it as its block i. The blocks go
 * in as many phases as there are nodes; in phase p, node i sends to node i ^ p
 * or, if the number of nodes is no power of two, to node (p - i) modulo that
 * number. So each node has one partner in each phase, and a barrier ends it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "rq.h"
#include "udm-collective.h"
#include "udm-measure.h"

enum {
    BYTES = 4096,               /* default: of a block, the paper's */
    WORDS = 4,                  /* of a message: those of the CM-5's packets */
    PACE = 130,                 /* default: cycles to wait after an injection;
                                   with these, 64 nodes are fastest */
};

/* Each way has what the one before it has; the last one lacks the pace. */
enum way { MESSAGES, LOOP, MATCHED, ALTERNATING, LIMITED };

static const char *const names[] = {
    [MESSAGES] = "messages",            /* active messages that interrupt */
    [LOOP] = "loop",                    /* dequeued in a tight loop */
    [MATCHED] = "matched",              /* the senders are no faster than the
                                           receivers */
    [ALTERNATING] = "alternating",      /* one dequeue after each injection */
    [LIMITED] = "limited",              /* the same without matching */
};

static uint32_t *from, *to;     /* blocks, one after the other */
static uint32_t block_words, pace;
static volatile uint32_t received;      /* words of this phase */

static uint32_t content(uint32_t source, uint32_t target, uint32_t k)
{
    return (source << 20 ^ target << 10 ^ k) * 2654435761u;
}

/* ---- Messages ---------------------------------------------------------------- */

/* Arguments: the block's number here, the offset in it, and the words. */
static void store(void)
{
    uint32_t *place = to + udm_arg(0) * block_words + udm_arg(1);

    for (unsigned k = 0; k < WORDS; k++) {
        place[k] = udm_arg(2 + k);
    }
    udm_dispose();
    received += WORDS;
}

static inline bool inject(uint32_t node, const uint32_t *words, uint32_t offset)
{
    return udm_injectc(node, store, udm_node(), offset, words[0], words[1],
                       words[2], words[3]);
}

/*
 * Takes one message, if one waits. *place is the hint of the tight loop: where
 * the next message's words belong. The messages of a phase come from one node in
 * order, so it is right. This is RQ_POLL_INLINED(), but for the hint: other
 * messages, which rq_let_in() lets interrupt, may have some of the block's
 * behind them.
 */
static inline bool dequeue(uint32_t **place)
{
    if (!udm_available()) {
        return false;
    }
    if (udm_handler() == store) {
        uint32_t *here = *place;

        here[0] = udm_arg(2);
        here[1] = udm_arg(3);
        here[2] = udm_arg(4);
        here[3] = udm_arg(5);
        udm_dispose();
        *place = here + WORDS;
    } else {
        uint32_t before = received;

        rq_let_in();
        *place += received - before;
    }
    return true;
}

/* ---- A phase: sends a block to a node, and receives one ----------------------- */

static void phase_messages(uint32_t node)
{
    const uint32_t *block = from + node * block_words;

    for (uint32_t k = 0; k < block_words;) {
        if (inject(node, block + k, k)) {
            k += WORDS;
        }
    }
    while (received < block_words) {
        /* the handler stores and counts */
    }
}

/* Whether a node injects a message every `pace` cycles at most. */
static inline bool is_paced(enum way way)
{
    return way == MATCHED || way == ALTERNATING;
}

/* Whether a node takes one message after each injection, and no other. */
static inline bool takes_one(enum way way)
{
    return way == ALTERNATING || way == LIMITED;
}

static inline __attribute__((always_inline))
void phase_polling(enum way way, uint32_t node)
{
    const uint32_t *block = from + node * block_words;
    uint32_t *place = to + node * block_words, *end = place + block_words;
    uint32_t next = udm_cycles32();

    rq_begin();
    /* Messages that came before rq_begin() have interrupted. */
    place += received;
    for (uint32_t k = 0; k < block_words;) {
        bool due = !is_paced(way) || (int32_t)(udm_cycles32() - next) >= 0;

        if (due) {
            if (inject(node, block + k, k)) {
                k += WORDS;
                next = udm_cycles32() + pace;
            }
        }
        if (!takes_one(way)) {
            while (dequeue(&place)) {
            }
        } else if (due) {
            dequeue(&place);    /* also if the network had no space */
        }
    }
    while (place < end) {
        dequeue(&place);
    }
    rq_end();
}

static void phase(enum way way, uint32_t node)
{
    switch (way) {
    case MESSAGES:
        phase_messages(node);
        break;
    case LOOP:
        phase_polling(LOOP, node);
        break;
    case MATCHED:
        phase_polling(MATCHED, node);
        break;
    case ALTERNATING:
        phase_polling(ALTERNATING, node);
        break;
    case LIMITED:
        phase_polling(LIMITED, node);
        break;
    }
}

/* ---- All phases ---------------------------------------------------------------- */

static uint32_t partner(uint32_t number)
{
    uint32_t nodes = udm_nodes(), node = udm_node();

    return (nodes & (nodes - 1)) == 0 ? node ^ number
                                      : (number + nodes - node) % nodes;
}

static void transpose(enum way way)
{
    for (uint32_t number = 0; number < udm_nodes(); number++) {
        uint32_t node = partner(number);

        if (node == udm_node()) {
            memcpy(to + node * block_words, from + node * block_words,
                   block_words * sizeof(*to));
        } else {
            phase(way, node);
        }
        received = 0;
        udm_barrier();
    }
}

static void __attribute__((noreturn)) wrong(void)
{
    if (udm_node() == 0) {
        fprintf(stderr, "transpose: the arguments are messages, loop, "
                "matched, alternating or limited, the bytes of a block (a "
                "multiple of 16 up to 65536) and the cycles between two injections\n");
    }
    exit(2);
}

static uint32_t number(int argc, char **argv, int k, uint32_t usual,
                       uint32_t most)
{
    char *end;
    unsigned long value = k < argc ? strtoul(argv[k], &end, 10) : usual;

    if (value > most || (k < argc && (*end || end == argv[k]))) {
        wrong();
    }
    return value;
}

int main(int argc, char **argv)
{
    uint32_t nodes = udm_nodes(), me = udm_node(), bytes, bad = 0;
    struct udm_measured measured;
    enum way way = MESSAGES;

    while (argc > 1 && way <= LIMITED && strcmp(argv[1], names[way])) {
        way++;
    }
    bytes = number(argc, argv, 2, BYTES, 65536);
    pace = number(argc, argv, 3, PACE, 1000000);
    if (argc > 4 || way > LIMITED || bytes == 0 ||
        bytes % (4 * WORDS) != 0) {
        wrong();
    }
    block_words = bytes / 4;
    from = malloc(nodes * bytes);
    to = calloc(nodes, bytes);
    if (!from || !to) {
        fprintf(stderr, "transpose: the blocks need more memory (--ram)\n");
        return 1;
    }
    for (uint32_t k = 0; k < nodes * block_words; k++) {
        from[k] = content(me, k / block_words, k % block_words);
    }
    rq_init(RQ_BY_NI);
    transpose(way);             /* brings code and memory in */
    memset(to, 0, nodes * bytes);
    udm_measure_begin();
    transpose(way);
    measured = udm_measure_end();
    for (uint32_t k = 0; k < nodes * block_words; k++) {
        bad += to[k] != content(k / block_words, me, k % block_words);
    }
    bad = udm_reduce_all_int(UDM_SUM, bad);
    if (me == 0) {
        printf("transpose: %lu nodes, blocks of %lu bytes, %s: %.0f cycles, "
               "%s\n", (unsigned long)nodes, (unsigned long)bytes, names[way],
               (double)measured.cycles, bad ? "wrong" : "right");
    }
    udm_measure_print("transpose", &measured);
    return bad != 0;
}
