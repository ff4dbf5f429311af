/*
 * udmstress SEED [MESSAGES [BODIES [LONG]]]: see stress.h. MESSAGES is the
 * number that each main() sends. BODIES 0: no message has a body. LONG is the
 * number of loops for actions that are to take longer than the timeout.
 *
 * Each node prints a line for each source with the counts and checksums of its
 * streams, and a line about modes, and exits with status 0. If a check fails,
 * fail() prints what was wrong and ends the job with status 117.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress.h"

static uint32_t seed;           /* 0: nothing is set up yet */
static uint32_t chances;

uint32_t random_start(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x = 0x2545f491;
    const uint32_t parts[] = { a, b, c, 0 };

    for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        x = next_random(x + parts[i] * 0x01000193u);
        x = x ? x : 1;
    }
    return x;
}

uint32_t chance(uint32_t below)
{
    uint32_t x = next_random(chances);

    chances = x;
    return x >> 8 & (below - 1);
}

void fail(const char *format, ...)
{
    char text[640];
    int length;
    va_list arguments;

    length = snprintf(text, sizeof(text), "at cycle %lu: ",
                      (unsigned long)udm_cycles32());
    va_start(arguments, format);
    length += vsnprintf(text + length, sizeof(text) - length, format,
                        arguments);
    va_end(arguments);
    if (length < (int)sizeof(text)) {
        snprintf(text + length, sizeof(text) - length, "; UAC %lx, mode %lu, "
                 "hold %lu, head %08lx, %s", (unsigned long)udm_uac(),
                 (unsigned long)glaze_info(GLAZE_I_MODE),
                 (unsigned long)glaze_info(GLAZE_I_HOLD),
                 (unsigned long)glaze_info(GLAZE_I_HEAD),
                 udm_thread_self() ? "in a thread" : "in a handler");
    }
    glaze_write(text, strlen(text));
    glaze_write("\n", 1);
    glaze_abort(117, "udmstress has found something wrong", 35);
}

/* Follows main()'s plan: destinations, lengths of bursts, and which
 * messages are sent in a section. */
static void send_all(uint32_t messages)
{
    uint32_t plan = random_start(seed, 0x10000 | udm_node(), 0);
    uint32_t burst = 0, node = 0;

    while (messages--) {
        plan = next_random(plan);
        if (burst == 0) {
            burst = (plan & 7) == 0 ? (plan >> 3 & 31) + 1 : 1;
            node = (plan >> 16) * udm_nodes() >> 16;
            do_something();
        }
        burst--;
        if (plan >> 8 & 1) {
            message_send(node, STREAM_OPEN);
        } else {
            section_open();
            section_poll(chance(2));
            message_send(node, STREAM_ATOMIC);
            section_poll(chance(2));
            section_close();
        }
    }
}

/* Prints what the test reads: for each source, messages and checksum per
 * stream. */
static void report(void)
{
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        printf("messages %lu %lu %lu:", (unsigned long)seed,
               (unsigned long)node, (unsigned long)udm_node());
        for (unsigned stream = 0; stream < STREAMS; stream++) {
            printf(" %lu/%08lx", (unsigned long)counts.in[node][stream],
                   (unsigned long)counts.sum[node][stream]);
        }
        printf("\n");
    }
}

static void report_modes(void)
{
    static const char *const names[GLAZE_IN_CAUSES] = {
        "fault", "timeout", "quantum", "mismatch", "request", "hold",
    };
    struct glaze_count count;

    glaze_count(&count);
    printf("node %lu %lu: sent=%lu received=%lu bodies=%lu inserted=%lu "
           "entries=%lu", (unsigned long)seed, (unsigned long)udm_node(),
           (unsigned long)counts_sent(), (unsigned long)counts.received,
           (unsigned long)counts.bodies,
           (unsigned long)glaze_info(GLAZE_I_INSERTED),
           (unsigned long)glaze_info(GLAZE_I_ENTRIES));
    for (unsigned i = 0; i < GLAZE_IN_CAUSES; i++) {
        printf(" in-%s=%lu", names[i],
               (unsigned long)glaze_info(GLAZE_I_CAUSES + 4 * i));
    }
    printf(" out-dispose=%lu out-endatom=%lu out-handler=%lu "
           "buffer-pages=%lu buffer-messages=%lu buffer-pages-most=%lu "
           "outs=%lu\n",
           (unsigned long)exits.dispose, (unsigned long)exits.endatom,
           (unsigned long)exits.handler, (unsigned long)count.buffer_pages,
           (unsigned long)count.buffer_messages,
           (unsigned long)count.buffer_pages_most,
           (unsigned long)count.outs);
}

/* Returns word `which` of the program's arguments as a number, counted from
 * 1. */
static uint32_t number(unsigned which, uint32_t otherwise)
{
    const char *text = (const char *)(GLAZE_INFO + GLAZE_I_ARGS);

    while (which-- && text) {
        text = strchr(text, ' ');
        text = text ? text + 1 : NULL;
    }
    return text ? strtoul(text, NULL, 0) : otherwise;
}

/* Sets up the test. If another node is faster, the first call comes from a
 * handler, else from main(). */
void begin(void)
{
    uint32_t uac = udm_uac();

    udm_beginatom();
    if (!seed) {
        seed = number(1, 1);
        with_bodies = number(3, true);
        long_time = number(4, 1000);
        chances = random_start(seed, udm_node(), 0x4000);
        streams_init(seed);
    }
    if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        udm_endatom();
    }
}

int main(void)
{
    uint32_t messages = number(2, 1000);

    if (udm_nodes() > NODES_MAX) {
        fprintf(stderr, "udmstress: %d nodes at most\n", NODES_MAX);
        return 2;
    }
    begin();
    workers_start(seed, messages / 8);
    send_all(messages);
    workers_join();
    end_wait();
    report();
    report_modes();
    return 0;
}
