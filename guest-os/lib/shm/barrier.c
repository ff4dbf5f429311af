/*
 * Barriers.
 *
 * A barrier of as many processes as there are nodes is a tree: node n's parent
 * is node (n - 1) / ARITY. A node sends its parent the records of all nodes
 * below it, when they have arrived. The root, node 0, sends all records down
 * again.
 *
 * Barriers of fewer processes may be of any nodes, so node 0 manages them: a
 * process sends its own records and what it has seen; the last one to arrive
 * lets all go, each with the records that it lacks.
 *
 * When all processes were in a barrier, every node has seen everything. So the
 * logs are emptied.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "names.h"

static const char different[] = "processes wait at one barrier for different "
                                "numbers of processes";

/* A barrier of fewer processes than nodes, at node 0. The arrays have a place for each node. */
struct barrier {
    struct named name;
    uint32_t want;              /* processes */
    uint32_t arrived;
    uint32_t **seen;            /* by node: what it has seen; NULL: not here */
    uint32_t **kept;            /* memory for it */
    uint32_t *most;             /* the most that a node has seen */
    uint32_t *records;          /* of the processes that are here */
    uint32_t count;             /* words of them */
    bool lost;                  /* there were more than LOG_WORDS */
};

static struct named *table[NAMES];
static uint32_t base;           /* this node's last interval at the last barrier
                                   of all processes */

/*
 * The nodes below this one, and this one, at a barrier of all nodes. There is
 * one at a time: no process enters the next one before all have arrived here.
 */
static struct {
    uint32_t address;           /* of the barrier */
    uint32_t arrived;           /* children, and this node */
    uint32_t *records, count;
    bool lost;                  /* some records are not there */
} tree;

static struct barrier *find(uint32_t address)
{
    struct barrier *b = named(table, address, sizeof(struct barrier));

    if (!b->seen) {
        b->seen = private_take(shm_count * sizeof(*b->seen));
        b->kept = private_take(shm_count * sizeof(*b->kept));
        b->most = private_take(shm_count * sizeof(uint32_t));
        b->records = private_take(LOG_WORDS * sizeof(uint32_t));
    }
    return b;
}

/* Returns whether a node lacks something that no record here tells it of. */
static bool lacks(const struct barrier *b, const uint32_t *seen)
{
    for (uint32_t k = 0; k < shm_count; k++) {
        if (!b->seen[k] && seen[k] < b->most[k]) {
            return true;
        }
    }
    return b->lost;
}

/*
 * Words of the answer: whether all processes were here, whether to forget all
 * copies, what everyone has seen now, records.
 */
static void release(const struct barrier *b, uint32_t node)
{
    const uint32_t *seen = b->seen[node], *r;
    bool all = lacks(b, seen);

    post_begin(node, OP_ANSWER);
    post_word(b->want == processes_live);
    post_word(all);
    post_words(b->most, shm_count);
    for (uint32_t at = 0; !all && at < b->count; at += 3 + r[2]) {
        r = b->records + at;
        if (r[1] > seen[r[0]]) {
            post_words(r, 3 + r[2]);
        }
    }
    post_end();
}

static void release_all(struct barrier *b)
{
    for (uint32_t k = 0; k < shm_count; k++) {
        if (b->seen[k]) {
            release(b, k);
        }
    }
    memset(b->seen, 0, shm_count * sizeof(*b->seen));
    b->arrived = b->count = 0;
    b->lost = false;
}

static void add_records(struct barrier *b, const uint32_t *words,
                        uint32_t count)
{
    if (b->count + count > LOG_WORDS) {
        b->lost = true;
        return;
    }
    memcpy(b->records + b->count, words, count * sizeof(uint32_t));
    b->count += count;
}

/* Words: barrier, processes, whether records are lost, seen, own records. */
void shm_on_arrive(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct barrier *b = find(words[0]);

    if ((b->arrived && b->want != words[1]) ||
        (tree.arrived && tree.address == words[0])) {
        mistake(different);
    }
    b->want = words[1];
    b->lost |= words[2];
    if (!b->kept[source]) {
        b->kept[source] = private_take(shm_count * sizeof(uint32_t));
    }
    b->seen[source] = b->kept[source];
    memcpy(b->seen[source], words + 3, shm_count * sizeof(uint32_t));
    for (uint32_t k = 0; k < shm_count; k++) {
        if (b->arrived == 0 || b->seen[source][k] > b->most[k]) {
            b->most[k] = b->seen[source][k];
        }
    }
    add_records(b, words + 3 + shm_count, count - 3 - shm_count);
    if (++b->arrived == b->want) {
        release_all(b);
    }
}

static void leave_some(void)
{
    const uint32_t *seen = answer_words + 2;
    uint32_t at = 2 + shm_count;

    while (at < answer_count) {
        at += interval_apply_record(answer_words + at);
    }
    rights_flush();
    if (answer_words[1]) {
        interval_forget_all();
    }
    interval_seen(seen, answer_words[0] || answer_words[1]);
}

static void enter_some(uint32_t address, uint32_t processes)
{
    post_begin(0, OP_ARRIVE);
    post_word(address);
    post_word(processes);
    post_word(floors[shm_self] > base);
    post_words(vector, shm_count);
    interval_post_own(base);
    post_end();
}

/* ---- The tree ----------------------------------------------------------- */

#define ARITY           4

static uint32_t first_child(void)
{
    return ARITY * shm_self + 1;
}

static uint32_t end_child(void)
{
    uint32_t end = first_child() + ARITY;

    return end < shm_count ? end : shm_count;
}

static uint32_t children(void)
{
    return end_child() > first_child() ? end_child() - first_child() : 0;
}

/* All nodes are there. Words: whether records are lost, then records. */
void shm_on_leave(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    for (uint32_t node = first_child(); node < end_child(); node++) {
        post(node, OP_LEAVE, words, count);
    }
    post(shm_self, OP_ANSWER, words, count);
}

/* Keeps the records; if there are too many, all nodes forget all copies. */
static void tree_add(const uint32_t *words, uint32_t count)
{
    if (!tree.records) {
        tree.records = private_take((1 + LOG_WORDS) * sizeof(uint32_t));
    }
    if (tree.count + count > LOG_WORDS) {
        tree.lost = true;
        return;
    }
    memcpy(tree.records + 1 + tree.count, words, count * sizeof(uint32_t));
    tree.count += count;
}

/* This node and all below it have arrived. */
static void tree_up(void)
{
    uint32_t count = tree.count, lost = tree.lost;

    tree.arrived = tree.count = 0;
    tree.lost = false;
    if (shm_self == 0) {
        tree.records[0] = lost;
        shm_on_leave(0, tree.records, 1 + count);
    } else {
        post_begin((shm_self - 1) / ARITY, OP_ARRIVE_ALL);
        post_word(tree.address);
        post_word(lost);
        post_words(tree.records + 1, count);
        post_end();
    }
}

/* Words: barrier, whether records are lost, records. */
void shm_on_arrive_all(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct barrier *b = shm_self == 0 ? find(words[0]) : NULL;

    (void)source;
    if (tree.arrived && tree.address != words[0]) {
        mistake("other processes wait for all processes at another barrier");
    }
    if (b && b->arrived) {
        mistake(different);
    }
    tree.address = words[0];
    tree.lost |= words[1];
    tree_add(words + 2, count - 2);
    if (++tree.arrived == 1 + children()) {
        tree_up();
    }
}

/* A node whose records are lost tells the number of its last interval. */
static void enter_all(uint32_t address)
{
    bool lost = floors[shm_self] > base;
    uint32_t last[3] = { shm_self, vector[shm_self], 0 };

    post_begin(children() ? shm_self : (shm_self - 1) / ARITY, OP_ARRIVE_ALL);
    post_word(address);
    post_word(lost);
    interval_post_own(base);
    if (lost) {
        post_words(last, 3);
    }
    post_end();
}

/* The records tell what all have seen. */
static void leave_all(void)
{
    for (uint32_t at = 1; at < answer_count;) {
        at += interval_apply_record(answer_words + at);
    }
    rights_flush();
    if (answer_words[0]) {
        interval_forget_all();
    }
    interval_seen(vector, true);
}

/* ---- Either ------------------------------------------------------------- */

void barrier_enter(uint32_t address, uint32_t processes)
{
    bool all = processes == shm_count;

    interval_close();
    if (processes == 1) {
        return;
    }
    ask_begin();
    udm_beginatom();
    if (all) {
        enter_all(address);
    } else {
        enter_some(address, processes);
    }
    udm_endatom();
    ask_end();
    if (all) {
        leave_all();
    } else {
        leave_some();
        all = answer_words[0];
    }
    if (all) {
        base = vector[shm_self];
        memcpy(known_to_all, vector, shm_count * sizeof(uint32_t));
        fixing = true;
        visit_not_needed();
    }
}

void shm_barrier_init(struct shm_barrier *barrier)
{
    (void)barrier;
}

void shm_barrier(struct shm_barrier *barrier, int processes)
{
    uint32_t start = udm_cycles32();

    ENTER(CALL_BARRIER, barrier);
    if (processes < 1 || (uint32_t)processes > shm_count) {
        mistake("the number of processes is not one from 1 to the number of "
                "nodes (-n)");
    }
    barrier_enter((uintptr_t)barrier, processes);
    counts.barriers++;
    counts.barrier_cycles += udm_cycles32() - start;
    call_leave();
}
