/*
 * crl-mixture SEED OPERATIONS PAGES: random threads and handlers that use CRL.
 *
 * Each thread of each node does OPERATIONS operations, in an order that follows from the
 * seed. A slot has a region that says which other region is there now; any node replaces
 * that by a new one of another size, whose home it is. Threads read and write what is
 * there, flush it, map it many times, and wait in the midst of operations: in usleep(),
 * for a question that a handler of another node answers, for other threads. They write
 * and check PAGES pages of the node's own, too. In between, all nodes meet: barriers,
 * broadcasts, reductions.
 *
 * A region's words follow from its slot, its generation and its version. Each write
 * makes a new version: in the end there are as many as there were writes. A node that has
 * written tells another one by a message, which then must not read an older one.
 *
 * The first wrong answer ends the job with a line that names it, and with status 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "glaze-calls.h"
#include "random.h"
#include "crl.h"
#include "udm-collective.h"
#include "udm-thread.h"

enum {
    THREADS = 3,
    SLOTS = 10,
    PAGES = 400,
    WORDS = GLAZE_PAGE / 4,
    MEETINGS = 4,               /* of all nodes, in a run */
};

/* What the first region of a slot says. */
struct slot {
    rid_t rid;                  /* 0: nothing is there */
    uint32_t generation, words;
    uint32_t gone;              /* versions of earlier generations */
};

/* What a node knows of a slot. */
static struct {
    rid_t rid;
    struct slot *data;
    uint32_t writes;            /* of this node */
    volatile uint32_t generation, version;      /* that must not be older when it is read */
} slots[SLOTS];

struct thread {
    uint32_t id, state, operation;
};

static uint32_t seed, operations, pages, me, nodes;
static uint32_t page[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t page_key[PAGES];
static udm_mutex_t crl;         /* one thread at a time is in a call */
static uint32_t asked, made, written;

static uint32_t pick(struct thread *t, uint32_t below)
{
    return (random_next(&t->state) >> 3) % below;
}

static void __attribute__((noreturn, format(printf, 2, 3)))
fail(struct thread *t, const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    printf("node %lu, thread %ld, operation %lu: %s\n", (unsigned long)me,
           t ? (long)t->id : -1, t ? (unsigned long)t->operation : 0, text);
    exit(1);
}

/* ---- Waiting in between --------------------------------------------------- */

struct answer {
    udm_thread_t *thread;
    volatile uint32_t value;
    volatile bool here;
};

static uint32_t computed(uint32_t value)
{
    return (value >> 4) * 1.25;
}

static void on_answer(void)
{
    struct answer *answer = (struct answer *)udm_arg(0);

    answer->value = udm_arg(1);
    udm_dispose();
    answer->here = true;
    udm_thread_wake(answer->thread);
}

static void on_question(void)
{
    uint32_t node = udm_source(), place = udm_arg(0), value = udm_arg(1);
    uint32_t waits = udm_arg(2);

    udm_dispose();
    if (waits) {
        usleep(waits);
    }
    udm_inject(node, on_answer, place, computed(value));
}

static void ask(struct thread *t, bool may_wait)
{
    struct answer answer = { .thread = udm_thread_self() };
    uint32_t value = random_next(&t->state);

    udm_inject(pick(t, nodes), on_question, (uintptr_t)&answer, value,
               may_wait && pick(t, 2) ? pick(t, 100) : 0);
    while (!answer.here) {
        udm_thread_block();
    }
    if (answer.value != computed(value)) {
        fail(t, "the answer is %lu, not %lu", (unsigned long)answer.value,
             (unsigned long)computed(value));
    }
    asked++;
}

static void use_page(struct thread *t, uint32_t k)
{
    for (uint32_t i = pick(t, 9); i < WORDS; i += 9) {
        if (page[k][i] != page_key[k] + i) {
            fail(t, "word %lu of page %lu of its own is 0x%lx, not 0x%lx",
                 (unsigned long)i, (unsigned long)k, (unsigned long)page[k][i],
                 (unsigned long)(page_key[k] + i));
        }
    }
    if (pick(t, 2)) {
        page_key[k] = random_next(&t->state);
        for (uint32_t i = 0; i < WORDS; i++) {
            page[k][i] = page_key[k] + i;
        }
    }
}

/* In the midst of an operation: other nodes wait for this one meanwhile. */
static void linger(struct thread *t)
{
    switch (pick(t, 10)) {
    case 0:
        usleep(pick(t, 60));
        break;
    case 1:
        udm_thread_yield();
        break;
    case 2:
        ask(t, false);
        break;
    case 3:
        use_page(t, pick(t, pages));
        break;
    }
}

/* ---- Regions ----------------------------------------------------------------- */

/* Word 0 is the version. */
static uint32_t word_of(uint32_t k, uint32_t generation, uint32_t version, uint32_t i)
{
    return version ? version * 0x9e3779b1u + generation * 7919 + k * 77 + i : 0;
}

static void on_written(void)
{
    uint32_t k = udm_arg(0), generation = udm_arg(1), version = udm_arg(2);

    udm_dispose();
    if (generation > slots[k].generation ||
        (generation == slots[k].generation && version > slots[k].version)) {
        slots[k].generation = generation;
        slots[k].version = version;
    }
}

/* Checks what an open operation has found. `known` is what had to be there before. */
static uint32_t look(struct thread *t, uint32_t k, const struct slot *slot, uint32_t *data,
                     uint32_t known)
{
    uint32_t step = slot->words > 200 ? 1 + pick(t, 30) : 1;

    if (data[0] < known) {
        fail(t, "version %lu of slot %lu is older than %lu", (unsigned long)data[0],
             (unsigned long)k, (unsigned long)known);
    }
    for (uint32_t i = 1 + pick(t, step); i < slot->words; i += step) {
        if (data[i] != word_of(k, slot->generation, data[0], i)) {
            fail(t, "word %lu of %lu of version %lu in slot %lu is 0x%lx, not 0x%lx",
                 (unsigned long)i, (unsigned long)slot->words, (unsigned long)data[0],
                 (unsigned long)k, (unsigned long)data[i],
                 (unsigned long)word_of(k, slot->generation, data[0], i));
        }
    }
    return data[0];
}

/* Operations on what is in a slot, which is open for reading. */
static void use_region(struct thread *t, uint32_t k)
{
    struct slot slot = *slots[k].data;
    uint32_t *data = rgn_map(slot.rid), known, version = 0;

    if (rgn_size(data) != slot.words * 4 || rgn_rid(data) != slot.rid) {
        fail(t, "region 0x%lx of %lu bytes is another one", (unsigned long)slot.rid,
             (unsigned long)slot.words * 4);
    }
    for (uint32_t count = 1 + pick(t, 3); count; count--) {
        known = slots[k].generation == slot.generation ? slots[k].version : 0;
        if (slots[k].generation > slot.generation) {
            fail(t, "generation %lu of slot %lu is older than %lu",
                 (unsigned long)slot.generation, (unsigned long)k,
                 (unsigned long)slots[k].generation);
        }
        switch (pick(t, 6)) {
        case 0:
            rgn_flush(data);
            break;
        case 1:
            if (rgn_map(slot.rid) != data) {
                fail(t, "region 0x%lx has two addresses", (unsigned long)slot.rid);
            }
            rgn_unmap(data);
            break;
        case 2:
        case 3:
            rgn_start_write(data);
            version = look(t, k, &slot, data, known) + 1;
            linger(t);
            data[0] = version;
            for (uint32_t i = 1; i < slot.words; i++) {
                data[i] = word_of(k, slot.generation, version, i);
            }
            slots[k].writes++;
            written++;
            rgn_end_write(data);
            udm_inject(pick(t, nodes), on_written, k, slot.generation, version);
            break;
        default:
            rgn_start_read(data);
            version = look(t, k, &slot, data, known);
            linger(t);
            if (pick(t, 3) == 0) {
                rgn_start_read(data);
                look(t, k, &slot, data, version);
                rgn_end_read(data);
            }
            if (look(t, k, &slot, data, 0) != version) {
                fail(t, "slot %lu has changed while it was read", (unsigned long)k);
            }
            rgn_end_read(data);
        }
    }
    rgn_unmap(data);
}

/* Another region comes into a slot, which is open for writing. */
static void replace(struct thread *t, uint32_t k)
{
    static const uint32_t below[] = { 3, 14, 30, 300, 1100, 8000 };
    struct slot *slot = slots[k].data;

    if (slot->rid) {
        uint32_t *data = rgn_map(slot->rid);

        rgn_start_read(data);
        slot->gone += look(t, k, slot, data, 0);
        rgn_end_read(data);
        rgn_unmap(data);
        linger(t);
        rgn_delete(slot->rid);
        slot->rid = 0;
    }
    if (pick(t, 8)) {
        slot->generation++;
        slot->words = 1 + pick(t, below[pick(t, 6)]);
        slot->rid = rgn_create(slot->words * 4);
        made++;
    }
}

static void use_slot(struct thread *t)
{
    uint32_t k = pick(t, SLOTS), random = pick(t, 10);

    udm_mutex_lock(&crl);
    if (random == 0) {
        rgn_start_write(slots[k].data);
        replace(t, k);
        rgn_end_write(slots[k].data);
    } else {
        rgn_start_read(slots[k].data);
        if (slots[k].data->rid) {
            use_region(t, k);
        }
        rgn_end_read(slots[k].data);
    }
    if (random == 1) {
        rgn_flush(slots[k].data);
    }
    udm_mutex_unlock(&crl);
}

/* ---- All of it ----------------------------------------------------------------- */

/* All nodes, each from its first thread. */
static void meet(struct thread *t, uint32_t k)
{
    uint8_t bytes[300];
    uint32_t count = 1 + hash(seed, k, 4) % sizeof(bytes), sender = hash(seed, k, 5) % nodes;
    double sum = 0, least;

    udm_mutex_lock(&crl);
    rgn_barrier();
    for (uint32_t i = 0; i < count; i++) {
        bytes[i] = me == sender ? k + 3 * i : 0;
    }
    if (me == sender) {
        rgn_bcast_send(count, bytes);
    } else {
        rgn_bcast_recv(count, bytes);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (bytes[i] != (uint8_t)(k + 3 * i)) {
            fail(t, "byte %lu of a broadcast", (unsigned long)i);
        }
    }
    for (uint32_t node = 0; node < nodes; node++) {
        sum += node * 0.5 + k;
    }
    least = rgn_reduce_dmin(me * 0.25 - k);
    if (rgn_reduce_dadd(me * 0.5 + k) != sum || least != -(double)k ||
        rgn_reduce_dmax(me) != nodes - 1) {
        fail(t, "a reduction");
    }
    udm_mutex_unlock(&crl);
}

static void *run(void *argument)
{
    struct thread *t = argument;

    for (t->operation = 1; t->operation <= operations; t->operation++) {
        switch (pick(t, 10)) {
        case 0:
            usleep(pick(t, 100));
            break;
        case 1:
            ask(t, true);
            break;
        case 2:
            use_page(t, pick(t, pages));
            break;
        default:
            use_slot(t);
        }
        if (t->id == 0 && t->operation % (operations / MEETINGS + 1) == 0) {
            meet(t, t->operation);
        }
    }
    return NULL;
}

static void run_threads(void)
{
    struct thread t[THREADS];
    udm_thread_t *thread[THREADS];

    for (uint32_t k = 0; k < THREADS; k++) {
        t[k] = (struct thread) { .id = k, .state = hash(seed, me, k + 30) | 1 };
    }
    for (uint32_t k = 1; k < THREADS; k++) {
        thread[k] = udm_thread_create(run, &t[k], UDM_NORMAL);
    }
    run(&t[0]);
    for (uint32_t k = 1; k < THREADS; k++) {
        udm_thread_join(thread[k]);
    }
}

static void create(void)
{
    for (uint32_t k = 0; k < SLOTS; k++) {
        uint32_t home = hash(seed, k, 8) % nodes;

        if (home == me) {
            slots[k].rid = rgn_create(sizeof(struct slot));
            rgn_bcast_send(sizeof(rid_t), &slots[k].rid);
        } else {
            rgn_bcast_recv(sizeof(rid_t), &slots[k].rid);
        }
        slots[k].data = rgn_map(slots[k].rid);
    }
}

/* Returns how many versions a slot has had, and deletes what is there. */
static uint32_t versions(struct thread *t, uint32_t k)
{
    uint32_t count;

    rgn_start_write(slots[k].data);
    replace(t, k);
    count = slots[k].data->gone;
    if (slots[k].data->rid) {
        rgn_delete(slots[k].data->rid);
    }
    rgn_end_write(slots[k].data);
    return count;
}

static void check_versions(void)
{
    struct thread t = { .state = hash(seed, me, 77) | 1 };

    for (uint32_t k = 0; k < SLOTS; k++) {
        int64_t writes = udm_reduce_all_int(UDM_SUM, slots[k].writes);

        if (k % nodes == me) {
            uint32_t count = versions(&t, k);

            if (count != writes) {
                fail(&t, "slot %lu: %lu versions, %ld writes", (unsigned long)k,
                     (unsigned long)count, (long)writes);
            }
        }
        rgn_unmap(slots[k].data);
    }
    rgn_barrier();
    for (uint32_t k = 0; k < SLOTS; k++) {
        if ((k + 1) % nodes == me) {
            rgn_delete(slots[k].rid);
        }
    }
    rgn_barrier();
}

int main(int argc, char **argv)
{
    struct glaze_count count;
    int64_t sums[4];

    if (argc != 4 || (pages = atoi(argv[3])) < 1 || pages > PAGES) {
        return 2;
    }
    seed = atoi(argv[1]);
    operations = atoi(argv[2]);
    me = udm_node();
    nodes = udm_nodes();
    for (uint32_t k = 0; k < pages; k++) {
        page_key[k] = hash(seed, me, k);
        for (uint32_t i = 0; i < WORDS; i++) {
            page[k][i] = page_key[k] + i;
        }
    }
    crl_init();
    crl_wait(hash(seed, me, 2) % 3 ? CRL_WAIT_BLOCK : CRL_WAIT_SPIN);
    create();
    run_threads();
    rgn_barrier();
    check_versions();
    glaze_count(&count);
    sums[0] = udm_reduce_all_int(UDM_SUM, made);
    sums[1] = udm_reduce_all_int(UDM_SUM, written);
    sums[2] = udm_reduce_all_int(UDM_SUM, asked);
    sums[3] = udm_reduce_all_int(UDM_SUM, count.ins);
    if (me == 0) {
        printf("mixture: %lu operations, %ld regions, %ld writes, %ld answers, "
               "%ld pages came back: right\n",
               (unsigned long)(operations * THREADS * nodes), (long)sums[0], (long)sums[1],
               (long)sums[2], (long)sums[3]);
    }
    return 0;
}
