/*
 * Random programs on remote queues, beside a model.
 *
 *      rq-random SEED OPERATIONS ni|memory|mixed|fetch [PAGES [switch]]
 *
 * Each node sends OPERATIONS items, and takes as many operations of other kinds
 * between them. Item `number` of a node is a function of the seed, the node and
 * the number: where it goes, what it holds. So every receiver knows which item
 * of each sender must come next in each queue. It checks each item that it
 * takes, and in the end that all have come.
 *
 * With PAGES, a second thread takes items of every other queue, sleeps, and writes and
 * checks as many pages of the node's own; the first one does so too. With `switch`, a
 * thread runs while the other waits for a page. Handlers take the items of one queue, and
 * may interrupt the program while it moves or takes items of others.
 *
 * With `mixed`, nodes with odd numbers use RQ_BY_MEMORY. Node 0 prints the
 * operations of all nodes and the sums of what they found wrong. The exit
 * status is 1 if anything was wrong, else 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pause.h"
#include "random.h"
#include "glaze-calls.h"
#include "rq.h"
#include "udm-collective.h"
#include "udm-thread.h"

enum {
    POLLED = 5,                 /* queues RQ_NI to 5 hold items; */
    ACTIVE,                     /* active messages, which wait for a poll; */
    INTERRUPT,                  /* active messages of an interrupt queue; */
    INSIDE,                     /* items that handlers take; */
    DIRECT,                     /* active messages of RQ_NI */
    KINDS,
    BURST = 24,                 /* of 64 items are all for RQ_NI, one after the other */
    AT_ONCE = 12,               /* items of RQ_NI that are taken without a pause */
    NODES_MAX = 48,
    WORDS = RQ_WORDS_MAX - 2,   /* most words of an item, after its number */
    BODY_MAX = 64,              /* words */
    PAGES = 400,
    PAGE_WORDS = GLAZE_PAGE / 4,
};

/* Cycles to wait for the last items; with little memory, many looks wait for a page. */
#define LONGEST 1000000000ull
#define PATIENCE 20000ull

static uint32_t seed, me, nodes, each;
static uint32_t state;          /* of this node's own choices */
static volatile uint32_t wrong;
static volatile uint32_t wrong_inside;  /* what handlers have found */
static uint32_t operations, refused, taken;
static volatile uint32_t received[KINDS];
static volatile uint32_t next[NODES_MAX][KINDS];        /* item of each sender */

/* ---- The model ---------------------------------------------------------- */

struct item {
    uint32_t node, kind, words, bytes;
};

/* Nodes have their bursts at different times. */
static bool is_burst(uint32_t source, uint32_t number)
{
    return (number + source * 21) % 64 < BURST;
}

static struct item item_of(uint32_t source, uint32_t number)
{
    uint32_t a = hash(seed, source * 7919 + 1, number);
    uint32_t b = hash(a, source, number);
    uint32_t kind = is_burst(source, number) ? RQ_NI : (a >> 8) % KINDS;
    bool body = kind != DIRECT && b % 16 == 0;
    struct item item = {
        .node = a % nodes,
        .kind = kind,
        .bytes = body ? 4 * (1 + (b >> 12) % BODY_MAX) : 0,
    };
    const uint32_t words[] = { 0, 1, 4, body ? WORDS - 2 : WORDS };

    item.words = words[(b >> 4) % 4];
    return item;
}

static uint32_t word_of(uint32_t source, uint32_t number, uint32_t k)
{
    return hash(source, number * 31 + seed, k);
}

/*
 * Finds all items for this node: sets next[], and follow[], where each is followed by the
 * next one of its source and kind. Returns how many there are.
 */
static uint32_t *follow;

static uint32_t expected(void)
{
    uint32_t sum = 0;

    for (uint32_t source = 0; source < nodes; source++) {
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            next[source][kind] = each;
        }
        for (uint32_t number = each; number--;) {
            struct item item = item_of(source, number);

            if (item.node == me) {
                follow[source * each + number] = next[source][item.kind];
                next[source][item.kind] = number;
                sum++;
            }
        }
    }
    return sum;
}

/*
 * An item has come: its source is in the top bits of `name`, its number in the
 * others. `count` of its words were read, and `bytes` bytes of its body.
 */
static void check(uint32_t kind, uint32_t name, const uint32_t *words,
                  uint32_t count, const uint32_t *body, uint32_t bytes)
{
    uint32_t source = name >> 24, number = name & 0xffffff;

    received[kind]++;
    if (source >= nodes || next[source][kind] != number) {
        wrong++;
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        wrong += words[k] != word_of(source, number, k);
    }
    for (uint32_t k = 0; 4 * k < bytes; k++) {
        wrong += body[k] != word_of(source, number, 100 + k);
    }
    next[source][kind] = follow[source * each + number];
}

/* ---- Handlers ------------------------------------------------------------ */

/*
 * Takes an item of the handlers' queue, in an atomic section. A handler that a poll here
 * calls takes none.
 */
static void take_inside(void)
{
    static bool inside;
    uint32_t name = 0, body[BODY_MAX];
    struct item item;

    if (inside) {
        return;
    }
    inside = true;
    if (rq_read_queue(INSIDE, &name)) {
        item = item_of(name >> 24, name & 0xffffff);
        wrong_inside += !rq_dequeue_body(INSIDE, body, item.bytes);
        check(INSIDE, name, NULL, 0, body, item.bytes);
    }
    inside = false;
}

static void direct(void)
{
    uint32_t words[WORDS], name = udm_arg(0), count = udm_length() - 3;
    struct item item = item_of(name >> 24, name & 0xffffff);

    for (uint32_t k = 0; k < count; k++) {
        words[k] = udm_arg(1 + k);
    }
    wrong += count != item.words || udm_source() != name >> 24;
    udm_dispose();
    check(DIRECT, name, words, count, NULL, 0);
    take_inside();
}

static void active(const struct rq_item *item)
{
    struct item model = item_of(item->source, item->word[1] & 0xffffff);

    wrong += item->words != 2 + model.words || item->bytes != model.bytes ||
             item->source != item->word[1] >> 24;
    check(model.kind, item->word[1], item->word + 2, model.words, item->body,
          model.bytes);
    if (model.kind == INTERRUPT) {
        take_inside();
    }
}

/* ---- Sending ------------------------------------------------------------- */

/* The words of an item after `...`, as so many arguments of `call`. */
#define WITH_WORDS(most, call, ...) \
    (item.words == 0 ? call(__VA_ARGS__) : \
     item.words == 1 ? call(__VA_ARGS__, w[0]) : \
     item.words == 4 ? call(__VA_ARGS__, w[0], w[1], w[2], w[3]) : \
     most(call, __VA_ARGS__))
#define ALL_WORDS(call, ...) \
    call(__VA_ARGS__, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], \
         w[9], w[10])
#define FEWER_WORDS(call, ...) \
    call(__VA_ARGS__, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8])

/* rq_send() and the like as expressions. */
#define SEND(...) ({ rq_send(__VA_ARGS__); true; })
#define SEND_BODY(...) ({ rq_send_body(__VA_ARGS__); true; })
#define SEND_AM(...) ({ rq_send_am(__VA_ARGS__); true; })
#define SEND_AM_TO(...) ({ rq_send_am_to(__VA_ARGS__); true; })

/* Sends item `number`, or is refused and returns false. */
static bool send(uint32_t number)
{
    struct item item = item_of(me, number);
    uint32_t name = me << 24 | number, w[WORDS], body[BODY_MAX];
    uint32_t node = item.node, queue = item.kind, bytes = item.bytes;

    for (uint32_t k = 0; k < item.words; k++) {
        w[k] = word_of(me, number, k);
    }
    for (uint32_t k = 0; 4 * k < bytes; k++) {
        body[k] = word_of(me, number, 100 + k);
    }
    if (queue == DIRECT) {
        return WITH_WORDS(ALL_WORDS, SEND_AM, node, direct, name);
    }
    if ((queue == ACTIVE || queue == INTERRUPT) && bytes) {
        return WITH_WORDS(FEWER_WORDS, SEND_BODY, node, queue, body, bytes,
                          (uintptr_t)active, name);
    }
    if (queue == ACTIVE || queue == INTERRUPT) {
        return WITH_WORDS(ALL_WORDS, SEND_AM_TO, node, queue, active, name);
    }
    if (bytes) {
        return random_next(&state) % 2
            ? WITH_WORDS(FEWER_WORDS, SEND_BODY, node, queue, body, bytes, name)
            : WITH_WORDS(FEWER_WORDS, rq_enqueue_body, node, queue, body,
                         bytes, name);
    }
    return random_next(&state) % 2
        ? WITH_WORDS(ALL_WORDS, SEND, node, queue, name)
        : WITH_WORDS(ALL_WORDS, rq_enqueue, node, queue, name);
}

/* ---- Taking -------------------------------------------------------------- */

/* Reads the first item of a queue, some of it or all, and removes it. */
static void take(uint32_t queue, uint32_t *state)
{
    uint32_t name, again, w[WORDS], body[BODY_MAX], x;
    struct item item;
    bool got;

    if (!rq_read_queue(queue, &name)) {
        return;
    }
    item = item_of(name >> 24, name & 0xffffff);
    if (item.words < WORDS) {   /* more than there is: nothing happens */
        wrong += rq_dequeue(queue, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x,
                            &x);
    }
    wrong += rq_read_queue_body(queue, body, item.bytes + 4);
    wrong += !rq_read_queue(queue, &again) || again != name;
    if (random_next(state) % 8 == 0) {
        got = rq_delete_queue(queue);
        check(queue, name, w, 0, body, 0);
    } else if (item.bytes) {
        uint32_t bytes = 4 * (1 + random_next(state) % (item.bytes / 4));

        got = rq_dequeue_body(queue, body, bytes, &again);
        check(queue, name, w, 0, body, bytes);
    } else if (item.words < 4) {
        got = item.words ? rq_dequeue(queue, &again, w) :
                           rq_dequeue(queue, &again);
        check(queue, name, w, item.words, body, 0);
    } else {
        got = rq_dequeue(queue, &again, w, w + 1, w + 2, w + 3);
        check(queue, name, w, 4, body, 0);
    }
    wrong += !got || again != name;
    taken++;
}

/* Takes items of RQ_NI as fast as it can, while others interrupt and are set aside. */
static void take_quickly(void)
{
    uint32_t names[AT_ONCE], count = 0;

    while (count < AT_ONCE && rq_dequeue(RQ_NI, &names[count])) {
        count++;
    }
    for (uint32_t k = 0; k < count; k++) {
        check(RQ_NI, names[k], NULL, 0, NULL, 0);
    }
    taken += count;
}

/* Takes an item of the handlers' queue while none of them can. */
static void take_for_handlers(void)
{
    bool atomic = udm_atomic();

    if (!atomic) {
        udm_beginatom();
    }
    take_inside();
    if (!atomic) {
        udm_endatom();
    }
}

/* ---- Pages of the node's own, and the second thread ------------------------ */

static uint32_t page[PAGES][PAGE_WORDS] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t page_key[PAGES], pages;
static volatile bool over;

static void fill_page(uint32_t k, uint32_t key)
{
    page_key[k] = key;
    for (uint32_t i = 0; i < PAGE_WORDS; i++) {
        page[k][i] = key + i;
    }
}

/* Threads have different pages: those with numbers of the parity of `of`. */
static void use_page(uint32_t *state, uint32_t of)
{
    uint32_t k = random_next(state) % ((pages + 1) / 2) * 2 + of;

    if (k >= pages) {
        return;
    }
    for (uint32_t i = random_next(state) % 9; i < PAGE_WORDS; i += 9) {
        wrong += page[k][i] != page_key[k] + i;
    }
    if (random_next(state) % 2) {
        fill_page(k, random_next(state));
    }
}

/* The first thread, outside of sections: the second one runs. */
static void pass_time(uint32_t *state)
{
    if (random_next(state) % 3 == 0) {
        usleep(random_next(state) % 50);
    }
    use_page(state, 0);
    udm_thread_yield();
}

static void *run_second(void *unused)
{
    uint32_t state = hash(seed, me, 55) | 1;

    while (!over) {
        uint32_t kind = random_next(&state) % 8;

        if (kind == 0) {
            usleep(random_next(&state) % 60);
        } else if (kind == 1) {
            use_page(&state, 1);
        } else {
            take(1 + kind % 3 * 2, &state);
        }
        udm_thread_yield();
    }
    return unused;
}

/* Does something else than sending. */
static void other(void)
{
    static bool open;
    uint32_t kind = random_next(&state) % 18;

    operations++;
    if (kind < POLLED + 1) {
        if (!pages || kind % 2 == 0) {
            take(kind, &state);
        }
    } else if (kind < 9) {
        rq_poll_am_of(ACTIVE);
    } else if (kind == 9) {
        rq_poll_am_of(INTERRUPT);
    } else if (kind == 16) {
        take_quickly();
    } else if (kind == 17 && random_next(&state) % 2) {
        take_for_handlers();
    } else if (kind == 17) {
        rq_read_queue(INSIDE);  /* moves items; a handler may look meanwhile */
    } else if (kind == 10 && pages && !open) {
        pass_time(&state);
    } else if (kind == 10) {
        spin_for(random_next(&state) % 300);
    } else if (kind == 11 && random_next(&state) % 20 == 0) {
        spin_for(random_next(&state) % 20000);
    } else if (!open) {
        rq_begin();
        open = true;
    } else if (kind == 12) {
        rq_end();
        open = false;
    } else if (kind == 13) {
        rq_let_in();
    } else if (udm_atomic()) {
        rq_poll_am();
    }
}

/* ---- All of it ----------------------------------------------------------- */

static uint32_t all_received(void)
{
    uint32_t sum = 0;

    for (uint32_t kind = 0; kind < KINDS; kind++) {
        sum += received[kind];
    }
    return sum;
}

/* Returns whether pages of this node have gone to backing store. */
static bool has_paged(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.slots > 0;
}

static int64_t total(int64_t value)
{
    return udm_reduce_all_int(UDM_SUM, value);
}

int main(int argc, char **argv)
{
    udm_thread_t *second = NULL;
    uint32_t all, left;
    bool memory;

    pages = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    if (argc < 4 || argc > 6 || udm_nodes() > NODES_MAX || pages > PAGES) {
        fprintf(stderr, "rq-random: SEED OPERATIONS ni|memory|mixed|fetch [PAGES [switch]], on "
                "at most %d nodes\n", NODES_MAX);
        return 2;
    }
    seed = strtoul(argv[1], NULL, 10);
    each = strtoul(argv[2], NULL, 10) / udm_nodes();
    me = udm_node();
    nodes = udm_nodes();
    state = hash(seed, me, 99) | 1;
    memory = strcmp(argv[3], "ni") && (me % 2 || !strcmp(argv[3], "memory"));
    rq_init(!strcmp(argv[3], "fetch") ? RQ_BY_FETCH :
            memory ? RQ_BY_MEMORY : RQ_BY_NI);
    for (uint32_t queue = 1; queue < DIRECT; queue++) {
        rq_create(queue, queue == INTERRUPT ? RQ_INTERRUPT : RQ_POLL);
    }
    follow = malloc((nodes * each + 1) * sizeof(*follow));
    all = expected();
    for (uint32_t k = 0; k < pages; k++) {
        fill_page(k, hash(seed, me, k));
    }
    udm_barrier();
    if (pages) {
        udm_thread_switch_on_fault(argc > 5);
        second = udm_thread_create(run_second, NULL, UDM_NORMAL);
    }
    for (uint32_t number = 0; number < each;) {
        if (random_next(&state) % (is_burst(me, number) ? 8 : 2) == 0) {
            other();
        } else if (send(number)) {
            number++;
        } else {
            refused++;
        }
    }
    for (uint64_t start = udm_cycles();
         all_received() < all && udm_cycles() - start < LONGEST + PATIENCE * all * nodes;) {
        other();
    }
    rq_end();
    over = true;
    if (second) {
        udm_thread_join(second);
    }
    udm_barrier();
    left = all - all_received();
    if (left) {
        fprintf(stderr, "rq-random: node %lu has got %lu of %lu; waiting:",
                (unsigned long)me, (unsigned long)all_received(),
                (unsigned long)all);
        for (uint32_t queue = 0; queue < DIRECT; queue++) {
            fprintf(stderr, " %lu", (unsigned long)rq_waiting(queue));
        }
        fprintf(stderr, "; operations %lu\n", (unsigned long)operations);
    }
    for (uint32_t source = 0; source < nodes; source++) {
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            left += next[source][kind] != each;
        }
    }
    for (uint32_t queue = 0; queue < DIRECT; queue++) {
        left += rq_waiting(queue);
    }
    left += rq_aside_ != 0;     /* the library's count of items that wait for RQ_NI */
    {
        int64_t done = total(operations + each), gone = total(taken);
        int64_t full = total(refused), bad = total(wrong + wrong_inside), lost = total(left);
        int64_t paged = total(has_paged());

        if (me == 0 && paged) {
            printf("rq-random: %.0f nodes have used backing store\n",
                   (double)paged);
        }
        if (me == 0) {
            printf("rq-random: %.0f operations, %.0f taken, %.0f refused: "
                   "%.0f wrong, %.0f left\n", (double)done, (double)gone,
                   (double)full, (double)bad, (double)lost);
        }
        return bad || lost;
    }
}
