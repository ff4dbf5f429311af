/*
 * Barriers.
 *
 * A barrier of n processes is a tree of nodes 0 to n - 1, where the lowest n
 * processes run: node k's parent is node (k - 1) / ARITY. A node sends its parent
 * what it has gathered when all nodes below it have arrived. The root, node 0,
 * sends the records of all nodes down again.
 *
 * Any other nodes may take part instead, and no node knows of that before they
 * come. A node that is not in the tree sends its arrival to node 0. From then on
 * the barrier is flat: node 0 tells all nodes, once; they pass on what they have
 * gathered, and all later arrivals, to node 0. It lets the processes go as soon
 * as there are enough, by a tree of the nodes that wait.
 *
 * Arrivals bring records (interval.c). A node sends its own ones since the last
 * time that it was let go from this barrier: the others have the earlier ones. Of
 * another node's intervals that the sender has seen since then, it tells only the
 * number of the last one, as an empty record. A process that meets an interval
 * which it has not seen and whose record is not there forgets all its copies.
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

#define ARITY           4

/*
 * Two numbers of nodes in a word. The second word of OP_ARRIVE: how many processes
 * have arrived, of how many. The first one of OP_LEAVE: how many nodes are in a
 * list, and how many in the tree of nodes from 0; and whether all processes were
 * in the barrier.
 */
#define PAIR(low, high) ((low) | (high) << 12)
#define LOW(word)       ((word) & 0xfff)
#define HIGH(word)      ((word) >> 12 & 0xfff)
#define ALL             0x80000000

_Static_assert(FUGU_NODES_MAX <= 0xfff, "a pair has two numbers of nodes");

/* Room for records. */
struct records {
    struct records *next;       /* that are not in use */
    uint32_t head;              /* of the message that takes them down */
    uint32_t words[];           /* shm_log_words */
};

/* What a node knows of a barrier. The arrays have a place for each node; a barrier
 * of all nodes needs none of them. */
struct barrier {
    struct named name;
    bool flat;                  /* arrivals go to node 0, but for all nodes' */
    bool gaps;                  /* `gap` is not all zeros */
    uint32_t want;              /* processes, if some have arrived */
    uint32_t arrivals;          /* messages that have been gathered */
    uint32_t waiting;           /* processes that these are of */
    uint32_t *member;           /* the nodes of these processes */
    struct records *records;    /* of these nodes; NULL: none */
    uint32_t count;             /* words of them */
    uint32_t *gap;              /* by node: the last interval that one of them has
                                   seen, if there is no record; 0: none */
    /* For this node's process: */
    uint32_t *known;            /* what it had seen when it was let go last */
    /* On node 0: */
    uint32_t *now;              /* what processes have seen that have arrived */
    bool *stranger;             /* by node: it was not among the last of them that
                                   were let go */
    bool strangers;             /* one of those that wait is a stranger */
};

static struct names table;
static struct records *unused;
static uint32_t base;           /* this node's last interval at the last barrier
                                   of all processes */
static struct barrier *full;    /* a barrier of all nodes, if some have arrived at
                                   it. There is one at a time: no process enters
                                   the next one before all have arrived here */

static uint32_t *node_array(void)
{
    return private_take(shm_count * sizeof(uint32_t));
}

static bool is_full(const struct barrier *b)
{
    return b->want == shm_count;
}

static bool is_flat(const struct barrier *b)
{
    return b->flat && !is_full(b);
}

/* No process waits at the barrier: from now on it is one of so many. */
static void barrier_begin(struct barrier *b, uint32_t want)
{
    if (want == shm_count && full && full != b) {
        mistake("other processes wait for all processes at another barrier");
    }
    b->want = want;
    if (!is_full(b) && !b->known) {
        b->known = node_array();
        b->member = node_array();
        if (shm_self == 0) {
            b->now = node_array();
            b->stranger = private_take(shm_count);
        }
    }
}

static struct barrier *find(uint32_t address, uint32_t want)
{
    static struct barrier *last;        /* most programs have few */
    struct barrier *b = last;

    if (!b || b->name.address != address) {
        last = b = named(&table, address, sizeof(struct barrier));
    }
    if (!b->waiting) {
        barrier_begin(b, want);
    } else if (b->want != want) {
        mistake(different);
    }
    return b;
}

/* ---- What has been gathered --------------------------------------------- */

static void add_gap(struct barrier *b, uint32_t node, uint32_t seq)
{
    if (!b->gap) {
        b->gap = node_array();
    }
    if (seq > b->gap[node]) {
        b->gap[node] = seq;
        b->gaps = true;
    }
}

/* There is no room for more records. Their numbers remain. */
static void lose_records(struct barrier *b)
{
    const uint32_t *words = b->records->words;

    for (uint32_t at = 0; at < b->count; at += interval_words(words + at)) {
        add_gap(b, words[at], words[at + 1]);
    }
    b->count = 0;
}

static void add_record(struct barrier *b, const uint32_t *record)
{
    uint32_t words = interval_words(record);

    if (b->now && record[1] > b->now[record[0]]) {
        b->now[record[0]] = record[1];
    }
    if (!record[2]) {
        add_gap(b, record[0], record[1]);
        return;
    }
    if (!b->records) {
        b->records = unused ? unused : private_take(sizeof(*unused) +
                                                    shm_log_words * 4);
        unused = b->records->next;              /* NULL if it is new */
    }
    if (b->count + words > shm_log_words) {
        lose_records(b);
    }
    memcpy(b->records->words + b->count, record, words * sizeof(uint32_t));
    b->count += words;
}

/* Posts all records. A process that has one of them does without the empty record
 * that comes after it. */
static void post_gathered(const struct barrier *b)
{
    if (b->records) {
        post_words(b->records->words, b->count);
    }
    for (uint32_t k = 0; b->gaps && k < shm_count; k++) {
        if (b->gap[k]) {
            interval_post_gap(k, b->gap[k]);
        }
    }
}

/* The barrier is as it was before the first arrival. */
static void clear(struct barrier *b)
{
    if (b->records) {
        b->records->next = unused;
        unused = b->records;
        b->records = NULL;
    }
    if (b->gaps) {
        memset(b->gap, 0, shm_count * sizeof(uint32_t));
        b->gaps = false;
    }
    if (full == b) {
        full = NULL;
    }
    b->arrivals = b->waiting = b->count = 0;
    b->strangers = false;
}

/* ---- Down --------------------------------------------------------------- */

static uint32_t first_child(void)
{
    return ARITY * shm_self + 1;
}

/* Returns one more than the last child in a tree of so many nodes. */
static uint32_t end_child(uint32_t nodes)
{
    uint32_t end = first_child() + ARITY;

    return end < nodes ? end : nodes;
}

static uint32_t children(uint32_t nodes)
{
    uint32_t end = end_child(nodes);

    return end > first_child() ? end - first_child() : 0;
}

/* Sends records down, to each part of a list of nodes by its first node. */
static void send_to_list(const uint32_t *list, uint32_t count, uint32_t all,
                         const uint32_t *records, uint32_t words)
{
    for (uint32_t part = ARITY; count; part--) {
        uint32_t nodes = (count + part - 1) / part;

        post_begin(list[0], OP_LEAVE);
        post_word(PAIR(nodes - 1, 0) | all);
        post_words(list + 1, nodes - 1);
        post_words(records, words);
        post_end();
        list += nodes;
        count -= nodes;
    }
}

/* Words: sizes of list and tree, the list, records. The process gets the same, but
 * for the list. */
void shm_on_leave(uint32_t source, const uint32_t *words, uint32_t count)
{
    uint32_t listed = LOW(words[0]), all = words[0] & ALL;
    uint32_t end = end_child(HIGH(words[0]));

    (void)source;
    for (uint32_t node = first_child(); node < end; node++) {
        post(node, OP_LEAVE, words, count);
    }
    if (listed) {
        send_to_list(words + 1, listed, all, words + 1 + listed,
                     count - 1 - listed);
    }
    post_begin(shm_self, OP_ANSWER);
    post_word(words[0]);
    post_words(words + 1 + listed, count - 1 - listed);
    post_end();
}

/* ---- Node 0 ------------------------------------------------------------- */

/* The first processes that wait are let go. All others are strangers the next
 * time, also those that still wait: their records have gone to others. */
static void note_members(struct barrier *b)
{
    if (b->stranger) {
        memset(b->stranger, !is_full(b), shm_count);
    }
    for (uint32_t k = 0; !is_full(b) && k < b->want; k++) {
        b->stranger[b->member[k]] = false;
    }
}

/* A stranger may lack anything that others have seen. */
static void tell_strangers(struct barrier *b)
{
    for (uint32_t k = 0; k < shm_count; k++) {
        if (b->now[k]) {
            add_gap(b, k, b->now[k]);
        }
    }
}

/* To the first of the nodes that wait, with a list of the others. */
static void release_list(const struct barrier *b, uint32_t all)
{
    post_begin(b->member[0], OP_LEAVE);
    post_word(PAIR(b->want - 1, 0) | all);
    post_words(b->member + 1, b->want - 1);
    post_gathered(b);
    post_end();
}

/* To the tree of nodes, from node 0. */
static void release_tree(struct barrier *b, uint32_t all)
{
    uint32_t none, *head = b->records ? &b->records->head : &none;

    *head = PAIR(0, b->want) | all;
    if (!b->gaps) {                     /* the usual case, without a copy */
        shm_on_leave(0, head, 1 + b->count);
        return;
    }
    post_begin(0, OP_LEAVE);
    post_word(*head);
    post_gathered(b);
    post_end();
}

static void release(struct barrier *b)
{
    uint32_t left = b->waiting - b->want;
    uint32_t all = b->want == processes_live ? ALL : 0;

    if (b->strangers) {
        tell_strangers(b);
    }
    note_members(b);
    if (is_flat(b)) {
        release_list(b, all);
    } else {
        release_tree(b, all);
    }
    clear(b);
    if (left) {
        memmove(b->member, b->member + b->want, left * sizeof(uint32_t));
        b->waiting = left;
        b->strangers = true;
    }
}

/* Arrivals come to node 0 from now on. */
static void flatten(struct barrier *b)
{
    b->flat = true;
    for (uint32_t node = 1; node < shm_count; node++) {
        post(node, OP_FLAT, &b->name.address, 1);
    }
}

/* More processes have arrived; `first` have been there. */
static void arrive_at_root(struct barrier *b, uint32_t first)
{
    for (uint32_t k = first; !is_full(b) && k < b->waiting; k++) {
        b->strangers |= b->stranger[b->member[k]];
        if (b->member[k] >= b->want && !b->flat) {
            flatten(b);
        }
    }
    if (b->waiting >= b->want) {
        release(b);
    }
}

/* ---- Up ----------------------------------------------------------------- */

/* Returns the node that gets what this one has gathered. */
static uint32_t parent(const struct barrier *b)
{
    return is_flat(b) || shm_self >= b->want ? 0 : (shm_self - 1) / ARITY;
}

/* Returns whether this node waits for no other one before it sends that. */
static bool complete(const struct barrier *b)
{
    return is_flat(b) || shm_self >= b->want ||
           b->arrivals == 1 + children(b->want);
}

/* Sends what has been gathered towards node 0. */
static void pass_up(struct barrier *b)
{
    uint32_t words[2] = { b->name.address, PAIR(b->waiting, b->want) };

    post_begin(parent(b), OP_ARRIVE);
    post_words(words, 2);
    if (!is_full(b)) {
        post_words(b->member, b->waiting);
    }
    post_gathered(b);
    post_end();
    clear(b);
}

/* Words: barrier, how many processes have arrived and of how many, the nodes of
 * these if not all nodes are to come, records. */
void shm_on_arrive(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct barrier *b = find(words[0], HIGH(words[1]));
    uint32_t first = b->waiting, more = LOW(words[1]), at = 2;

    (void)source;
    b->waiting += more;
    if (is_full(b)) {
        full = b;
    } else {
        memcpy(b->member + first, words + at, more * sizeof(uint32_t));
        at += more;
    }
    while (at < count) {
        add_record(b, words + at);
        at += interval_words(words + at);
    }
    b->arrivals++;
    if (shm_self == 0) {
        arrive_at_root(b, first);
    } else if (complete(b)) {
        pass_up(b);
    }
}

/* Words: barrier. It is flat. */
void shm_on_flat(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct barrier *b = named(&table, words[0], sizeof(struct barrier));

    (void)source;
    (void)count;
    b->flat = true;
    if (b->waiting && is_flat(b)) {
        pass_up(b);
    }
}

/* ---- The process -------------------------------------------------------- */

/* Posts what this process has seen since it was let go from this barrier. At a
 * barrier of all nodes, each tells of its own intervals alone. */
static void post_news(const struct barrier *b)
{
    uint32_t had = base;

    if (!is_full(b) && b->known[shm_self] > base) {
        had = b->known[shm_self];
    }
    interval_post_own(had);
    for (uint32_t k = 0; !is_full(b) && k < shm_count; k++) {
        if (vector[k] > b->known[k] && k != shm_self) {
            interval_post_gap(k, vector[k]);
        }
    }
}

/* In an atomic section. */
static void arrive(struct barrier *b)
{
    bool gathers = !is_flat(b) && shm_self < b->want && children(b->want);

    uint32_t words[3] = { b->name.address, PAIR(1, b->want), shm_self };

    post_begin(gathers ? shm_self : parent(b), OP_ARRIVE);
    post_words(words, is_full(b) ? 2 : 3);
    post_news(b);
    post_end();
}

/* Applies the records. */
static void leave(struct barrier *b)
{
    bool all = answer_words[0] & ALL;

    interval_apply(answer_words + 1, answer_count - 1);
    if (all) {
        interval_seen(vector);
        base = vector[shm_self];
        memcpy(known_to_all, vector, shm_count * sizeof(uint32_t));
        fixing = true;
        visit_not_needed();
    }
    if (b->known) {
        memcpy(b->known, vector, shm_count * sizeof(uint32_t));
    }
}

void barrier_enter(uint32_t address, uint32_t processes)
{
    struct barrier *b;

    interval_close();
    if (processes == 1) {
        return;
    }
    ask_begin();
    udm_beginatom();
    b = find(address, processes);
    arrive(b);
    udm_endatom();
    ask_end();
    leave(b);
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
    COST_BEGIN("barrier", barrier);
    barrier_enter((uintptr_t)barrier, processes);
    COST_END();
    counts.barriers++;
    counts.barrier_cycles += udm_cycles32() - start;
    call_leave();
}
