/*
 * Copies of node 0's memory on nodes that have no process yet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <unistd.h>

#include "start.h"
#include "udm-transfer.h"

/*
 * For each process that runs beside the first one, so many nodes get copies at
 * most; without any, one node. So not many copies are for nothing.
 */
#define COPIES_EACH     7

/* If so many pieces had changed for the last process, a tree brings all copies up
 * to date. */
#define CHANGES_LEAST   8

enum copy {
    NO_COPY,
    COMING,                     /* tree_send() has been called */
    HELD,                       /* it has come */
    REFUSED,                    /* the node has too little memory */
};

static volatile uint8_t *copy_of;       /* by node: enum copy */
static volatile uint32_t held;  /* copies that have come */
static uint32_t made;           /* copies that have come, or will */
static volatile uint32_t rooms;         /* answers to OP_COPY */
static volatile uint8_t *room;          /* by node: its answer */
static uint32_t *chosen;                /* nodes for tree_send() */

/* Pieces of data and heap that copies_send() has sent last, to a node with a copy:
 * they had changed. */
static uint32_t changes;

void copies_init(void)
{
    copy_of = private_take(shm_count);
    room = private_take(shm_count);
    chosen = private_take(shm_count * sizeof(*chosen));
}

void tree_held(uint32_t node)
{
    copy_of[node] = HELD;
    held++;
    wake();
}

/* Word: whether the node takes a copy. */
void shm_on_room(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)count;
    room[source] = words[0];
    rooms++;
    wake();
}

/* ---- Many copies at once ------------------------------------------------- */

/* Asks the chosen nodes for room, and leaves those out that have none. */
static uint32_t ask_for_room(uint32_t count, bool changed)
{
    uint32_t left = 0;

    rooms = 0;
    for (uint32_t k = 0; k < count; k++) {
        udm_beginatom();
        post_begin(chosen[k], OP_COPY);
        post_word((uintptr_t)sbrk(0));
        post_word(changed);
        tree_announce();
        post_end();
        udm_endatom();
    }
    wait_for(&rooms, count);
    for (uint32_t k = 0; k < count; k++) {
        copy_of[chosen[k]] = room[chosen[k]] ? COMING : REFUSED;
        if (room[chosen[k]]) {
            chosen[left++] = chosen[k];
        }
    }
    return left;
}

static void make_copies(uint32_t count, bool changed)
{
    tree_collect(changed);
    count = ask_for_room(count, changed);
    made += count;
    tree_send(chosen, count);
}

/* Makes copies on the free nodes from `node` on. The copies that others have are
 * of no use then: the record of changed pages begins anew. */
static void begin_copies(uint32_t node, uint32_t most)
{
    uint32_t count = 0;

    for (uint32_t k = 1; k < shm_count; k++) {
        if (copy_of[k] == HELD) {
            copy_of[k] = NO_COPY;
        }
    }
    for (uint32_t k = node; k < shm_count && count < most; k++) {
        if (node_is_free(k) && copy_of[k] == NO_COPY) {
            chosen[count++] = k;
        }
    }
    make_copies(count, false);
}

/* Brings all copies up to date. */
static void renew_copies(void)
{
    uint32_t count = 0;

    for (uint32_t k = 1; k < shm_count; k++) {
        if (copy_of[k] == HELD) {
            chosen[count++] = k;
        }
    }
    make_copies(count, true);
}

/*
 * If much had changed for the last process, the next ones need that too, and a tree
 * sends it once.
 */
void copies_prepare(uint32_t node, uint32_t others)
{
    bool has = copy_of[node] == HELD || copy_of[node] == COMING;

    if (has && changes >= CHANGES_LEAST) {
        wait_for(&held, made);
        renew_copies();
        changes = 0;
    } else if (copy_of[node] == NO_COPY) {
        wait_for(&held, made);
        begin_copies(node, others ? COPIES_EACH * others : 1);
    }
}

/* ---- Memory of one process ----------------------------------------------- */

/* Sends pieces to the same addresses of a node. Returns how many. */
static uint32_t send(uint32_t node, struct range range, enum pieces which)
{
    struct piece piece;
    uint32_t count = 0;

    for (; piece_next(&range, which, &piece); count++) {
        if (piece.zero) {
            uint32_t words[2] = { piece.at, piece.bytes };

            udm_beginatom();
            post(node, OP_ZERO, words, 2);
            udm_endatom();
        } else {
            udm_transfer(node, (void *)piece.at, (void *)piece.at,
                         piece.bytes);
        }
    }
    return count;
}

/* Returns whether a node has a copy. Waits for one that is on its way. */
static bool has_copy(uint32_t node)
{
    for (;;) {
        uint32_t now = held;

        if (copy_of[node] != COMING) {
            return copy_of[node] == HELD;
        }
        wait_for(&held, now + 1);
    }
}

void copies_send(uint32_t node, uint32_t sp)
{
    uint32_t words[2] = { (uintptr_t)sbrk(0), has_copy(node) }, count;
    bool good;

    ask(node, OP_BEGIN, words, 2);
    good = answer_words[0];
    copy_of[node] = NO_COPY;
    count = send(node, data_range(), good ? PIECES_CHANGED : PIECES_ALL);
    count += send(node, heap_range(), good ? PIECES_CHANGED : PIECES_NOT_ZERO);
    changes = good ? count : 0;
    send(node, (struct range) { sp, GLAZE_MAIN_STACK_TOP }, PIECES_ALL);
}
