/*
 * The end: waits until no message is under way any more.
 *
 * Handlers send too, so it is not enough that each node has sent its messages.
 * Node 0 asks all nodes, in waves, how many messages they have sent and
 * received, until two waves have the same answer and the sums are equal
 * (Mattern's four counters). Then each node tells each other node how many it
 * has sent there. Node 0 lets all nodes end when none misses a message.
 *
 * The messages of these handlers are not counted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "stress.h"

/* Cycles without progress until the test fails. Another node may be paging. */
#define PATIENCE        1000000000u

static volatile bool sent_all;          /* main() and the workers are done */
static volatile bool finish, leave;
static volatile uint32_t totals, satisfied;

/* Node 0's current wave. */
static volatile uint32_t answers, wave_sent, wave_received;
static volatile bool wave_done;

static uint64_t last_progress;
static uint32_t last_received;

/* ---- Handlers ------------------------------------------------------------ */

static void answer_handler(void)
{
    bool polled = handler_enter();

    wave_sent += udm_arg(0);
    wave_received += udm_arg(1);
    wave_done = wave_done && udm_arg(2);
    answers++;
    dispose();
    handler_leave(polled);
}

static void ask_handler(void)
{
    bool polled = handler_enter();

    dispose();
    udm_inject(0, answer_handler, counts_sent(), counts.received, sent_all);
    handler_leave(polled);
}

static void finish_handler(void)
{
    bool polled = handler_enter();

    dispose();
    finish = true;
    handler_leave(polled);
}

static void total_handler(void)
{
    bool polled = handler_enter();
    uint32_t source = udm_source();

    for (unsigned stream = 0; stream < STREAMS; stream++) {
        if (udm_arg(stream) != counts.in[source][stream]) {
            fail("node %lu has sent %lu in stream %d, and %lu have come",
                 (unsigned long)source, (unsigned long)udm_arg(stream),
                 stream, (unsigned long)counts.in[source][stream]);
        }
    }
    dispose();
    totals++;
    handler_leave(polled);
}

static void satisfied_handler(void)
{
    bool polled = handler_enter();

    dispose();
    satisfied++;
    handler_leave(polled);
}

static void leave_handler(void)
{
    bool polled = handler_enter();

    dispose();
    leave = true;
    handler_leave(polled);
}

/* ---- Waiting ------------------------------------------------------------- */

void progress(void)
{
    last_progress = udm_cycles();
}

void progress_check(void)
{
    if (counts.received != last_received) {
        last_received = counts.received;
        progress();
    } else if (udm_cycles() - last_progress > PATIENCE) {
        fail("nothing comes any more: mode %lu, hold %lu, head 0x%08lx, "
             "UAC %lu, available %d, answers %lu, totals %lu",
             (unsigned long)glaze_info(GLAZE_I_MODE),
             (unsigned long)glaze_info(GLAZE_I_HOLD),
             (unsigned long)glaze_info(GLAZE_I_HEAD),
             (unsigned long)udm_uac(), udm_available(),
             (unsigned long)answers, (unsigned long)totals);
    }
}

/*
 * Lets the processor wait until there is a message, unless `done`; then polls.
 * The caller must be in a section, so that no handler takes the message before
 * the wait.
 */
static void sleep_unless(bool done)
{
    if (!done && !udm_available()) {
        glaze_wait();
    }
    section_poll(1);
}

/* Waits until *what is at least `least`, in a way chosen at random. */
static void await(volatile uint32_t *what, uint32_t least)
{
    unsigned way = chance(4);

    progress();
    while (*what < least) {
        if (way == 0) {
            section_open();     /* polls until then */
            while (*what < least) {
                section_poll(1);
                progress_check();
            }
            section_close();
        } else if (way == 1) {
            spin(64);
        } else if (way == 2) {
            section_open();
            sleep_unless(*what >= least);
            section_close();
        } else {
            do_something();
        }
        progress_check();
    }
}

static void await_flag(volatile bool *what)
{
    progress();
    while (!*what) {
        section_open();
        if (chance(2)) {
            sleep_unless(*what);
        } else {
            section_poll(4);
        }
        section_close();
        spin(chance(64));
        progress_check();
    }
}

/* ---- Node 0 -------------------------------------------------------------- */

static void wave(void)
{
    wave_sent = wave_received = 0;
    wave_done = true;
    answers = 0;
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        udm_inject(node, ask_handler);
    }
    await(&answers, udm_nodes());
}

static void waves(void)
{
    uint32_t before = 0;

    do {
        before = wave_sent;
        wave();
    } while (!wave_done || wave_sent != wave_received || wave_sent != before);
}

static void tell_all(udm_handler_t handler)
{
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        udm_inject(node, handler);
    }
}

void end_wait(void)
{
    sent_all = true;
    progress();
    if (udm_node() == 0) {
        waves();
        tell_all(finish_handler);
    }
    await_flag(&finish);
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        udm_inject(node, total_handler, counts.out[node][0],
                   counts.out[node][1], counts.out[node][2],
                   counts.out[node][3]);
    }
    await(&totals, udm_nodes());
    udm_inject(0, satisfied_handler);
    if (udm_node() == 0) {
        await(&satisfied, udm_nodes());
        tell_all(leave_handler);
    }
    await_flag(&leave);
}
