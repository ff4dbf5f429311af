/*
 * Nodes send to other nodes, the sinks, which do not look at any message before
 * all lie in their message buffers. Every message must arrive once, in order
 * and with its body, and afterwards a sink must have as many frames as before.
 *
 *   flood MESSAGES EVERY [SINKS [END [LEAVE [WORDS]]]]
 *
 *   MESSAGES  number of messages from each node that is no sink
 *   EVERY     every EVERY-th message has a body; 0: none has
 *   SINKS     nodes 0 to SINKS - 1 are sinks; the others are assigned to them
 *             in turn; default 1
 *   END       the last node ends the job after END messages; above MESSAGES,
 *             each further one stands for 1000 cycles; 0: no end
 *   LEAVE     if given, the others send slowly and end after their last
 *             message, and a sink looks at no message: a sink ends when fewer
 *             than LEAVE - 1 frames are free; 0: as if not given
 *   WORDS     length of a body; default 1024
 *
 * Each sink prints one line of counts. The exit status is 1 if something was
 * wrong, 7 if END ended the job.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"
#include "wait.h"

#define BODY_WORDS_MAX (FUGU_BODY_MAX / 4)

static uint32_t messages, every, sinks = 1, end, leave;
static uint32_t next[FUGU_NODES_MAX];   /* expected number, per source */
static volatile uint32_t received;
static uint32_t wrong;
static uint32_t body_words = BODY_WORDS_MAX;
static uint32_t body[BODY_WORDS_MAX + 1];
static volatile uint32_t told;          /* how often a producer was told */

static uint32_t scramble(uint32_t node, uint32_t number, uint32_t k)
{
    uint32_t x = (node * 0x9e3779b9 + number) * 0x85ebca6b + k;

    return x ^ x >> 15;
}

static bool has_body(uint32_t number)
{
    return every && number % every == 0;
}

static void check_body(uint32_t node, uint32_t number)
{
    body[body_words] = 0x5afe;
    udm_storeback(body, 0, 4);          /* in two pieces */
    udm_storeback(body + 1, 4, 4 * body_words - 4);
    for (uint32_t k = 0; k < body_words; k++) {
        wrong += body[k] != scramble(node, number, k);
    }
    wrong += body[body_words] != 0x5afe;
}

static void take(void)
{
    uint32_t node = udm_source(), number = udm_arg(0);

    wrong += number != next[node]++;
    for (unsigned k = 0; k < 6; k++) {
        wrong += udm_arg(1 + k) != scramble(node, number, 100 + k);
    }
    wrong += udm_length() != 9;
    wrong += udm_body_length() != (has_body(number) ? 4 * body_words : 0);
    if (udm_body_length() && number % 4 != 2) { /* some bodies are not read */
        check_body(node, number);
    }
    received++;
    udm_dispose();
}

/* Tells a producer first to begin, and later to end. */
static void tell(void)
{
    told++;
    udm_dispose();
}

static uint32_t sink_of(uint32_t node)
{
    return node % sinks;
}

/* Tells all producers of this sink. Returns how many there are. */
static uint32_t tell_producers(void)
{
    uint32_t count = 0;

    for (uint32_t node = sinks; node < udm_nodes(); node++) {
        if (sink_of(node) == udm_node()) {
            udm_inject(node, tell);
            count++;
        }
    }
    return count;
}

#define WORD(k) scramble(node, i, 100 + (k))

/* Ends the job if this is the last node and it has sent END messages. */
static void perhaps_end(uint32_t sent)
{
    if (sent == end && udm_node() == udm_nodes() - 1) {
        glaze_abort(7, "it wants to", 11);
    }
}

static void pause(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
        /* only spends time */
    }
}

static void produce(void)
{
    uint32_t node = udm_node(), sink = sink_of(node);

    wait_for_count(&told, 1);
    for (uint32_t i = 0; i < messages; i++) {
        perhaps_end(i + 1);
        if (leave) {
            pause(2000);
        }
        if (has_body(i)) {
            for (uint32_t k = 0; k < body_words; k++) {
                body[k] = scramble(node, i, k);
            }
            udm_inject_body(sink, take, body, 4 * body_words, i, WORD(0),
                            WORD(1), WORD(2), WORD(3), WORD(4), WORD(5));
        } else {
            udm_inject(sink, take, i, WORD(0), WORD(1), WORD(2), WORD(3),
                       WORD(4), WORD(5));
        }
    }
    for (uint32_t i = messages; i < end; i++) {
        pause(1000);
        perhaps_end(i + 1);
    }
    wait_for_count(&told, leave ? 1 : 2);
}

/* One line, so that the lines of several nodes do not mix. */
static void report(const struct glaze_count *before,
                   const struct glaze_count *full,
                   const struct glaze_count *after)
{
    struct glaze_measure measure;

    glaze_measure(&measure, false);
    printf("sink: frames=%lu received=%lu wrong=%lu "
           "full=%lu full_out=%lu full_slots=%lu most=%lu "
           "outs=%lu ins=%lu pages=%lu out=%lu slots=%lu more=%ld "
           "suspensions=%lu resumptions=%lu gang=%lu ganged=%lu "
           "disposed=%llu handled=%llu inserted=%llu\n",
           (unsigned long)full->frames,
           (unsigned long)received, (unsigned long)wrong,
           (unsigned long)full->buffer_pages,
           (unsigned long)full->pages_out,
           (unsigned long)(full->slots - full->slots_free),
           (unsigned long)full->buffer_pages_most,
           (unsigned long)after->outs, (unsigned long)after->ins,
           (unsigned long)after->buffer_pages,
           (unsigned long)after->pages_out,
           (unsigned long)(after->slots - after->slots_free),
           (long)(after->process_pages - before->process_pages),
           (unsigned long)glaze_info(GLAZE_I_SUSPENSIONS),
           (unsigned long)glaze_info(GLAZE_I_RESUMPTIONS),
           (unsigned long)glaze_info(GLAZE_I_GANG),
           (unsigned long)glaze_info(GLAZE_I_GANGED),
           (unsigned long long)measure.counter[FUGU_METER_RECEIVED],
           (unsigned long long)measure.counter[FUGU_METER_HANDLED],
           (unsigned long long)measure.counter[FUGU_METER_INSERTED]);
}

static void consume(void)
{
    struct glaze_count before, full, after;
    uint32_t all, patience = 10000;

    printf("begin\n");                  /* printf() has its memory now */
    memset(body, 0, sizeof(body));
    udm_beginatom();
    glaze_divert();
    glaze_count(&before);
    all = tell_producers() * messages;
    do {
        glaze_count(&full);
        if (full.frames_free + 1 < leave) {
            exit(0);
        }
    } while (full.buffer_messages < all || leave);
    while (received < all / 2) {        /* half of them by polling */
        udm_poll();
    }
    udm_endatom();                      /* the rest in handlers */
    while (received < all) {
    }
    do {                                /* a page may still be under way */
        glaze_count(&after);
    } while (after.slots_free < after.slots && --patience);
    report(&before, &full, &after);
    tell_producers();
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 7) {
        fprintf(stderr, "flood: two to six arguments: messages, every, "
                "sinks, end, leave, words\n");
        return 2;
    }
    messages = strtoul(argv[1], NULL, 0);
    every = strtoul(argv[2], NULL, 0);
    sinks = argc > 3 ? strtoul(argv[3], NULL, 0) : sinks;
    end = argc > 4 ? strtoul(argv[4], NULL, 0) : end;
    leave = argc > 5 ? strtoul(argv[5], NULL, 0) : leave;
    body_words = argc > 6 ? strtoul(argv[6], NULL, 0) : body_words;
    if (!sinks || sinks >= udm_nodes()) {
        fprintf(stderr, "flood: sinks: 1 to one less than the nodes\n");
        return 2;
    }
    if (udm_node() < sinks) {
        consume();
    } else {
        produce();
    }
    return wrong != 0;
}
