/*
 * Locks, with a distributed queue: the manager of a lock knows the last node
 * that has asked for it, and sends the next one there. That node passes the
 * lock on when it has unlocked it, with the records that the next one lacks. A
 * node that locks again what no other node has asked for sends nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "names.h"

struct lock {
    struct named name;
    /* On the manager: */
    uint32_t tail;              /* the last node that asked, plus 1; 0: none */
    /* On every node: */
    bool here;                  /* the lock is on this node, locked or not */
    bool held;                  /* the process has locked it */
    uint32_t next;              /* the node that gets it next, plus 1 */
    uint32_t *seen;             /* what that node has seen */
};

static struct named *table[NAMES];

static struct lock *find(uint32_t address)
{
    return named(table, address, sizeof(struct lock));
}

/* Passes the lock on to the next node. */
static void pass(struct lock *lock)
{
    uint32_t node = lock->next - 1;

    lock->here = false;
    lock->next = 0;
    post_begin(node, OP_ANSWER);
    interval_post(lock->seen);
    post_end();
}

/* Words: lock, the node that asks, what it has seen. */
void shm_on_forward(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct lock *lock = find(words[0]);

    (void)source;
    (void)count;
    if (!lock->seen) {
        lock->seen = private_take(shm_count * sizeof(uint32_t));
    }
    memcpy(lock->seen, words + 2, shm_count * sizeof(uint32_t));
    lock->next = words[1] + 1;
    if (lock->here && !lock->held) {
        pass(lock);
    }
}

/* Words: as above. At the manager. */
void shm_on_lock(uint32_t source, const uint32_t *words, uint32_t count)
{
    struct lock *lock = find(words[0]);
    uint32_t last = lock->tail, none = 0;

    lock->tail = source + 1;
    if (last) {
        post(last - 1, OP_FORWARD, words, count);
    } else {
        post(source, OP_ANSWER, &none, 1);      /* no records */
    }
}

static void get(struct lock *lock)
{
    ask_begin();
    udm_beginatom();
    post_begin(manager_of(lock->name.address), OP_LOCK);
    post_word(lock->name.address);
    post_word(shm_self);
    post_words(vector, shm_count);
    post_end();
    udm_endatom();
    ask_end();
    interval_apply(answer_words, answer_count);
}

void lock_take(uint32_t address)
{
    struct lock *lock;
    bool here;

    interval_close();
    udm_beginatom();
    lock = find(address);
    if (lock->held) {
        mistake("this process has locked it already");
    }
    here = lock->here;
    lock->held = true;
    udm_endatom();
    if (!here) {
        get(lock);
        lock->here = true;
    }
}

void lock_give(uint32_t address)
{
    struct lock *lock;

    interval_close();
    udm_beginatom();
    lock = find(address);
    if (!lock->held) {
        mistake("this process has not locked it");
    }
    lock->held = false;
    if (lock->next) {
        pass(lock);
    }
    udm_endatom();
}

void shm_lock_init(struct shm_lock *lock)
{
    (void)lock;
}

void shm_lock(struct shm_lock *lock)
{
    uint32_t start = udm_cycles32();

    ENTER(CALL_LOCK, lock);
    lock_take((uintptr_t)lock);
    counts.locks++;
    counts.lock_cycles += udm_cycles32() - start;
    call_leave();
}

void shm_unlock(struct shm_lock *lock)
{
    ENTER(CALL_UNLOCK, lock);
    lock_give((uintptr_t)lock);
    call_leave();
}
