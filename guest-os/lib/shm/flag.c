/*
 * Flags (PAUSE) and counters (GETSUB).
 *
 * The manager of a flag knows which node has changed it last. A process that
 * has waited for it acquires from that node.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "names.h"

/* What a process asks of a flag. */
enum {
    FLAG_CLEAR,                 /* answers at once */
    FLAG_SET,                   /* answers at once */
    FLAG_TEST,                  /* answers at once: whether it is set */
    FLAG_WAIT,                  /* until it is set */
    FLAG_TAKE,                  /* until it is set; clears it */
    FLAG_PUT,                   /* until it is clear; sets it */
};

struct waiting {
    struct waiting *next;
    uint32_t node, how;
};

struct flag {
    struct named name;
    bool set;
    uint32_t last;              /* the node that changed it last */
    struct waiting *first, **end;
};

static struct names flags;
static struct waiting *unused;

/* Words of an answer: whether the flag was set, the node that changed it. */
static void answer(uint32_t node, bool set, uint32_t last)
{
    uint32_t words[2] = { set, last };

    post(node, OP_ANSWER, words, 2);
}

/* Does what is asked, if the flag allows it now. */
static bool act(struct flag *f, uint32_t node, uint32_t how)
{
    bool was = f->set;
    uint32_t last = f->last;

    if ((how == FLAG_WAIT || how == FLAG_TAKE) && !f->set) {
        return false;
    }
    if (how == FLAG_PUT && f->set) {
        return false;
    }
    if (how != FLAG_TEST && how != FLAG_WAIT) {
        f->set = how == FLAG_SET || how == FLAG_PUT;
        f->last = node;
    }
    answer(node, was, last);
    return true;
}

static void queue(struct flag *f, uint32_t node, uint32_t how)
{
    struct waiting *w = unused;

    if (w) {
        unused = w->next;
    } else {
        w = private_take(sizeof(*w));
    }
    w->next = NULL;
    w->node = node;
    w->how = how;
    if (!f->first) {
        f->end = &f->first;
    }
    *f->end = w;
    f->end = &w->next;
}

/* Serves those who wait, as far as the flag allows it, in order. */
static void serve(struct flag *f)
{
    struct waiting **at = &f->first;

    while (*at) {
        struct waiting *w = *at;

        if (act(f, w->node, w->how)) {
            *at = w->next;
            w->next = unused;
            unused = w;
            at = &f->first;
        } else {
            at = &w->next;
        }
    }
    f->end = at;
}

/* Words: flag, what is asked. */
void shm_on_flag(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct flag *f = named(&flags, words[0], sizeof(struct flag));

    (void)count;
    if (act(f, source, words[1])) {
        serve(f);
    } else {
        queue(f, source, words[1]);
    }
}

/* Returns whether the flag was set. */
static bool flag_ask(struct shm_flag *flag, uint32_t how)
{
    uint32_t words[2] = { (uintptr_t)flag, how };
    bool set;

    interval_close();
    ask(manager_of(words[0]), OP_FLAG, words, 2);
    set = answer_words[0];
    if (how >= FLAG_WAIT || (how == FLAG_TEST && set)) {
        interval_acquire(answer_words[1], 0);
    }
    return set;
}

static void flag_wait(struct shm_flag *flag, uint32_t how, uint32_t start)
{
    COST_BEGIN("flag", flag);
    flag_ask(flag, how);
    COST_END();
    counts.flags++;
    counts.flag_cycles += udm_cycles32() - start;
    call_leave();
}

void shm_flag_init(struct shm_flag *flag)
{
    ENTER(CALL_FLAG, flag);
    flag_ask(flag, FLAG_CLEAR);
    call_leave();
}

void shm_flag_clear(struct shm_flag *flag)
{
    ENTER(CALL_FLAG, flag);
    flag_ask(flag, FLAG_CLEAR);
    call_leave();
}

void shm_flag_set(struct shm_flag *flag)
{
    ENTER(CALL_FLAG, flag);
    flag_ask(flag, FLAG_SET);
    call_leave();
}

int shm_flag_test(struct shm_flag *flag)
{
    bool set;

    ENTER(CALL_FLAG, flag);
    set = flag_ask(flag, FLAG_TEST);
    call_leave();
    return set;
}

void shm_flag_wait(struct shm_flag *flag)
{
    uint32_t start = udm_cycles32();

    ENTER(CALL_FLAG_WAIT, flag);
    flag_wait(flag, FLAG_WAIT, start);
}

void shm_flag_take(struct shm_flag *flag)
{
    uint32_t start = udm_cycles32();

    ENTER(CALL_FLAG_TAKE, flag);
    flag_wait(flag, FLAG_TAKE, start);
}

void shm_flag_put(struct shm_flag *flag)
{
    uint32_t start = udm_cycles32();

    ENTER(CALL_FLAG_PUT, flag);
    flag_wait(flag, FLAG_PUT, start);
}

/* ---- Counters ----------------------------------------------------------- */

struct counter {
    struct named name;
    int32_t next;
};

static struct names counters;

#define COUNTER_RESET   INT32_MIN       /* in place of the last number */

/* Words: counter, last number. The answer: the next number, or -1. */
void shm_on_counter(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct counter *c = named(&counters, words[0], sizeof(struct counter));
    int32_t last = words[1];
    uint32_t got;

    (void)count;
    if (last == COUNTER_RESET) {
        c->next = 0;
    }
    got = c->next <= last ? c->next++ : -1;
    post(source, OP_ANSWER, &got, 1);
}

static int counter_ask(struct shm_counter *counter, int last)
{
    uint32_t words[2] = { (uintptr_t)counter, last };

    ask(manager_of(words[0]), OP_COUNTER, words, 2);
    return answer_words[0];
}

void shm_counter_init(struct shm_counter *counter)
{
    ENTER(CALL_GETSUB, counter);
    counter_ask(counter, COUNTER_RESET);
    call_leave();
}

/*
 * The counter's address names a lock and a barrier as well. After the barrier
 * one process begins anew, under the lock; the others must not be ahead of it.
 */
int shm_getsub(struct shm_counter *counter, int last, int processes)
{
    uint32_t address = (uintptr_t)counter;
    int got;

    ENTER(CALL_GETSUB, counter);
    if (processes < 1 || (uint32_t)processes > shm_count) {
        mistake("the number of processes is not one from 1 to the number of "
                "nodes (-n)");
    }
    lock_take(address);
    got = counter_ask(counter, last);
    lock_give(address);
    if (got < 0) {
        barrier_enter(address, processes);
        counter_ask(counter, COUNTER_RESET);
        barrier_enter(address, processes);
    }
    call_leave();
    return got;
}
