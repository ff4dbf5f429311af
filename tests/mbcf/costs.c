/*
 * mbcf-costs: one-way latencies and bandwidths of commands between two nodes,
 * and of messages of UDM that do the same work. Prints lines
 *
 *      mbcf NAME BYTES: MEAN LEAST MOST
 *
 * in cycles. Bandwidths, of streams between buffers that begin with a page, and over
 * pages, are cycles for each 1,024 bytes, single and combined
 * commands cycles for each: until the last one's status is there, and those of each
 * end's processor. A one-way latency is
 * half of a round trip. The last lines are no cycles: how many of ten accesses to a page
 * after its INVALIDATE are upcalls, through a view and at the page's own address; and how
 * many of ten words that are stored at a copy reach the root.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbcf.h"
#include "shown.h"
#include "udm-collective.h"

#define WARM    10
#define TURNS   40
#define BATCHES 10
#define BATCH   16              /* WRITEs for each status, as in the paper */

static const uint32_t sizes[] = { 4, 16, 64, 256, 1024 };

/* Bytes of a command: those of the paper's table 1; for the largest ours. */
static const uint32_t streams[] = { 4, 16, 64, 256, 1024, 4096 };

static uint32_t from[1024], to[1024];
static uint32_t page_from[2048] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t page_to[2048] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t offset;                 /* of a stream in both, words */
static volatile uint32_t trips;         /* of messages or signals, on a node */
static uint32_t size, other;

static uint32_t ring[1024];
static struct mbcf_fifo fifo = {
    .buffer = (uintptr_t)ring, .size = sizeof(ring),
};

/* ---- Round trips --------------------------------------------------------- */

/* Waits for a command that has to be done. */
static void await_done(const volatile uint32_t *status)
{
    if (mbcf_await(status) != MBCF_DONE) {
        printf("mbcf-costs: a command was refused: %s\n", mbcf_status_name(*status));
        exit(1);
    }
}

/* The last word that a WRITE brings tells that it has come. */
static void trip_write(uint32_t turn)
{
    volatile uint32_t *last = &to[size / 4 - 1];

    if (udm_node()) {
        while (*last != turn) {
        }
    }
    from[size / 4 - 1] = turn;
    mbcf_write(other, (uintptr_t)to, from, size, 0, NULL);
    if (!udm_node()) {
        while (*last != turn) {
        }
    }
}

static void take(void)
{
    while (!((volatile struct mbcf_fifo *)&fifo)->used) {
    }
    mbcf_take(&fifo, to, sizeof(to));
}

static void trip_fifo(uint32_t turn)
{
    (void)turn;
    if (udm_node()) {
        take();
    }
    mbcf_send(MBCF_FIFO, other, (uintptr_t)&fifo, from, size, 0, NULL);
    if (!udm_node()) {
        take();
    }
}

static void on_signal(struct mbcf_signal *signal);

static struct mbcf_signal signal_to = {
    .invoke = MBCF_INVOKE_TARGET,
    .store = MBCF_STORE_BUFFER,
    .during = MBCF_WHILE_INVOKE,
    .program = (uintptr_t)on_signal,
    .to = (uintptr_t)to,
    .size = sizeof(to),
};

static void on_signal(struct mbcf_signal *signal)
{
    (void)signal;
    trips++;
    if (udm_node()) {
        mbcf_signal(other, (uintptr_t)&signal_to, 0, from, size, 0, NULL);
    }
}

static void trip_signal(uint32_t turn)
{
    if (!udm_node()) {
        mbcf_signal(other, (uintptr_t)&signal_to, 0, from, size, 0, NULL);
    }
    while (trips != turn) {
    }
}

/* The same by messages: the handler stores the bytes. */
static void store_body(void)
{
    udm_storeback(to, 0, udm_body_length());
    udm_dispose();
    trips++;
}

static void store_words(void)
{
    uint32_t words = udm_length() - 2;

    for (uint32_t k = 0; k < words; k++) {
        to[k] = udm_arg(k);
    }
    udm_dispose();
    trips++;
}

static void send_message(void)
{
    if (size <= 32) {
        udm_inject_words(other, store_words, from, size / 4);
    } else {
        udm_inject_body(other, store_body, from, size);
    }
}

static void trip_udm(uint32_t turn)
{
    if (udm_node()) {
        while (trips != turn) {
        }
    }
    send_message();
    if (!udm_node()) {
        while (trips != turn) {
        }
    }
}

static void report(const char *name, uint32_t bytes, uint32_t sum,
                   uint32_t count, uint32_t least, uint32_t most)
{
    if (udm_node() == 0) {
        printf("mbcf %s %u: %u %u %u\n", name, (unsigned)bytes,
               (unsigned)((sum + count / 2) / count), (unsigned)least,
               (unsigned)most);
    }
}

static void latency(const char *name, void (*trip)(uint32_t))
{
    for (unsigned k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
        uint32_t sum = 0, least = UINT32_MAX, most = 0;

        size = sizes[k];
        trips = 0;
        memset(to, 0, sizeof(to));
        udm_barrier();
        for (uint32_t turn = 1; turn <= WARM + TURNS; turn++) {
            uint32_t start = udm_cycles32(), took;

            trip(turn);
            took = (udm_cycles32() - start) / 2;
            if (turn > WARM) {
                sum += took;
                least = took < least ? took : least;
                most = took > most ? took : most;
            }
        }
        udm_barrier();
        report(name, size, sum, TURNS, least, most);
    }
}

/* ---- Bandwidth ----------------------------------------------------------- */

static void batch_write(void)
{
    volatile uint32_t status = MBCF_PENDING;

    for (unsigned k = 1; k < BATCH; k++) {
        mbcf_write(other, (uintptr_t)(page_to + offset), page_from + offset,
                   size, 0, NULL);
    }
    mbcf_write(other, (uintptr_t)(page_to + offset), page_from + offset, size,
               MBCF_STATUS, &status);
    await_done(&status);
}

static void back(void)
{
    udm_dispose();
    trips++;
}

/* Node 1 answers when it has handled the messages before. */
static void answer(void)
{
    uint32_t source = udm_source();

    udm_dispose();
    udm_inject(source, back);
}

static void batch_udm(void)
{
    uint32_t before = trips;

    for (unsigned k = 0; k < BATCH; k++) {
        send_message();
    }
    udm_inject(other, answer);
    while (trips == before) {
    }
}

static uint32_t requested;              /* cycles, without the wait for the status */

/* Combined against single: BATCH words, with a status for the last. */
static void batch_words(bool combined)
{
    struct mbcf_request r[BATCH];
    volatile uint32_t status = MBCF_PENDING;
    uint32_t start = udm_cycles32();

    for (unsigned k = 0; k < BATCH; k++) {
        r[k] = (struct mbcf_request) {
            .command = MBCF_WRITE,
            .options = k == BATCH - 1 ? MBCF_STATUS : 0,
            .task = other,
            .address = (uintptr_t)&to[k],
            .bytes = sizeof(to[k]),
            .local = (uintptr_t)&from[k],
            .status = (uintptr_t)&status,
        };
    }
    for (unsigned k = 0; k < BATCH && !combined; k++) {
        mbcf_request(&r[k], 1);
    }
    if (combined) {
        mbcf_request(r, BATCH);
    }
    requested = udm_cycles32() - start;
    await_done(&status);
}

static void batch_single(void)
{
    batch_words(false);
}

static void batch_combined(void)
{
    batch_words(true);
}

/* Round trips of a word: node 0 has the answer at the end of each. */
static void there_and_back(void)
{
    uint32_t before = trips;

    udm_inject(other, answer);
    while (trips == before) {
    }
}

static void fetch_add(void)
{
    mbcf_fetch_add_now(other, (uintptr_t)&to[0], 1);
}

static void read_word(void)
{
    uint32_t word;

    mbcf_read_now(other, &word, (uintptr_t)&to[0], sizeof(word));
}

/* ---- Copies -------------------------------------------------------------- */

#define TRIES   10

/* Node 1's page is the root, node 0's the copy. A page of its own would move the others
 * to other places of the cache. */
static volatile uint32_t *const copied = page_to;

static void update(void)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_send(MBCF_UPDATE, other, (uintptr_t)copied, from, size, MBCF_STATUS, &status);
    await_done(&status);
}

static void invalidate(void)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_invalidate(other, (uintptr_t)copied, MBCF_STATUS, &status);
    await_done(&status);
}

/* Counts upcalls of node 0's accesses, each after an INVALIDATE. */
static void count_upcalls(const char *name, const volatile uint32_t *word)
{
    shown_upcalls = 0;
    for (unsigned k = 0; k < TRIES; k++) {
        invalidate();
        (void)*word;
    }
    report(name, TRIES, shown_upcalls, 1, shown_upcalls, shown_upcalls);
}

/* Counts words that node 0 stores in its copy and then finds in the root. */
static void count_writes(void)
{
    uint32_t reached = 0, word;

    for (uint32_t k = 1; k <= TRIES; k++) {
        copied[k] = k;
        mbcf_read_now(other, &word, (uintptr_t)&copied[k], sizeof(word));
        reached += word == k;
    }
    report("writes-at-copy", TRIES, reached, 1, reached, reached);
}

static void make_copy(void)
{
    const struct mbcf_copy copy = { .task = 0, .page = (uintptr_t)copied };

    copied[0] = 0;
    shown_begin((uintptr_t)copied);
    mbcf_pattern((uintptr_t)copied, &copy, udm_node());
}

/* Measures batches that node 0 sends. `unit` is the number of bytes that the
 * cycles are for. */
static void batches(const char *name, uint32_t bytes, uint32_t unit,
                    void (*batch)(void))
{
    uint32_t sum = 0, least = UINT32_MAX, most = 0;

    size = bytes;
    trips = 0;
    udm_barrier();
    for (uint32_t k = 0; k < WARM + BATCHES && udm_node() == 0; k++) {
        uint32_t start = udm_cycles32(), took;

        batch();
        took = (uint64_t)(udm_cycles32() - start) * unit / (BATCH * bytes);
        if (k >= WARM) {
            sum += took;
            least = took < least ? took : least;
            most = took > most ? took : most;
        }
    }
    udm_barrier();
    report(name, bytes, sum, BATCHES, least, most);
}

/* Cycles in which the target counts, and its turns in them without any command. */
#define SPAN    30000

static volatile uint32_t turns;

static void count_turns(void)
{
    uint32_t start = udm_cycles32(), count = 0;

    while (udm_cycles32() - start < SPAN) {
        count++;
    }
    turns = count;
}

/* The cycles of each end's processor for a command: what node 0 spends in the library
 * until it would wait, and what a loop loses that runs on node 1 meanwhile. */
static void ends(const char *requester, const char *target, bool combined)
{
    uint32_t sum = 0, most = 0, least = UINT32_MAX, lost = 0, alone, with;

    udm_barrier();
    count_turns();
    alone = turns;
    for (uint32_t k = 0; k < WARM + BATCHES; k++) {
        udm_barrier();
        if (udm_node()) {
            count_turns();
        } else {
            batch_words(combined);
        }
        udm_barrier();
        mbcf_read_now(1, &from[BATCH], (uintptr_t)&turns, sizeof(turns));
        with = from[BATCH];             /* turns */
        if (k >= WARM) {
            sum += requested;
            lost += alone - with;
            least = requested < least ? requested : least;
            most = requested > most ? requested : most;
        }
    }
    report(requester, 4, sum / BATCH, BATCHES, least / BATCH, most / BATCH);
    lost = (uint64_t)lost * SPAN / alone / BATCH / BATCHES;
    report(target, 4, lost, 1, lost, lost);
}

int main(void)
{
    other = 1 - udm_node();
    if (udm_nodes() != 2) {
        printf("mbcf-costs: for two nodes\n");
        return 2;
    }
    mbcf_open();
    mbcf_take_signals();
    memset(ring, 0, sizeof(ring));
    memset(page_to, 0, sizeof(page_to));    /* no command waits for a page */
    udm_barrier();
    latency("write", trip_write);
    latency("fifo", trip_fifo);
    latency("signal", trip_signal);
    latency("udm", trip_udm);
    for (unsigned k = 0; k < sizeof(streams) / sizeof(*streams); k++) {
        batches("write-bandwidth", streams[k], 1024, batch_write);
        batches("udm-bandwidth", streams[k], 1024, batch_udm);
    }
    offset = 512;
    batches("write-over-pages", 4096, 1024, batch_write);
    batches("single", 4, 4, batch_single);
    batches("combined", 4, 4, batch_combined);
    ends("single-requester", "single-target", false);
    ends("combined-requester", "combined-target", true);
    batches("trip-fetch-add", 4, 4 * BATCH, fetch_add);
    batches("trip-read", 4, 4 * BATCH, read_word);
    batches("trip-udm", 4, 4 * BATCH, there_and_back);
    make_copy();
    batches("trip-update", 4, 4 * BATCH, update);
    batches("trip-invalidate", 4, 4 * BATCH, invalidate);
    if (udm_node() == 0) {
        count_upcalls("upcalls-at-view", SHOWN);
        count_upcalls("upcalls-at-own-address", copied);
        count_writes();
    }
    udm_barrier();
    return 0;
}
