/*
 * mbcf-mixture: random commands of all kinds, from all nodes to all nodes, and guests.
 *
 *      mbcf-mixture host SEED OPERATIONS PAGES [JOBS]
 *      mbcf-mixture guest SEED OPERATIONS INDEX
 *
 * Each node does OPERATIONS operations: bytes and words of memory that each node has for
 * each other, several commands in a packet, entries of FIFOs, signals, multicasts,
 * questions that messages bring and commands answer. PAGES pages of each node's own are
 * written and checked in between. Arguments and seed decide each operation, and what has
 * to come of it. JOBS other jobs, with an INDEX from 1, are guests (guest.c): they come
 * while the host runs, and end when commands to them are under way.
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

#include "glaze-calls.h"
#include "random.h"
#include "mixture.h"
#include "udm-collective.h"
#include "udm-thread.h"

enum {
    PAGES = 400,
    WORDS = GLAZE_PAGE / 4,
    KEPT = 24,                  /* commands that are sent again by themselves */
};

/* A lane that takes so many cycles will never end. */
#define PATIENCE        3000000000ull

uint32_t seed, me, nodes, random_state;
static uint32_t operation, operations, jobs;

struct lane lanes[NODES][TOPICS];
static struct lane guest_lane;

uint32_t pick(uint32_t below)
{
    return (random_next(&random_state) >> 3) % below;
}

void fail(const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    printf("node %lu, operation %lu: %s\n", (unsigned long)me, (unsigned long)operation,
           text);
    exit(1);
}

/* ---- Lanes ------------------------------------------------------------------ */

static bool is_cast(const struct mbcf_request *r)
{
    return r->command == MBCF_UPDATE || r->command == MBCF_INVALIDATE;
}

/* Returns whether a refused command has to be sent again, and makes it what it then is. */
static bool again(struct mbcf_request *r, uint32_t status)
{
    switch (status) {
    case MBCF_BUSY:
        return true;
    case MBCF_BUSY | MBCF_AT_COPY:
        return is_cast(r);
    case MBCF_FULL:
        return r->command == MBCF_FIFO || r->command == MBCF_FIFOE_RETRY ||
               r->command == MBCF_SIGNAL;
    case MBCF_RUNNING:
        return r->command == MBCF_SIGNAL;
    case MBCF_STOPS:
        if (r->command == MBCF_FIFOE) {
            r->command = MBCF_FIFOE_RETRY;
            return true;
        }
        return false;
    case MBCF_STOPPED:
        return r->command == MBCF_FIFOE;
    default:
        return false;
    }
}

void launch(struct lane *lane)
{
    for (uint32_t k = 0; k < lane->count; k++) {
        lane->status[k] = MBCF_PENDING;
        lane->request[k].options |= MBCF_STATUS;
        lane->request[k].status = (uintptr_t)&lane->status[k];
    }
    if (!lane->ordered) {
        mbcf_request(lane->request, lane->count);
        return;
    }
    for (uint32_t k = 0; k < lane->count; k++) {
        mbcf_request(&lane->request[k], 1);
    }
}

/*
 * Sends all commands of an ordered lane again, if one was refused for now: those behind it
 * have overtaken it. Returns whether all have ended.
 */
static bool step_ordered(struct lane *lane)
{
    bool refused = false;

    for (uint32_t k = 0; k < lane->count; k++) {
        if (lane->status[k] == MBCF_PENDING) {
            return false;
        }
        refused |= again(&lane->request[k], lane->status[k]);
    }
    if (refused) {
        lane->bytes = 0;        /* what came back may be from before or after */
        launch(lane);
    }
    return !refused;
}

/* Sends again what was refused for now. Returns whether all commands have ended. */
static bool step(struct lane *lane)
{
    bool all = true;

    if (lane->ordered) {
        return step_ordered(lane);
    }
    for (uint32_t k = 0; k < lane->count; k++) {
        if (lane->status[k] == MBCF_PENDING) {
            all = false;
        } else if (again(&lane->request[k], lane->status[k])) {
            lane->status[k] = MBCF_PENDING;
            mbcf_request(&lane->request[k], 1);
            all = false;
        }
    }
    return all;
}

/* The other lanes go on meanwhile: one of them may have stopped a FIFO. */
void finish(struct lane *lane)
{
    uint64_t start = udm_cycles();

    while (!step(lane)) {
        serve();
        if (udm_cycles() - start > PATIENCE) {
            fail("command %lu to task %lu does not end: %s",
                 (unsigned long)lane->request[0].command,
                 (unsigned long)lane->request[0].task,
                 mbcf_status_name(lane->status[0]));
        }
    }
    for (uint32_t k = 0; k < lane->count; k++) {
        struct mbcf_request *r = &lane->request[k];

        if (lane->status[k] != MBCF_DONE && lane != &guest_lane) {
            fail("command %lu to task %lu: %s", (unsigned long)r->command,
                 (unsigned long)r->task, mbcf_status_name(lane->status[k]));
        }
    }
    if (lane->count && lane->status[0] == MBCF_DONE &&
        memcmp(lane->got + lane->shift, lane->want, lane->bytes)) {
        fail("%lu bytes of command %lu of task %lu are wrong", (unsigned long)lane->bytes,
             (unsigned long)lane->request[0].command,
             (unsigned long)lane->request[0].task);
    }
    if (lane->count && lane->ended) {
        lane->ended(lane);
    }
    lane->count = 0;
}

struct lane *empty(struct lane *lane)
{
    finish(lane);
    memset(lane->request, 0, sizeof(lane->request));
    lane->ended = NULL;
    lane->ordered = false;
    lane->bytes = lane->shift = 0;
    lane->count = 1;
    return lane;
}

/* ---- Commands that are sent again by themselves -------------------------------- */

static struct kept {
    struct mbcf_request request;
    volatile uint32_t status;
    volatile bool used;
    uint32_t data[MBCF_INLINE_MAX / 4];
} kept[KEPT];

bool send_later(struct mbcf_request request, const void *data)
{
    struct kept *one = NULL;
    bool was_open = udm_atomic();

    if (!was_open) {
        udm_beginatom();
    }
    for (uint32_t k = 0; k < KEPT && !one; k++) {
        if (!kept[k].used) {
            one = &kept[k];
            one->used = true;
        }
    }
    if (!was_open) {
        udm_endatom();
    }
    if (!one) {
        return false;
    }
    one->status = MBCF_PENDING;
    one->request = request;
    one->request.options |= MBCF_STATUS;
    one->request.status = (uintptr_t)&one->status;
    if (data) {
        memcpy(one->data, data, request.bytes);
        one->request.local = (uintptr_t)one->data;
    }
    mbcf_request(&one->request, 1);
    return true;
}

/* Returns how many are under way. */
static uint32_t look_at_kept(void)
{
    uint32_t left = 0;

    for (uint32_t k = 0; k < KEPT; k++) {
        struct kept *one = &kept[k];

        left += one->used;
        if (!one->used || one->status == MBCF_PENDING) {
            continue;
        }
        if (one->status == MBCF_DONE) {
            one->used = false;
        } else if (again(&one->request, one->status)) {
            one->status = MBCF_PENDING;
            mbcf_request(&one->request, 1);
        } else {
            fail("command %lu of a handler to task %lu: %s",
                 (unsigned long)one->request.command, (unsigned long)one->request.task,
                 mbcf_status_name(one->status));
        }
    }
    return left;
}

void serve(void)
{
    for (uint32_t node = 0; node < nodes; node++) {
        for (uint32_t topic = 0; topic < TOPICS; topic++) {
            step(&lanes[node][topic]);
        }
    }
    look_at_kept();
    take_entries();
    take_guests();
}

/* ---- Questions --------------------------------------------------------------------- */

static volatile struct answer {
    uint32_t number, value;
} answer;
static uint32_t asked;
static udm_thread_t *first;

static uint32_t computed(uint32_t value)
{
    return (value >> 8) * 2.25;
}

static void on_answer(void)
{
    struct answer new = { .number = udm_arg(0), .value = udm_arg(1) };

    udm_dispose();
    answer = new;
    udm_thread_wake(first);
}

static void on_question(void)
{
    uint32_t node = udm_source(), by_command = udm_arg(2);
    struct answer new = { .number = udm_arg(0), .value = computed(udm_arg(1)) };
    struct mbcf_request r = {
        .command = MBCF_WRITE, .options = MBCF_WAKES, .task = node,
        .address = (uintptr_t)&answer, .bytes = sizeof(new),
    };

    udm_dispose();
    if (!by_command || !send_later(r, &new)) {
        udm_inject(node, on_answer, new.number, new.value);
    }
}

static void ask(void)
{
    uint32_t value = random_next(&random_state), by_command = pick(3);

    udm_inject(pick(nodes), on_question, ++asked, value, by_command);
    while (answer.number != asked) {
        uint32_t wakes = mbcf_page()->wakes;

        serve();
        if (answer.number == asked) {
            break;
        }
        if (!by_command) {
            udm_thread_block();
        } else if (by_command == 1) {   /* off the processor */
            glaze_call(GLAZE_MBCF, MBCF_WAIT, wakes, 0);
        }
    }
    if (answer.value != computed(value)) {
        fail("the answer is %lu, not %lu", (unsigned long)answer.value,
             (unsigned long)computed(value));
    }
}

/* ---- Pages of the node's own ---------------------------------------------------------- */

static uint32_t page[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t page_key[PAGES], pages;

static void use_page(uint32_t k, bool fresh)
{
    for (uint32_t i = pick(7); i < WORDS && !fresh; i += 7) {
        if (page[k][i] != page_key[k] + i) {
            fail("word %lu of page %lu of its own is 0x%lx, not 0x%lx", (unsigned long)i,
                 (unsigned long)k, (unsigned long)page[k][i],
                 (unsigned long)(page_key[k] + i));
        }
    }
    if (fresh || pick(2)) {
        page_key[k] = random_next(&random_state);
        for (uint32_t i = 0; i < WORDS; i++) {
            page[k][i] = page_key[k] + i;
        }
    }
}

/* Enough for the pages of signals that wait to go out. */
static void use_many_pages(void)
{
    for (uint32_t some = 1 + pick(60); some; some--) {
        use_page(pick(pages), false);
    }
}

static void do_nothing(void)
{
}

/* ---- All of it --------------------------------------------------------------------------- */

static void operate(void)
{
    uint32_t node = pick(nodes), topic = pick(TOPICS);

    switch (pick(13)) {
    case 0:
        usleep(pick(200));
        break;
    case 12:
        stay_in_a_section(pick(2) ? use_many_pages : do_nothing);
        break;
    case 1:
        for (uint32_t some = 1 + pick(6); some; some--) {
            use_page(pick(pages), false);
        }
        break;
    case 2:
        ask();
        break;
    case 3:
        mbcf_barrier(1 + pick(3));
        break;
    case 4:
        if (jobs) {
            empty(&guest_lane);
            use_guest(&guest_lane);
            break;
        }
        /* fall through */
    default: {
        struct lane *lane = empty(&lanes[node][topic]);

        switch (topic) {
        case 0:
            use_memory(lane, node);
            break;
        case 1:
            send_entry(lane, node);
            break;
        case 2:
            send_signal(lane, node);
            break;
        case 3:
            send_burst(lane, node);
            break;
        default:
            send_cast(lane, node);
        }
        launch(lane);
    }
    }
    serve();
}

static volatile uint32_t finished;

static void on_finished(void)
{
    udm_dispose();
    finished++;
}

/* Ends all that is under way, here and on other nodes. */
static void settle(void)
{
    uint32_t expected[STREAMS + SIGNALS], bursts = 0;
    uint64_t start;

    for (uint32_t node = 0; node < nodes; node++) {
        for (uint32_t k = 0; k < TOPICS; k++) {
            finish(&lanes[node][k]);
        }
    }
    finish(&guest_lane);
    start = udm_cycles();
    while (guests_left) {
        serve();
        if (udm_cycles() - start > PATIENCE) {
            fail("%lu guests have not come, or not left", (unsigned long)guests_left);
        }
    }
    for (uint32_t node = 0; node < nodes; node++) {
        udm_inject(node, on_finished);
    }
    while (finished < nodes || look_at_kept()) {
        serve();
        if (udm_cycles() - start > 2 * PATIENCE) {
            fail("%lu nodes have finished", (unsigned long)finished);
        }
    }
    udm_barrier();
    for (uint32_t node = 0; node < nodes; node++) {
        for (uint32_t k = 0; k < STREAMS + SIGNALS; k++) {
            uint32_t sum = udm_reduce_all_int(UDM_SUM, structures_sent(node, k));

            if (node == me) {
                expected[k] = sum;
            }
        }
        bursts += (node == me) * udm_reduce_all_int(UDM_SUM, bursts_sent(node));
    }
    start = udm_cycles();
    while (!structures_settled(expected) || !bursts_settled(bursts) || !guests_settled() ||
            look_at_kept()) {
        serve();
        if (udm_cycles() - start > PATIENCE) {
            fail("entries or signals have not come");
        }
    }
    udm_barrier();
    while (look_at_kept()) {
    }
    udm_barrier();
}

static int host(void)
{
    struct glaze_count count;
    int64_t all, came, ran, back;

    mbcf_open();
    structures_set_up();
    guests_set_up(jobs);
    for (uint32_t k = 0; k < pages; k++) {
        use_page(k, true);
    }
    first = udm_thread_self();
    casts_set_up();
    udm_barrier();
    for (operation = 1; operation <= operations; operation++) {
        operate();
    }
    settle();
    check_memory();
    check_casts();
    udm_barrier();
    if (mbcf_page()->free != MBCF_SLOTS) {
        fail("%lu slots are free", (unsigned long)mbcf_page()->free);
    }
    glaze_count(&count);
    all = (int64_t)operations * nodes;
    came = udm_reduce_all_int(UDM_SUM, entries);
    ran = udm_reduce_all_int(UDM_SUM, invocations);
    back = udm_reduce_all_int(UDM_SUM, count.ins);
    if (me == 0) {
        printf("mixture: %ld operations, %ld entries, %ld invocations, %ld pages came back: "
               "right\n", (long)all, (long)came, (long)ran, (long)back);
    }
    return 0;
}

int main(int argc, char **argv)
{
    me = udm_node();
    nodes = udm_nodes();
    if (argc < 5 || argc > 6 || nodes > NODES) {
        return 2;
    }
    seed = atoi(argv[2]);
    operations = atoi(argv[3]);
    if (!strcmp(argv[1], "guest")) {
        random_state = hash(seed, me, atoi(argv[4]) + 100) | 1;
        return guest(atoi(argv[4]), operations);
    }
    pages = atoi(argv[4]);
    jobs = argc > 5 ? atoi(argv[5]) : 0;
    random_state = hash(seed, me, 9) | 1;
    return pages < 1 || pages > PAGES ? 2 : host();
}
