/*
 * FIFOs, signals and the queue for first messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "cases.h"
#include "check.h"
#include "glaze-calls.h"
#include "section.h"

static uint32_t buffer[16];
static struct mbcf_fifo fifo = {
    .buffer = (uintptr_t)buffer, .size = sizeof(buffer),
};

static uint32_t large[3 * GLAZE_PAGE / 4];
static struct mbcf_fifo large_fifo = {
    .buffer = (uintptr_t)large, .size = sizeof(large),
};

static uint32_t to_fifo(uint32_t command, struct mbcf_fifo *to,
                        const void *from, uint32_t bytes)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_send(command, 1, (uintptr_t)to, from, bytes, MBCF_STATUS, &status);
    return mbcf_await(&status);
}

static uint32_t word_to(uint32_t command, uint32_t word)
{
    return to_fifo(command, &fifo, &word, sizeof(word));
}

/* ---- FIFOs --------------------------------------------------------------- */

void case_fifo(void)
{
    uint8_t got[64];

    if (udm_node() == 0) {
        check("one byte", to_fifo(MBCF_FIFO, &fifo, "a", 1), MBCF_DONE);
        check("some bytes", to_fifo(MBCF_FIFO, &fifo, "bcdefg", 6), MBCF_DONE);
        check("all the room", to_fifo(MBCF_FIFO, &fifo, local, 40),
              MBCF_DONE);
        check("no room", word_to(MBCF_FIFO, 1), MBCF_FULL);
    }
    udm_barrier();
    if (udm_node() == 1) {
        check("used", fifo.used, 8 + 12 + 44);
        check("take one", mbcf_take(&fifo, got, 64), 1);
        check("it is", got[0], 'a');
        check("too long", mbcf_take(&fifo, got, 5), -EMSGSIZE);
        check("take some", mbcf_take(&fifo, got, 6), 6);
        check("they are", memcmp(got, "bcdefg", 6), 0);
        check("no place", mbcf_take(&fifo, (void *)4, 64), -EFAULT);
        check("take the rest", mbcf_take(&fifo, got, 64), 40);
        check("empty", mbcf_take(&fifo, got, 64), -EAGAIN);
        check("no structure", mbcf_take((void *)4, got, 64), -EFAULT);
        check("nothing is used", fifo.used, 0);
    }
}

/* Entries of many lengths go round a buffer, over pages and over its end. */
void case_wraps(void)
{
    static uint8_t got[GLAZE_PAGE];
    uint32_t wrong = 0;

    for (uint32_t k = 0; k < sizeof(local); k++) {
        local[k] = k * 13 + k / 256;
    }
    for (uint32_t turn = 0; turn < 40; turn++) {
        uint32_t bytes = 1 + turn * 509 % GLAZE_PAGE;
        const uint8_t *from = local + turn % 3;

        if (udm_node() == 0) {
            wrong += to_fifo(MBCF_FIFO, &large_fifo, from, bytes) != MBCF_DONE;
        }
        udm_barrier();
        if (udm_node() == 1) {
            wrong += mbcf_take(&large_fifo, got, sizeof(got)) !=
                     (int32_t)bytes || memcmp(got, from, bytes);
        }
        udm_barrier();
    }
    check("wrong", wrong, 0);
}

static struct mbcf_signal with_fifo = {
    .invoke = MBCF_INVOKE_TARGET, .store = MBCF_STORE_FIFO,
    .to = (uintptr_t)&fifo, .during = MBCF_WHILE_STORE, .running = 1,
};

/* Sends a signal that appends a word to the FIFO, and invokes nothing. */
static uint32_t signal_to_fifo(void)
{
    static const uint32_t word = 77;
    volatile uint32_t status = MBCF_PENDING;

    mbcf_signal(1, (uintptr_t)&with_fifo, 0, &word, sizeof(word), MBCF_STATUS,
                &status);
    return mbcf_await(&status);
}

void case_eager(void)
{
    uint32_t word = 0;

    if (udm_node() == 0) {
        for (uint32_t k = 0; k < 8; k++) {
            check("fits", word_to(MBCF_FIFOE, k), MBCF_DONE);
        }
        check("stops", word_to(MBCF_FIFOE, 8), MBCF_STOPS);
        check("stopped", word_to(MBCF_FIFOE, 9), MBCF_STOPPED);
        check("retry: still full", word_to(MBCF_FIFOE_RETRY, 8), MBCF_FULL);
    }
    udm_barrier();
    if (udm_node() == 1) {
        for (uint32_t k = 0; k < 3; k++) {
            mbcf_take(&fifo, &word, sizeof(word));
            check("in order", word, k);
        }
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("stopped, with room", word_to(MBCF_FIFOE, 9), MBCF_STOPPED);
        check("a FIFO does not stop", word_to(MBCF_FIFO, 7), MBCF_DONE);
        check("nor lets it go on", word_to(MBCF_FIFOE, 8), MBCF_STOPPED);
        check("a SIGNAL neither", signal_to_fifo(), MBCF_DONE);
        check("still stopped", word_to(MBCF_FIFOE, 8), MBCF_STOPPED);
        check("retry", word_to(MBCF_FIFOE_RETRY, 8), MBCF_DONE);
        check("stops again", word_to(MBCF_FIFOE, 10), MBCF_STOPS);
    }
    udm_barrier();
    if (udm_node() == 1) {
        mbcf_take(&fifo, &word, sizeof(word));
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("retry", word_to(MBCF_FIFOE_RETRY, 10), MBCF_DONE);
        check("and stops", word_to(MBCF_FIFOE, 11), MBCF_STOPS);
    }
}

/* Sends a word by a FIFOE that names an epoch. */
static uint32_t word_in_epoch(uint32_t epoch, uint32_t word)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_send_eager(1, (uintptr_t)&fifo, &word, sizeof(word), epoch,
                    MBCF_STATUS, &status);
    return mbcf_await(&status);
}

#define IN_EPOCH(status, epoch) ((status) | (epoch) << MBCF_EPOCH_SHIFT)

void case_epochs(void)
{
    uint32_t word;

    if (udm_node() == 0) {
        for (uint32_t k = 0; k < 8; k++) {
            check("fits", word_in_epoch(1, k), MBCF_DONE);
        }
        check("stops", word_in_epoch(1, 8), IN_EPOCH(MBCF_STOPS, 1));
        check("stopped", word_in_epoch(1, 9), IN_EPOCH(MBCF_STOPPED, 1));
        check("so is a later epoch", word_in_epoch(2, 9),
              IN_EPOCH(MBCF_STOPPED, 1));
    }
    udm_barrier();
    if (udm_node() == 1) {
        mbcf_take(&fifo, &word, sizeof(word));
        mbcf_take(&fifo, &word, sizeof(word));
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("goes on", word_to(MBCF_FIFOE_RETRY, 8), MBCF_DONE);
        check("the old epoch is refused, with room", word_in_epoch(1, 9),
              IN_EPOCH(MBCF_STOPPED, 2));
        check("not the new one", word_in_epoch(2, 9), MBCF_DONE);
        check("refused, without room", word_in_epoch(1, 10),
              IN_EPOCH(MBCF_STOPPED, 2));
        check("stops in that epoch", word_in_epoch(2, 10),
              IN_EPOCH(MBCF_STOPS, 2));
        check("after the last epoch, the first", mbcf_epoch_after(MBCF_EPOCHS),
              MBCF_EPOCH_FIRST);
    }
    udm_barrier();
}

/* Several nodes send to node 0's FIFO, each with several entries under way. */
enum { WINDOW = 6, ENTRIES = 150 };

static struct {
    uint32_t first, next;               /* first to next - 1 are under way */
    uint32_t epoch, latest;             /* that entries name; of refusals */
    volatile uint32_t status[WINDOW];
    uint32_t entry[WINDOW][2];          /* node, number */
} eager;

static void send_entry(uint32_t number, bool retry)
{
    volatile uint32_t *status = &eager.status[number % WINDOW];
    const uint32_t *entry = eager.entry[number % WINDOW];

    *status = MBCF_PENDING;
    if (retry) {
        mbcf_send(MBCF_FIFOE_RETRY, 0, (uintptr_t)&fifo, entry, 8, MBCF_STATUS,
                  status);
    } else {
        mbcf_send_eager(0, (uintptr_t)&fifo, entry, 8, eager.epoch, MBCF_STATUS,
                        status);
    }
}

/* Spends up to so many cycles, a power of two, by chance. */
static void linger(uint32_t most)
{
    static uint32_t x;
    uint32_t start = udm_cycles32();

    x = (x + udm_node() + 1) * 1664525 + 1013904223;
    while (udm_cycles32() - start < (x >> 16) % most) {
    }
}

/* Waits for all replies. Sends those that were refused again, in order. */
static void send_refused(void)
{
    bool retry;

    for (uint32_t k = eager.first; k < eager.next; k++) {
        uint32_t status = mbcf_await(&eager.status[k % WINDOW]);

        if (mbcf_epoch(status)) {
            eager.latest = mbcf_epoch(status);
        }
    }
    while (eager.first < eager.next &&
           eager.status[eager.first % WINDOW] == MBCF_DONE) {
        eager.first++;
    }
    if (eager.first == eager.next) {
        return;
    }
    retry = mbcf_plain_status(eager.status[eager.first % WINDOW]) !=
            MBCF_STOPPED;
    eager.epoch = retry ? mbcf_epoch_after(eager.latest) : eager.latest;
    for (uint32_t k = eager.first; k < eager.next; k++) {
        send_entry(k, retry && k == eager.first);
        linger(4096);           /* the FIFO may go on or stop between two */
    }
}

static void produce(void)
{
    eager.epoch = eager.latest = MBCF_EPOCH_FIRST;
    while (eager.first < ENTRIES) {
        uint32_t k = eager.next;

        if (k < ENTRIES && k - eager.first < WINDOW) {
            eager.entry[k % WINDOW][0] = udm_node();
            eager.entry[k % WINDOW][1] = k;
            eager.next++;
            send_entry(k, false);
            linger(4096);
        } else {
            send_refused();
        }
    }
}

void case_eagers(void)
{
    uint32_t expected[64] = { 0 }, wrong = 0, got = 0, entry[2];

    if (udm_node()) {
        produce();
        return;
    }
    while (got < ENTRIES * (udm_nodes() - 1)) {
        linger(2048);
        if (mbcf_take(&fifo, entry, sizeof(entry)) == sizeof(entry)) {
            wrong += entry[1] != expected[entry[0]];
            expected[entry[0]]++;
            got++;
        }
    }
    check("entries out of order", wrong, 0);
    check("some had to be sent again", fifo.epoch > 10, 1);
}

/* ---- Structures that make no sense --------------------------------------- */

static struct mbcf_signal signals[8];
static uint32_t stored[8];

static uint32_t send_signal(uint32_t k, uint32_t program, const void *from,
                            uint32_t bytes)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_signal(1, (uintptr_t)&signals[k], program, from, bytes, MBCF_STATUS,
                &status);
    return mbcf_await(&status);
}

void case_structures(void)
{
    static const struct mbcf_fifo good = {
        .buffer = (uintptr_t)buffer, .size = sizeof(buffer),
    };
    static struct mbcf_fifo bad[12], last[5];

    for (unsigned k = 0; k < 12; k++) {
        bad[k] = good;
    }
    for (unsigned k = 0; k < 5; k++) {
        last[k] = good;
    }
    bad[0].buffer++;
    bad[1].size = 0;
    bad[2].size = MBCF_FIFO_MAX + 4;
    bad[3].head = sizeof(buffer);
    bad[4].used = sizeof(buffer) + 4;
    bad[5].buffer = 0xfffffff0;
    bad[6].buffer = FUGU_RAM_BASE;
    bad[7].size -= 2;
    bad[8].head = 2;
    bad[9].used = 2;
    bad[10].size = 4;
    bad[11].buffer = -sizeof(buffer) + 4;
    last[0].size = 8;
    last[1].size = MBCF_FIFO_MAX;
    last[2].head = sizeof(buffer) - 4;
    last[3].used = sizeof(buffer);
    last[4].buffer = -sizeof(buffer);
    signals[0].invoke = MBCF_INVOKE_CLIENT + 1;
    signals[1].store = 8;
    signals[2].store = 3;
    signals[3].during = 3;
    signals[4].store = MBCF_STORE_BUFFER;
    signals[4].to = GLAZE_INFO;
    signals[4].size = 100;
    signals[5].store = MBCF_STORE_BUFFER;
    signals[5].to = (uintptr_t)stored;
    signals[5].size = 3;
    udm_barrier();
    if (udm_node() == 1) {
        check("take", mbcf_take(&bad[3], stored, 4), -EINVAL);
        bad[6] = good;
        bad[6].used = 8;
        buffer[0] = 5;
        check("take an entry that cannot be", mbcf_take(&bad[6], stored, 16),
              -EINVAL);
        bad[6].used = 12;
        check("take one that just can be", mbcf_take(&bad[6], stored, 16), 5);
        check("it is gone", bad[6].used, 0);
        check("and where it was", bad[6].head, 12);
        bad[6].head = 0;
        bad[6].size = bad[6].used = 2 * GLAZE_PAGE;
        buffer[0] = MBCF_BYTES_MAX + sizeof(struct mbcf_source) + 1;
        check("take one that is too long", mbcf_take(&bad[6], stored, UINT32_MAX),
              -EINVAL);
        buffer[0] = UINT32_MAX;
        check("take the longest", mbcf_take(&bad[6], stored, UINT32_MAX),
              -EINVAL);
        bad[6] = good;
        bad[6].buffer = FUGU_RAM_BASE;
    }
    udm_barrier();
    if (udm_node()) {
        return;
    }
    for (unsigned k = 0; k < 12; k++) {
        check("fifo", to_fifo(MBCF_FIFO, &bad[k], "a", 1),
              k == 6 ? MBCF_BAD_ADDRESS : MBCF_BAD_STRUCTURE);
    }
    check("least size", to_fifo(MBCF_FIFO, &last[0], "a", 1), MBCF_DONE);
    check("no more in it", to_fifo(MBCF_FIFO, &last[0], "a", 1), MBCF_FULL);
    check("largest size", to_fifo(MBCF_FIFO, &last[1], "a", 1), MBCF_DONE);
    check("last head", to_fifo(MBCF_FIFO, &last[2], "a", 1), MBCF_DONE);
    check("all is used", to_fifo(MBCF_FIFO, &last[3], "a", 1), MBCF_FULL);
    check("the last addresses", to_fifo(MBCF_FIFO, &last[4], "a", 1),
          MBCF_BAD_ADDRESS);
    check("no structure", to_fifo(MBCF_FIFO, (void *)8, "a", 1),
          MBCF_BAD_ADDRESS);
    check("unaligned", to_fifo(MBCF_FIFO, (void *)((uintptr_t)&fifo + 2), "a",
                               1), MBCF_UNALIGNED);
    check("signal", send_signal(0, 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("signal", send_signal(1, 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("signal", send_signal(2, 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("signal", send_signal(3, 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("a buffer that cannot be written", send_signal(4, 0, "a", 1),
          MBCF_BAD_ADDRESS);
    check("a short buffer", send_signal(5, 0, "abcd", 4), MBCF_FULL);
    check("it was not invoked", signals[5].running, 0);
}

/* ---- Signals ------------------------------------------------------------- */

static volatile uint32_t runs, last, in_section, threads;

static void program(struct mbcf_signal *signal)
{
    last = signal - signals;
    in_section += udm_atomic();
    runs++;
}

static void other_program(struct mbcf_signal *signal)
{
    last = 100 + (signal - signals);
    runs++;
}

static void run_threads(struct mbcf_signal *signal)
{
    last = 200 + (signal - signals);
    threads++;
}

static void set_up(void)
{
    for (unsigned k = 0; k < 8; k++) {
        signals[k] = (struct mbcf_signal) {
            .invoke = MBCF_INVOKE_TARGET,
            .during = MBCF_WHILE_INVOKE,
            .program = (uintptr_t)program,
        };
    }
    signals[1].invoke = MBCF_INVOKE_SOURCE;
    signals[2].invoke = MBCF_INVOKE_SCHEDULER;
    signals[3].store = MBCF_STORE_BUFFER | MBCF_STORE_SOURCE;
    signals[3].to = (uintptr_t)stored;
    signals[3].size = sizeof(stored);
    signals[4].store = MBCF_STORE_FIFO;
    signals[4].to = (uintptr_t)&large_fifo;
    signals[5].during = MBCF_WHILE_REFUSE;
    signals[6].during = MBCF_WHILE_STORE;
    signals[6].store = MBCF_STORE_FIFO;
    signals[6].to = (uintptr_t)&large_fifo;
}

/* Node 1 lets what signals have invoked run, and checks what it was. */
static void expect(const char *name, uint32_t count, uint32_t which)
{
    udm_barrier();
    if (udm_node() == 1) {
        while (runs + threads < count) {
        }
        check(name, last, which);
    }
    udm_barrier();
}

void case_signals(void)
{
    static uint8_t got[200];

    set_up();
    mbcf_scheduler(run_threads);
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() == 0) {
        check("target's program", send_signal(0, 0, NULL, 0), MBCF_DONE);
    }
    expect("target's program runs", 1, 0);
    if (udm_node() == 0) {
        check("source's program", send_signal(1, (uintptr_t)other_program,
                                              NULL, 0), MBCF_DONE);
    }
    expect("source's program runs", 2, 101);
    if (udm_node() == 0) {
        check("scheduler", send_signal(2, 0, NULL, 0), MBCF_DONE);
    }
    expect("scheduler runs", 3, 202);
    if (udm_node() == 0) {
        check("buffer", send_signal(3, 0, "abcdefgh", 8), MBCF_DONE);
    }
    expect("program runs", 4, 3);
    if (udm_node() == 0) {
        check("bytes into a FIFO", send_signal(4, 0, local, 128), MBCF_DONE);
    }
    expect("program runs", 5, 4);
    if (udm_node() == 1) {
        check("source: logical", stored[0], 0);
        check("source: node", stored[1], 0);
        check("source: number", stored[2], mbcf_page()->task);
        check("bytes", memcmp(&stored[3], "abcdefgh", 8), 0);
        check("entry", mbcf_take(&large_fifo, got, sizeof(got)), 128);
        check("in atomic sections", in_section, 3);
        for (unsigned k = 0; k < 5; k++) {
            check("has ended", signals[k].running, 0);
        }
    }
}

/* Node 0 sends signals when node 1 is in its section, however late that begins. */
static volatile uint32_t in_its_section;

static void tell_of_the_section(void)
{
    mbcf_fetch_add(0, (uintptr_t)&in_its_section, 1, NULL, 0, NULL);
}

static void await_the_section(void)
{
    while (!in_its_section) {
    }
}

/* A section of a library, by a store where atomicity is soft. */
void case_quick(void)
{
    bool soft = glaze_info(GLAZE_I_SOFT);
    volatile uint32_t *flag = (volatile uint32_t *)&buffer[1];

    set_up();
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() == 0) {
        await_the_section();
        check("signal", send_signal(0, 0, NULL, 0), MBCF_DONE);
        check("flag", mbcf_fetch_add_now(1, (uintptr_t)flag, 1), 0);
        return;
    }
    if (soft) {
        quick_section_open();
    } else {
        udm_beginatom();
    }
    tell_of_the_section();
    while (!*flag) {
    }
    check("no program runs in a section", runs, 0);
    if (soft) {
        quick_section_close();
    } else {
        udm_endatom();
    }
    check("but behind it", runs, 1);
}

/* Commands while a program has not ended: it waits for the end of a section. */
void case_during(void)
{
    set_up();
    mbcf_take_signals();
    udm_barrier();
    if (udm_node() == 1) {
        udm_beginatom();
        tell_of_the_section();
        while (*(volatile uint32_t *)&buffer[1] == 0) {
        }
        check("nothing runs in a section", runs, 0);
        check("invocations", signals[0].running, 3);
        check("one", signals[5].running, 1);
        check("one", signals[6].running, 1);
        check("entries", large_fifo.used, 16);
        udm_endatom();
        check("all run after it", runs, 16);
        check("have ended", signals[0].running + signals[5].running +
              signals[6].running + signals[7].running, 0);
    } else if (udm_node() == 0) {
        await_the_section();
        check("first", send_signal(0, 0, NULL, 0), MBCF_DONE);
        check("invoke", send_signal(0, 0, NULL, 0), MBCF_DONE);
        check("invoke", send_signal(0, 0, NULL, 0), MBCF_DONE);
        check("first", send_signal(5, 0, NULL, 0), MBCF_DONE);
        check("refuse", send_signal(5, 0, NULL, 0), MBCF_RUNNING);
        check("first", send_signal(6, 0, "abcd", 4), MBCF_DONE);
        check("store", send_signal(6, 0, "efgh", 4), MBCF_DONE);
        for (unsigned k = 5; k < MBCF_INVOCATIONS; k++) {
            check("invoke", send_signal(7, 0, NULL, 0), MBCF_DONE);
        }
        check("no room", send_signal(7, 0, NULL, 0), MBCF_FULL);
        mbcf_fetch_add_now(1, (uintptr_t)&buffer[1], 1);
    }
}

/* The longest entry that there is: of a signal, with its source. */
#define LONGEST (MBCF_BYTES_MAX + sizeof(struct mbcf_source))

void case_longest(void)
{
    static uint32_t space[2048], got[LONGEST / 4 + 1];
    static struct mbcf_fifo longest = {
        .buffer = (uintptr_t)space, .size = sizeof(space),
        .head = sizeof(space) - 100,
    };

    set_up();
    signals[0].store = MBCF_STORE_FIFO | MBCF_STORE_SOURCE;
    signals[0].to = (uintptr_t)&longest;
    for (uint32_t k = 0; k < MBCF_BYTES_MAX; k++) {
        local[k] = k * 7 >> 3;
    }
    udm_barrier();
    if (udm_node() == 0) {
        check("longest", send_signal(0, 0, local, MBCF_BYTES_MAX), MBCF_DONE);
        check("another", send_signal(0, 0, "abcd", 4), MBCF_DONE);
    }
    udm_barrier();
    if (udm_node() == 1) {
        uint32_t source = sizeof(struct mbcf_source);

        check("too little room", mbcf_take(&longest, got, MBCF_BYTES_MAX),
              -EMSGSIZE);
        check("longest", mbcf_take(&longest, got, sizeof(got)),
              LONGEST);
        check("its source", got[1], 0);
        check("its bytes", memcmp(got + source / 4, local, MBCF_BYTES_MAX), 0);
        check("no more", got[LONGEST / 4], 0);
        check("another", mbcf_take(&longest, got, sizeof(got)), 4 + source);
        check("its bytes", memcmp(got + source / 4, "abcd", 4), 0);
        check("empty", mbcf_take(&longest, got, sizeof(got)), -EAGAIN);
    }
}

/* ---- First messages ------------------------------------------------------ */

void case_queue(void)
{
    uint32_t task = mbcf_enter(0, 1, mbcf_page()->task, 0);
    volatile uint32_t status = MBCF_PENDING;
    struct mbcf_first first;

    if (udm_node() == 0) {
        mbcf_send(MBCF_WRITE_QUEUE, task, 0, "a", 1, MBCF_STATUS, &status);
        check("no queue", mbcf_await(&status), MBCF_NO_QUEUE);
    }
    udm_barrier();
    if (udm_node() == 1) {
        check("no queue to read", mbcf_read_queue(&first), false);
        check("make", mbcf_queue(), true);
        check("nothing to read", mbcf_read_queue(&first), false);
    }
    udm_barrier();
    for (uint32_t k = 0; k <= MBCF_QUEUE_MAX && udm_node() == 0; k++) {
        status = MBCF_PENDING;
        mbcf_send(MBCF_WRITE_QUEUE, task, 0, &k, sizeof(k), MBCF_STATUS,
                  &status);
        if (mbcf_await(&status) != MBCF_DONE) {
            check("full", status, MBCF_FULL);
            check("after", k, MBCF_QUEUE_MAX);
        }
    }
    udm_barrier();
    for (uint32_t k = 0; k < MBCF_QUEUE_MAX && udm_node() == 1; k++) {
        if (!mbcf_read_queue(&first) || first.data[0] != k) {
            check("in order", first.data[0], k);
        }
    }
    if (udm_node() == 1) {
        check("source: node", first.source.node, 0);
        check("source: number", first.source.number, mbcf_page()->task);
        check("bytes", first.bytes, sizeof(uint32_t));
        check("empty", mbcf_read_queue(&first), false);
    }
}
