/*
 * Barriers. Node 0 manages them: a process sends its own records and what it
 * has seen; the last one to arrive lets all go, each with the records that it
 * lacks.
 *
 * When all processes were in a barrier, every node has seen everything. So the
 * logs are emptied.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "names.h"

/* A barrier at its manager. The arrays have a place for each node. */
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

    if (b->arrived && b->want != words[1]) {
        mistake("processes wait at one barrier for different numbers of "
                "processes");
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

static void leave(void)
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
    if (answer_words[0]) {
        base = vector[shm_self];
        fixing = true;
        visit_not_needed();
    }
}

void barrier_enter(uint32_t address, uint32_t processes)
{
    interval_close();
    if (processes == 1) {
        return;
    }
    ask_begin();
    udm_beginatom();
    post_begin(0, OP_ARRIVE);
    post_word(address);
    post_word(processes);
    post_word(floors[shm_self] > base);
    post_words(vector, shm_count);
    interval_post_own(base);
    post_end();
    udm_endatom();
    ask_end();
    leave();
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
