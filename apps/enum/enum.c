/*
 * Enum: counts the solutions of triangular peg solitaire. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "board.h"
#include "level.h"
#include "udm-collective.h"
#include "udm-measure.h"

enum {
    SIDE = 6,                   /* default */
    HOLE = 4,                   /* default: the middle of the third row */
    HASHES = 1024,              /* values of the bits that select a node */
};

/*
 * A node is in level k, or has left udm_quiesce() of level k and is in k + 1
 * already. So it gets messages for levels k + 1 and k + 2, which is the next
 * one with the parity of k. When a node calls udm_quiesce(), it has cleared
 * level k.
 */
static struct level level[2];
static unsigned parity;         /* of the level that this node goes through */

static uint16_t node_of_hash[HASHES];
static uint64_t jumps;          /* tried by this node */
static uint32_t sent;           /* messages of this level */

/*
 * The lower bits of a board's hash select its node, and the others are for the
 * table of the level there.
 */
static uint32_t node_of(uint32_t hash)
{
    return node_of_hash[hash % HASHES];
}

static void store(uint32_t board, uint32_t hash, uint64_t count, unsigned to)
{
    level_add(&level[to], board, hash / HASHES, count);
}

/* Handler: a board. Arguments: the board, the count, and the parity. */
static void add(void)
{
    uint32_t board = udm_arg(0);
    uint64_t count = (uint64_t)udm_arg(1) << 32 | udm_arg(2);

    store(board, board_hash(board), count, udm_arg(3));
    udm_dispose();
    udm_count_handled(1);
}

/* Sends a board of the next level to its node. */
static void send(uint32_t board, uint64_t count)
{
    uint32_t hash = board_hash(board), node = node_of(hash);

    if (node == udm_node()) {
        udm_beginatom();
        store(board, hash, count, !parity);
        udm_endatom();
    } else {
        sent++;
        udm_inject(node, add, board, count >> 32, count, !parity);
    }
}

/* Tries all jumps from a board. */
static void try_jumps(const struct entry *entry)
{
    uint32_t board = entry->board;

    for (unsigned i = 0; i < board_jump_count; i++) {
        const struct jump *jump = &board_jumps[i];

        if ((board & jump->holes) == jump->before) {
            jumps++;
            send(board_least(board ^ jump->holes), entry->count);
        }
    }
}

static uint64_t solutions;      /* of this node */

static void add_up(const struct entry *entry)
{
    solutions += entry->count;
}

/* Goes through all levels, and returns the boards that this node has had. */
static uint64_t enumerate(uint32_t start)
{
    uint64_t boards = 0;
    unsigned levels = board_holes - 2;  /* from all pegs but one to one peg */

    start = board_least(start);
    if (node_of(board_hash(start)) == udm_node()) {
        store(start, board_hash(start), 1, 0);
    }
    for (unsigned i = 0; i < levels; i++) {
        level_visit(&level[parity], try_jumps);
        boards += level[parity].boards;
        level_clear(&level[parity]);
        /*
         * All at once is early enough: no node leaves udm_quiesce() before this
         * node has called it. To count each message would take an atomic
         * section each time.
         */
        udm_count_sent(sent);
        sent = 0;
        udm_quiesce();
        parity = !parity;
    }
    level_visit(&level[parity], add_up);
    return boards + level[parity].boards;
}

/* ---- Arguments and results ---------------------------------------------- */

static const char usage[] =
    "usage: enum [--wait spin|yield] [--after CYCLES] [SIDE [HOLE]]\n"
    "Counts the solutions of triangular peg solitaire.\n"
    "  SIDE          holes on each side of the triangle: 3 to 7, default 6\n"
    "  HOLE          the empty hole, row by row from 0; default 4\n"
    "  --wait spin   wait for messages in a loop (default)\n"
    "  --wait yield  give the slot away while waiting\n"
    "  --after CYCLES\n"
    "                compute for so long first; default 0\n";

static unsigned side = SIDE, empty = HOLE;

/* Ends the program: 2, with a line on node 0 that says what is wrong. */
static void refuse(const char *what)
{
    if (udm_node() == 0) {
        fprintf(stderr, "enum: %s; enum --help lists the arguments\n", what);
    }
    exit(2);
}

static unsigned number(const char *text, unsigned least, unsigned most,
                       const char *what)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (end == text || *end || value < least || value > most) {
        refuse(what);
    }
    return value;
}

static void read_arguments(int argc, char **argv)
{
    static const struct option options[] = {
        { "help", no_argument, NULL, 'h' },
        { "wait", required_argument, NULL, 'w' },
        { "after", required_argument, NULL, 'a' },
        { },
    };
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            if (udm_node() == 0) {
                fputs(usage, stdout);
            }
            exit(0);
        } else if (option == 'a') {
            arguments_compute(number(optarg, 0, ARGUMENTS_AFTER_MAX,
                                     "--after takes 0 to 100000000 cycles"));
        } else if (option == 'w' && strcmp(optarg, "spin") == 0) {
            udm_collective_wait(UDM_WAIT_SPIN);
        } else if (option == 'w' && strcmp(optarg, "yield") == 0) {
            udm_collective_wait(UDM_WAIT_BLOCK);
        } else {
            refuse(option == 'w' ? "--wait takes spin or yield"
                                 : "an option that it does not have");
        }
    }
    if (argc - optind > 2) {
        refuse("more than two arguments");
    }
    if (optind < argc) {
        side = number(argv[optind], SIDE_MIN, SIDE_MAX,
                      "SIDE must be a number from 3 to 7");
    }
    if (optind + 1 < argc) {
        empty = number(argv[optind + 1], 0, side * (side + 1) / 2 - 1,
                       "the board has no such HOLE");
    }
}

int main(int argc, char **argv)
{
    struct udm_measured measured;
    uint64_t boards;

    read_arguments(argc, argv);
    board_init(side);
    for (unsigned i = 0; i < HASHES; i++) {
        node_of_hash[i] = i % udm_nodes();
    }
    udm_measure_begin();
    boards = enumerate(((1u << board_holes) - 1) & ~(1u << empty));
    measured = udm_measure_end();

    boards = udm_reduce_int(0, UDM_SUM, boards);
    jumps = udm_reduce_int(0, UDM_SUM, jumps);
    solutions = udm_reduce_int(0, UDM_SUM, solutions);
    if (udm_node() == 0) {
        printf("enum: side %u, hole %u: %" PRIu64 " solutions\n", side, empty,
               solutions);
        printf("enum: %" PRIu64 " boards, %" PRIu64 " jumps\n", boards, jumps);
    }
    udm_measure_print("enum", &measured);
    return 0;
}
