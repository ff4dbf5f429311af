/*
 * FIFOs: entries, order, and what stops a FIFO of FIFOEs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "cases.h"
#include "check.h"

static uint32_t buffer[16];
static struct mbcf_fifo fifo = {
    .buffer = (uintptr_t)buffer, .size = sizeof(buffer),
};

static uint32_t large[3 * GLAZE_PAGE / 4];
static struct mbcf_fifo large_fifo = {
    .buffer = (uintptr_t)large, .size = sizeof(large),
};

static uint32_t word_to(uint32_t command, uint32_t word)
{
    return send_bytes(command, &fifo, &word, sizeof(word));
}

void case_fifo(void)
{
    uint8_t got[64];

    if (udm_node() == 0) {
        check("one byte", send_bytes(MBCF_FIFO, &fifo, "a", 1), MBCF_DONE);
        check("some bytes", send_bytes(MBCF_FIFO, &fifo, "bcdefg", 6), MBCF_DONE);
        check("all the room", send_bytes(MBCF_FIFO, &fifo, local, 40),
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
            wrong += send_bytes(MBCF_FIFO, &large_fifo, from, bytes) != MBCF_DONE;
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

    return send_signal(&with_fifo, 0, &word, sizeof(word));
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
        check("a RETRY finds it going", word_to(MBCF_FIFOE_RETRY, 0), MBCF_DONE);
        for (uint32_t k = 1; k < 8; k++) {
            check("the same epoch", word_in_epoch(1, k), MBCF_DONE);
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
