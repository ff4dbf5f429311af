/*
 * Locks, with a distributed queue: the manager of a lock knows the last node
 * that has asked for it, and sends the next one there. That node passes the
 * lock on when it has unlocked it, with the records that the next one lacks, and
 * words that the lock carries (carry.c). A node that locks again what no other node
 * has asked for sends nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "carry.h"
#include "names.h"

struct lock {
    struct named name;
    uint32_t manager;           /* that node, plus 1; 0: not known yet */
    /* On the manager: */
    uint32_t tail;              /* the last node that asked, plus 1; 0: none */
    /* On every node: */
    bool here;                  /* the lock is on this node, locked or not */
    bool held;                  /* the process has locked it */
    uint32_t next;              /* the node that gets it next, plus 1 */
    uint32_t *seen;             /* what that node has seen */
    uint32_t seq;               /* here: of the last store that the lock has carried */
};

static struct names table;
static bool granted;            /* the answer begins with what the lock carries */

static struct lock *find(uint32_t address)
{
    return named(&table, address, sizeof(struct lock));
}

/* Returns the lock's manager. (A remainder takes 400 cycles.) */
static uint32_t manager(struct lock *lock)
{
    if (!lock->manager) {
        lock->manager = manager_of(lock->name.address) + 1;
    }
    return lock->manager - 1;
}

/* Passes the lock on to the next node. */
static void pass(struct lock *lock)
{
    uint32_t node = lock->next - 1;

    lock->here = false;
    lock->next = 0;
    post_begin(node, lock->seq ? OP_GRANT : OP_ANSWER);
    if (lock->seq) {
        carry_post(lock->name.address, lock->seq);
    }
    interval_post(lock->seen);
    post_end();
}

/* The process is no longer in a lock's section. In a section. */
static void leave(uint32_t address)
{
    if (!order_kept) {
        carry_gave(address);
        visit_after_section();
    }
}

/* Opens a lock that a process has locked, which may be gone. In a section. */
static void open(struct lock *lock)
{
    if (lock->here && lock->held) {
        lock->held = false;
        leave(lock->name.address);
        if (lock->next) {
            pass(lock);
        }
    }
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
    uint32_t last = lock->tail;

    lock->tail = source + 1;
    if (last) {
        post(last - 1, OP_FORWARD, words, count);
    } else {
        post(source, OP_ANSWER, NULL, 0);       /* no records */
    }
}

/* Words: what the lock carries, records. */
void shm_on_grant(uint32_t source, const uint32_t *words, uint32_t count)
{
    granted = true;
    shm_on_answer(source, words, count);
}

static void get(struct lock *lock)
{
    uint32_t at = 0;

    granted = false;
    ask_begin();
    udm_beginatom();
    post_begin(manager(lock), OP_LOCK);
    post_word(lock->name.address);
    post_word(shm_self);
    post_words(vector, shm_count);
    post_end();
    udm_endatom();
    ask_end();
    if (granted) {
        at = carry_take(lock->name.address, &lock->seq, answer_words);
    }
    interval_apply(answer_words + at, answer_count - at);
    if (granted) {
        carry_apply(lock->name.address);
    }
}


void lock_take(uint32_t address)
{
    struct lock *lock;
    bool here;

    interval_close_for(address);
    udm_beginatom();
    lock = find(address);
    if (lock->held) {
        mistake("this process has locked it already");
    }
    here = lock->here;
    lock->held = true;
    if (!here) {
        udm_endatom();
        get(lock);
        udm_beginatom();
        lock->here = true;
    }
    if (!order_kept) {
        carry_took(address, &lock->seq);
    }
    udm_endatom();
}

void lock_give(uint32_t address)
{
    struct lock *lock;

    interval_close_for(address);
    udm_beginatom();
    lock = find(address);
    if (!lock->held) {
        mistake("this process has not locked it");
    }
    lock->held = false;
    leave(address);
    if (lock->next) {
        pass(lock);
    }
    udm_endatom();
}

/* ---- Initialisation ------------------------------------------------------- */

/* Words: lock, the node that initialises it. On the last node that asked for it. */
void shm_on_lock_open(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    open(find(words[0]));
    post(words[1], OP_ANSWER, NULL, 0);
}

/* Words: lock. At the manager. */
void shm_on_lock_init(uint32_t source, const uint32_t *words, uint32_t count)
{
    const struct lock *lock = named_before(&table, words[0]);
    uint32_t more[2] = { words[0], source };

    (void)count;
    if (lock && lock->tail) {
        post(lock->tail - 1, OP_LOCK_OPEN, more, 2);
    } else {
        post(source, OP_ANSWER, NULL, 0);
    }
}

/*
 * Only the node that has a lock knows whether it is locked: by a process that has
 * ended, or in memory that was freed. Before there is a second process, that can be
 * no other node, and nothing is asked.
 */
void shm_lock_init(struct shm_lock *lock)
{
    uint32_t address = (uintptr_t)lock;
    struct lock *known;
    bool here;

    ENTER(CALL_LOCK, lock);
    udm_beginatom();
    known = named_before(&table, address);
    here = known && known->here;
    if (here) {
        open(known);
    }
    udm_endatom();
    if (!here && (shm_self || processes_created)) {
        ask(manager_of(address), OP_LOCK_INIT, &address, 1);
    }
    call_leave();
}

/* ---- The program's calls --------------------------------------------------- */

void shm_lock(struct shm_lock *lock)
{
    uint32_t start = udm_cycles32();

    ENTER(CALL_LOCK, lock);
    COST_BEGIN("lock", lock);
    lock_take((uintptr_t)lock);
    COST_END();
    counts.locks++;
    counts.lock_cycles += udm_cycles32() - start;
    call_leave();
}

void shm_unlock(struct shm_lock *lock)
{
    ENTER(CALL_UNLOCK, lock);
    COST_BEGIN("unlock", lock);
    lock_give((uintptr_t)lock);
    COST_END();
    call_leave();
}
