/*
 * Messages between kernels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/pending.h"

#define WORDS_MAX       (FUGU_MSG_WORDS - 2)

static message_taker *take;
static message_quick_taker *take_quick;

void message_init(message_taker *taker, message_quick_taker *quick_taker)
{
    take = taker;
    take_quick = quick_taker;
}

static void send_now(uint32_t node, enum operation operation,
                     const uint32_t *words, unsigned count)
{
    ni_second_out(0, node);
    ni_second_out(1, operation);
    for (unsigned i = 0; i < count; i++) {
        ni_second_out(2 + i, words[i]);
    }
    ni_second_launch(count + 2);
}

uint64_t message_waited;

static __attribute__((cold, noinline)) void wait_for_space(unsigned words)
{
    uint64_t began = now();

    while (ni_second_space() < words) {
        message_serve();
    }
    message_waited += now() - began;
}

void message_send(uint32_t node, enum operation operation,
                  const uint32_t *words, unsigned count)
{
    if (ni_second_space() < count + 2) {
        wait_for_space(count + 2);
    }
    send_now(node, operation, words, count);
}

#define CHILDREN        8       /* of a node, in the tree */

static void send_down(enum operation operation, const uint32_t *words,
                      unsigned count)
{
    uint32_t first = CHILDREN * ni_node() + 1;

    for (uint32_t n = first; n < first + CHILDREN && n < ni_nodes(); n++) {
        message_send(n, operation, words, count);
    }
}

void message_tell_all(enum operation operation, const uint32_t *words,
                      unsigned count)
{
    message_send(0, operation, words, count);
    send_down(operation, words, count);
}

void message_pass_on(enum operation operation, const uint32_t *words,
                     unsigned count)
{
    if (ni_node()) {
        send_down(operation, words, count);
    }
}

/* Messages that the kernel takes before it looks for other interrupts. */
#define SERVE_MOST      32

bool message_serve_quick(void)
{
    return ni_second_present() && take_quick();
}

static void take_slow(void)
{
    uint32_t source = ni_second_word(0) & FUGU_HDR_NODE_MASK;
    uint32_t operation = ni_second_word(1);
    uint32_t words[WORDS_MAX], count = ni_second_length() - 2;

    for (unsigned i = 0; i < count && i < WORDS_MAX; i++) {
        words[i] = ni_second_word(2 + i);
    }
    ni_second_dispose();
    take(source, operation, words);
}

/* Messages that a look takes: who sends a page keeps so many on the way (pieces.h). */
#define LOOK_MOST       4

__attribute__((cold)) void message_look(uint32_t cycles)
{
    for (unsigned most = LOOK_MOST;
         most && ni_second_present() && kernel_time_left() > cycles && take_quick();
         most--) {
    }
}

void message_serve(void)
{
    for (unsigned most = SERVE_MOST; most && ni_second_present(); most--) {
        if (!take_quick()) {
            take_slow();
        }
    }
}

/* Handlers of messages on the first network (message.S). */
void message_null(void);
void message_marker(void);

uint32_t message_marks;

/*
 * Describes and launches a null message. This is a separate function, with all
 * its operands in registers, because ./run.sh paper measures it. What it measures is in
 * one line of the cache.
 */
__attribute__((noipa, aligned(16)))
static void message_launch(uint32_t out, uint32_t header, uint32_t handler)
{
    write32(out, header);
    write32(out + 4, handler);
    ni_launch_null();
}

static bool launch(uint32_t node, void (*handler)(void))
{
    if (ni_space() < 2) {
        return false;
    }
    message_launch(NI_K(OUT), FUGU_HDR_KERNEL | node, (uint32_t)handler);
    return true;
}

bool message_ping(uint32_t node)
{
    return launch(node, message_null);
}

bool message_mark(uint32_t node)
{
    return launch(node, message_marker);
}
