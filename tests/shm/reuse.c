/*
 * shm-reuse SEED OPERATIONS [PAGES [switch]]: random programs that take, fill, pass on and
 * free blocks of shared memory, and wait in between in all the ways there are.
 *
 * Each process does OPERATIONS operations, in an order that follows from the seed.
 * A block is in a slot that all processes share, under the slot's lock, or belongs to
 * one process. What its words must be follows from two keys, which are where the block
 * is. Who gets a block finds it all zero, and who finds one in a slot, whoever has
 * written it, finds its words. Blocks begin with locks, some of which are locked when
 * their block is freed. Each block goes by a flag to the next process, too, which frees
 * it. In between, processes wait in usleep(), at barriers, and for answers that a thread
 * of another process computes with the FPU.
 *
 * PAGES (default 4) is how many pages of its own each process writes and checks; more
 * than a node has room for go to backing store. With `switch`, the thread that answers
 * runs while the first one waits for such a page.
 *
 * The first wrong answer ends the job with a line that names it, and with status 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"
#include "glaze-calls.h"
#include "shm.h"
#include "udm-thread.h"

enum {
    SLOTS = 24,                 /* that all processes share */
    OWN = 12,                   /* blocks of each process alone */
    NODES = 64,
    PAGES = 400,
    WORDS = GLAZE_PAGE / 4,
    MEETINGS = 5,               /* of all processes, in a run */
    LOCKED = 8,                 /* blocks of so many words begin with a lock */
};

/* Words below `cut` follow from key[0], the others from key[1]. A key of 0: all are 0. */
struct block {
    uint32_t *word;             /* NULL: none */
    uint32_t words, cut, key[2];
};

static struct shared {
    struct block slot[SLOTS], passed[NODES];
    uint32_t taken, freed, asked, ins;
} *s;

static struct shm_lock slot_lock[SLOTS], sum_lock;
static struct shm_flag full[NODES], empty[NODES];
static struct shm_barrier barrier;
static struct shm_counter counter;

static struct block own[OWN];
static uint32_t page[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t page_key[PAGES], pages = 4;

static uint32_t seed, operations, operation, count, me, state;
static uint32_t taken, freed, asked;
static bool switches;

static uint32_t pick(uint32_t below)
{
    return (random_next(&state) >> 3) % below;
}

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    printf("process %lu, operation %lu: %s\n", (unsigned long)me,
           (unsigned long)operation, text);
    exit(1);
}

/* ---- Blocks --------------------------------------------------------------- */

static uint32_t word_of(const struct block *block, uint32_t k)
{
    uint32_t key = block->key[k >= block->cut];

    return key ? key + k * 0x9e3779b1u : 0;
}

static uint32_t any_key(void)
{
    return pick(3) ? random_next(&state) : 0;
}

static void fill(struct block *block, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++) {
        block->word[k] = word_of(block, k);
    }
}

static void check(const struct block *block, const char *where)
{
    for (uint32_t k = 0; k < block->words; k++) {
        if (block->word[k] != word_of(block, k)) {
            fail("word %lu of %lu of a block %s, at %p, is 0x%lx, not 0x%lx",
                 (unsigned long)k, (unsigned long)block->words, where,
                 (void *)(block->word + k), (unsigned long)block->word[k],
                 (unsigned long)word_of(block, k));
        }
    }
}

static struct shm_lock *lock_of(const struct block *block)
{
    return block->words >= LOCKED ? (struct shm_lock *)block->word : NULL;
}

static void take(struct block *block)
{
    static const uint32_t below[] = { 4, 60, 60, WORDS, 2 * WORDS, 6 * WORDS };
    uint32_t words = 1 + pick(below[pick(6)]);

    if (pick(8) == 0) {
        words = WORDS * (1 + pick(3));
    }
    block->word = shm_malloc(words * 4);
    if (!block->word || (uintptr_t)block->word % 16 ||
        (words >= WORDS && (uintptr_t)block->word % GLAZE_PAGE)) {
        fail("shm_malloc(%lu) is %p", (unsigned long)words * 4, (void *)block->word);
    }
    taken++;
    block->words = words;
    for (uint32_t k = 0; k < words; k++) {
        if (block->word[k]) {
            fail("word %lu of a new block of %lu, at %p, is 0x%lx", (unsigned long)k,
                 (unsigned long)words, (void *)(block->word + k),
                 (unsigned long)block->word[k]);
        }
    }
    if (lock_of(block)) {
        shm_lock_init(lock_of(block));
    }
    block->cut = pick(words + 1);
    block->key[0] = any_key();
    block->key[1] = any_key();
    fill(block, block->key[0] ? 0 : block->cut, block->key[1] ? words : block->cut);
}

/* Writes some of a block anew. */
static void change(struct block *block)
{
    uint32_t part = pick(2);

    if (pick(6) == 0) {
        block->cut = pick(block->words + 1);
        fill(block, 0, block->words);
    }
    block->key[part] = any_key();
    fill(block, part ? block->cut : 0, part ? block->words : block->cut);
}

static void give_back(struct block *block)
{
    if (lock_of(block) && pick(2)) {
        shm_lock(lock_of(block));       /* and so it stays */
    }
    shm_free(block->word);
    block->word = NULL;
    freed++;
}

/* A process has a block, or could take one. */
static void use(struct block *block, const char *where)
{
    if (!block->word) {
        take(block);
        return;
    }
    check(block, where);
    switch (pick(5)) {
    case 0:
    case 1:
        give_back(block);
        break;
    case 2:
        if (lock_of(block)) {
            shm_lock(lock_of(block));
            change(block);
            shm_unlock(lock_of(block));
        }
        break;
    case 3:
        change(block);
        break;
    }
}

static void use_slot(void)
{
    uint32_t k = pick(SLOTS);
    struct block *mine = &own[pick(OWN)], other;

    shm_lock(&slot_lock[k]);
    if (pick(4)) {
        use(&s->slot[k], "in a slot");
    } else {                    /* the two change places */
        other = *mine;
        *mine = s->slot[k];
        s->slot[k] = other;
    }
    shm_unlock(&slot_lock[k]);
}

/* Each process gets a block from the one before it, and frees it. */
static void pass_on(void)
{
    uint32_t next = (me + 1) % count;

    take(&s->passed[next]);
    shm_flag_put(&full[next]);
    shm_flag_take(&full[me]);
    check(&s->passed[me], "that was passed on");
    give_back(&s->passed[me]);
    shm_flag_put(&empty[me]);
    shm_flag_take(&empty[next]);
}

/* ---- Pages of each process alone ------------------------------------------- */

static void fill_page(uint32_t k)
{
    page_key[k] = random_next(&state);
    for (uint32_t i = 0; i < WORDS; i++) {
        page[k][i] = page_key[k] + i;
    }
}

static void use_page(void)
{
    uint32_t k = pick(pages);

    for (uint32_t i = pick(9); i < WORDS; i += 9) {
        if (page[k][i] != page_key[k] + i) {
            fail("word %lu of page %lu of its own is 0x%lx, not 0x%lx",
                 (unsigned long)i, (unsigned long)k, (unsigned long)page[k][i],
                 (unsigned long)(page_key[k] + i));
        }
    }
    if (pick(2)) {
        fill_page(k);
    }
}

/* ---- Questions ------------------------------------------------------------- */

static struct {
    uint32_t node, value;
} question[NODES];              /* a process has one under way at a time */

static volatile uint32_t come, answered, answer;
static volatile bool over;
static udm_thread_t *first, *helper;

static void on_answer(void)
{
    answer = udm_arg(0);
    udm_dispose();
    answered++;
    udm_thread_wake(first);
}

static void on_question(void)
{
    question[come % NODES].node = udm_source();
    question[come % NODES].value = udm_arg(0);
    udm_dispose();
    come++;
    udm_thread_wake(helper);
}

static uint32_t computed(uint32_t value)
{
    return value * 3.25;
}

static void *help(void *unused)
{
    uint32_t done = 0;

    while (!over) {
        if (done == come) {
            udm_thread_block();
            continue;
        }
        (void)*(volatile uint32_t *)page[done % pages];     /* may be out */
        udm_inject(question[done % NODES].node, on_answer,
                   computed(question[done % NODES].value));
        done++;
    }
    return unused;
}

static void ask(void)
{
    uint32_t value = pick(1 << 28), before = answered;

    udm_inject(pick(count), on_question, value);
    if (pick(2)) {              /* the answer may come while something else waits */
        use_slot();
    }
    while (answered == before) {
        udm_thread_block();
    }
    if (answer != computed(value)) {
        fail("the answer is %lu, not %lu", (unsigned long)answer,
             (unsigned long)computed(value));
    }
    asked++;
}

/* ---- All of it -------------------------------------------------------------- */

static void meet(uint32_t k)
{
    switch (hash(seed, k, 5) % 3) {
    case 0:
        shm_barrier(&barrier, count);
        break;
    case 1:
        while (shm_getsub(&counter, 5, count) >= 0) {
        }
        break;
    default:
        pass_on();
    }
}

/* Now and then, blocks go from one process to another by being freed alone: few locks
 * bring the news of other writes along. */
static void operate(void)
{
    static const uint32_t shares[] = { 0, 1, 4, 12 };
    uint32_t sharing = shares[hash(seed, operation / (operations / MEETINGS + 1), 7) % 4];

    switch (pick(12)) {
    case 0:
        usleep(pick(300));
        break;
    case 1:
        udm_thread_yield();
        break;
    case 2:
        ask();
        break;
    case 3:
    case 4:
        use_page();
        break;
    default:
        if (pick(16) < sharing) {
            use_slot();
        } else {
            use(&own[pick(OWN)], "of its own");
        }
    }
}

static void run(void *argument)
{
    struct glaze_count pager;

    me = (uintptr_t)argument;
    state = hash(seed, me, 99) | 1;
    first = udm_thread_self();
    helper = udm_thread_create(help, NULL, pick(2) ? UDM_HIGH : UDM_NORMAL);
    udm_thread_switch_on_fault(switches);
    shm_barrier(&barrier, count);
    for (operation = 1; operation <= operations; operation++) {
        operate();
        if (operation % (operations / MEETINGS + 1) == 0) {
            meet(operation);
        }
    }
    for (uint32_t k = 0; k < OWN; k++) {
        if (own[k].word) {
            check(&own[k], "of its own");
            give_back(&own[k]);
        }
    }
    shm_barrier(&barrier, count);
    over = true;
    udm_thread_wake(helper);
    udm_thread_join(helper);
    glaze_count(&pager);
    shm_lock(&sum_lock);
    s->taken += taken;
    s->freed += freed;
    s->asked += asked;
    s->ins += pager.ins;
    shm_unlock(&sum_lock);
}

int main(int argc, char **argv)
{
    void *low;

    shm_init();
    if (argc < 3 || argc > 5 || shm_nodes() > NODES) {
        return 2;
    }
    seed = atoi(argv[1]);
    operations = atoi(argv[2]);
    pages = argc > 3 ? (uint32_t)atoi(argv[3]) : pages;
    switches = argc > 4;
    if (pages < 1 || pages > PAGES) {
        return 2;
    }
    count = shm_nodes();
    state = seed | 1;
    for (uint32_t k = 0; k < pages; k++) {
        fill_page(k);
    }
    s = shm_malloc(sizeof(*s));
    low = shm_malloc(GLAZE_PAGE);
    shm_free(low);
    for (uint32_t k = 1; k < count; k++) {
        shm_create_with(run, (void *)k);
    }
    run(NULL);
    shm_wait_for_end(count - 1);
    taken = freed = 0;
    for (uint32_t k = 0; k < SLOTS; k++) {
        if (s->slot[k].word) {
            check(&s->slot[k], "in a slot, at the end");
            give_back(&s->slot[k]);
        }
    }
    s->freed += freed;
    if (s->taken != s->freed) {
        fail("%lu blocks taken, %lu freed", (unsigned long)s->taken,
             (unsigned long)s->freed);
    }
    if (shm_malloc(GLAZE_PAGE) != low) {
        fail("not all of shared memory is free");
    }
    printf("reuse: %lu operations, %lu blocks, %lu answers, %lu pages came back: right\n",
           (unsigned long)(operations * count), (unsigned long)s->taken,
           (unsigned long)s->asked, (unsigned long)s->ins);
    return 0;
}
