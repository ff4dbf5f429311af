/*
 * A producer and consumers, with FIFOs that are too small. See README.md.
 *
 * The producer sends entries by FIFOE before it knows what has become of those
 * before. When a FIFO is full, the command that finds no room stops it, and it
 * refuses all that come after, even if there is room again. So nothing can
 * overtake. The producer keeps each entry until it is DONE, and sends those that
 * were refused again: the first one with FIFOE_RETRY, by which the FIFO goes on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "arguments.h"
#include "mbcf.h"
#include "udm-collective.h"

enum {
    PRODUCER = 0,
    CONSUMERS_MAX = 1023,
    ROOM = 4,                   /* entries that a FIFO holds */
    WINDOW = 6,                 /* entries under way to a FIFO: more than ROOM */
};

struct entry {
    uint32_t number, square;
};

/* A consumer's. An entry takes a word more than its data. */
static uint32_t buffer[ROOM * (sizeof(struct entry) / 4 + 1)];
static struct mbcf_fifo fifo = {
    .buffer = (uintptr_t)buffer, .size = sizeof(buffer),
};

/* The producer's, for each consumer: entries `first` to `next` - 1 are under
 * way. */
static struct stream {
    uint32_t first, next;
    volatile uint32_t status[WINDOW];
    struct entry entry[WINDOW];
} streams[CONSUMERS_MAX];

static uint32_t entries = 40;
static uint32_t refused;

/* ---- The producer -------------------------------------------------------- */

static void send(uint32_t consumer, struct stream *s, uint32_t number,
                 uint32_t command)
{
    s->status[number % WINDOW] = MBCF_PENDING;
    mbcf_send(command, consumer, (uintptr_t)&fifo, &s->entry[number % WINDOW],
              sizeof(struct entry), MBCF_STATUS, &s->status[number % WINDOW]);
}

/* Waits for all entries under way. The ones before `first` are then DONE. */
static void settle(struct stream *s)
{
    for (uint32_t k = s->first; k < s->next; k++) {
        mbcf_await(&s->status[k % WINDOW]);
    }
    while (s->first < s->next && s->status[s->first % WINDOW] == MBCF_DONE) {
        s->first++;
    }
}

/* Sends entries that were refused once more, in their order. */
static void send_again(uint32_t consumer, struct stream *s)
{
    for (uint32_t k = s->first; k < s->next; k++) {
        uint32_t status = s->status[k % WINDOW];

        refused++;
        send(consumer, s, k, status == MBCF_STOPPED ? MBCF_FIFOE
                                                    : MBCF_FIFOE_RETRY);
    }
}

/* Goes on with a consumer's stream. Returns whether all entries are there. */
static bool step(uint32_t consumer, struct stream *s)
{
    bool full = s->next - s->first == WINDOW;

    while (s->first < s->next && s->status[s->first % WINDOW] == MBCF_DONE) {
        s->first++;
    }
    if (s->next < entries && s->next - s->first < WINDOW) {
        s->entry[s->next % WINDOW] = (struct entry) { s->next,
                                                      s->next * s->next };
        send(consumer, s, s->next++, MBCF_FIFOE);
    } else if (full || s->next == entries) {
        settle(s);
        send_again(consumer, s);
    }
    return s->first == entries;
}

static void produce(void)
{
    uint32_t left;

    do {
        left = 0;
        for (uint32_t consumer = 1; consumer < udm_nodes(); consumer++) {
            left += !step(consumer, &streams[consumer - 1]);
        }
    } while (left);
}

/* ---- A consumer ---------------------------------------------------------- */

/* Returns how many entries were wrong, or not in their order. */
static uint32_t consume(void)
{
    uint32_t got = 0, wrong = 0;

    while (got < entries) {
        uint32_t start = udm_cycles32();
        struct entry entry;

        /* Works on the last entry, longer than the producer on those for all. */
        while (udm_cycles32() - start < 10000 * (udm_nodes() - 1)) {
        }
        if (mbcf_take(&fifo, &entry, sizeof(entry)) == sizeof(entry)) {
            wrong += entry.number != got || entry.square != got * got;
            got++;
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "ENTRIES", "entries for each consumer", 1, 1000000, &entries }, { 0 },
    };
    struct arguments arguments = { .app = "fifos", .numbers = numbers };
    uint32_t wrong = 0, left;

    arguments_read(&arguments, argc, argv);
    if (udm_nodes() < 2 || udm_nodes() > CONSUMERS_MAX + 1) {
        arguments_wrong(&arguments, "2 to %d nodes: one produces",
                        CONSUMERS_MAX + 1);
    }
    mbcf_open();
    udm_barrier();              /* all nodes are tasks: commands may come */
    if (udm_node() == PRODUCER) {
        produce();
    } else {
        wrong = consume();
    }
    wrong = udm_reduce_all_int(UDM_SUM, wrong);
    left = udm_reduce_all_int(UDM_SUM, fifo.used);
    if (udm_node() == PRODUCER) {
        printf("fifos: %lu entries, %lu refused for the time being\n",
               (unsigned long)(entries * (udm_nodes() - 1)),
               (unsigned long)refused);
        printf("fifos: %lu wrong, %lu bytes left: %s\n", (unsigned long)wrong,
               (unsigned long)left, wrong || left ? "wrong" : "right");
    }
    return wrong || left;
}
