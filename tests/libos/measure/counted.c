/*
 * The counters of a process (GLAZE_MEASURE), exact, against what the program
 * knows that it has done. For two nodes without a cache: node 1 sends to node
 * 0. The nodes agree on times, because messages of a barrier would count.
 *
 *     counted NULL
 *
 *     NULL      cycles of a null message by interrupt (docs/paper.md, table 4)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

#define FIRST   400000          /* cycle at which the first phase begins */
#define PHASE   500000          /* cycles from one phase to the next */
#define LENGTH  100000          /* cycles of a phase; then the program prints */
#define GAP     2000            /* from one message to the next */
#define HELD    20000           /* cycles for which the first thread holds the
                                   mutex: three handlers wait for most of it */

enum {
    SENT = FUGU_METER_SENT,
    BODIES = FUGU_METER_BODIES,
    BYTES = FUGU_METER_BYTES,
    RECEIVED = FUGU_METER_RECEIVED,
    HANDLED = FUGU_METER_HANDLED,
    INSERTED = FUGU_METER_INSERTED,
    CYCLES = FUGU_METER_CYCLES,
    HANDLING = FUGU_METER_HANDLING,
};

static uint32_t null_cycles;
static uint32_t body[FUGU_BODY_MAX / 4];
static volatile uint32_t came;

static void until(uint64_t cycle)
{
    while (udm_cycles() < cycle) {
    }
}

static void spin(uint32_t cycles)
{
    until(udm_cycles() + cycles);
}

/* ---- Phases -------------------------------------------------------------- */

static struct glaze_measure begun, ended;
static uint64_t phase = FIRST;

static void begin(void)
{
    until(phase);
    glaze_measure(&begun, true);
    until(phase + 5000);        /* node 0 has read its counters */
}

static void end(void)
{
    until(phase + LENGTH);
    glaze_measure(&ended, false);
    phase += PHASE;
}

static uint32_t got(unsigned k)
{
    return ended.counter[k] - begun.counter[k];
}

static void check_got(const char *what, unsigned k, uint32_t want)
{
    static const char *const names[FUGU_METER_COUNTERS] = {
        [SENT] = "sent", [BODIES] = "bodies", [BYTES] = "bytes",
        [RECEIVED] = "received", [HANDLED] = "handled",
        [INSERTED] = "inserted", [CYCLES] = "cycles", [HANDLING] = "handling",
    };
    char name[64];

    snprintf(name, sizeof(name), "%s: %s", what, names[k]);
    check(name, got(k), want);
}

/*
 * Checks a phase on both nodes. No other job runs, so this one is charged for
 * each cycle.
 */
static void check_phase(const char *what, uint32_t messages, uint32_t handled,
                        uint32_t inserted)
{
    bool receiver = udm_node() == 0;

    check_got(what, SENT, receiver ? 0 : messages);
    check_got(what, RECEIVED, receiver ? messages : 0);
    check_got(what, HANDLED, receiver ? handled : 0);
    check_got(what, INSERTED, receiver ? inserted : 0);
    check_got(what, CYCLES, ended.now - begun.now);
}

static void check_within(const char *name, uint32_t value, uint32_t least,
                         uint32_t most)
{
    check(name, value >= least && value <= most ? 1 : value, 1);
}

/* ---- Handlers ------------------------------------------------------------ */

static void null(void)
{
    udm_dispose();
}

static void take_body(void)
{
    udm_storeback(body, 0, udm_body_length());
    udm_dispose();
}

/* Disposes of this message and the next one. */
static void take_two(void)
{
    udm_dispose();
    while (!udm_available()) {
    }
    udm_dispose();
}

/* Ends its atomic section, and goes on for a long time. */
static void go_on(void)
{
    udm_dispose();
    udm_endatom();
    spin(8 * GAP);
}

static udm_mutex_t mutex;

/* Becomes a thread. */
static void lock(void)
{
    udm_dispose();
    udm_mutex_lock(&mutex);
    came++;
    udm_mutex_unlock(&mutex);
}

/* ---- What node 1 sends --------------------------------------------------- */

static void send(unsigned messages, void (*handler)(void))
{
    for (unsigned i = 0; i < messages; i++) {
        udm_inject(0, handler);
        spin(GAP);
    }
}

static void send_bodies(void)
{
    static const uint32_t bytes[] = { 4, 400, FUGU_BODY_MAX };

    for (unsigned i = 0; i < 3; i++) {
        udm_inject_body(0, take_body, body, bytes[i]);
        spin(5 * GAP);
    }
    udm_inject_body2(0, take_body, body, 8, body + 8, 12);
}

static bool sends(void)
{
    return udm_node() == 1;
}

/* ---- The phases ---------------------------------------------------------- */

static void by_interrupt(void)
{
    begin();
    if (sends()) {
        send(10, null);
    }
    end();
    check_phase("by interrupt", 10, 10, 0);
    check_got("by interrupt", HANDLING, sends() ? 0 : 10 * null_cycles);
}

static void poll(unsigned messages)
{
    udm_beginatom();
    for (unsigned i = 0; i < messages; i++) {
        while (!udm_available()) {
        }
        udm_poll();
    }
    udm_endatom();
}

static void polled(void)
{
    begin();
    if (sends()) {
        send(10, null);
    } else {
        poll(10);
    }
    end();
    /* One section for 10 * GAP: with soft atomicity a message may wait at its timeout,
     * which dispose does not preset. */
    check_phase("polled", 10, 0,
                glaze_info(GLAZE_I_SOFT) && got(INSERTED) <= 1 ? got(INSERTED) : 0);
    check_got("polled", HANDLING, 0);
}

static void bodies(void)
{
    begin();
    if (sends()) {
        send_bodies();
    }
    end();
    check_phase("bodies", 4, 4, 0);
    check_got("bodies", BODIES, sends() ? 4 : 0);
    check_got("bodies", BYTES, sends() ? 4 + 400 + FUGU_BODY_MAX + 20 : 0);
}

static void buffered(void)
{
    begin();
    if (sends()) {
        send(10, null);
        send_bodies();
    } else {
        udm_beginatom();
        glaze_divert();
        spin(70000);            /* all messages are in the buffer */
        udm_endatom();
    }
    end();
    check_phase("buffered", 14, 14, sends() ? 0 : 14);
    if (!sends()) {
        check_within("most pages: of records and bodies",
                     ended.buffer_pages_most, 2, 6);
        check("pages afterwards", ended.buffer_pages, 0);
        check_within("cycles of handlers from the buffer", got(HANDLING),
                     14 * 51, 40000);
    }
}

static void buffered_and_polled(void)
{
    begin();
    if (sends()) {
        send(10, null);
    } else {
        udm_beginatom();
        glaze_divert();
        spin(30000);
        poll(10);
    }
    end();
    check_phase("buffered and polled", 10, 0, 10);
    check_got("buffered and polled", HANDLING, 0);
    if (!sends()) {
        check("most pages since the last phase", ended.buffer_pages_most, 1);
    }
}

static void two_at_a_time(void)
{
    begin();
    if (sends()) {
        send(10, take_two);
    }
    end();
    check_phase("two by one handler", 10, 10, 0);
    if (!sends()) {             /* it waits for the second one */
        check_within("cycles of handlers that wait", got(HANDLING),
                     5 * GAP, 5 * (GAP + 2 * null_cycles + 200));
    }
}

/* The first handler is interrupted by four null messages once it has ended its
 * atomic section. */
static void interrupted(bool warm)
{
    begin();
    if (sends()) {
        send(1, go_on);
        send(4, null);
    }
    end();
    if (!warm) {
        return;                 /* stacks of handlers have memory now */
    }
    check_phase("handlers interrupt a handler", 5, 5, 0);
    if (!sends()) {
        /* Without those of the first handler after its section. */
        check_within("cycles in atomic sections", got(HANDLING),
                     5 * null_cycles, 8 * GAP - 1);
    }
}

static void thread(bool warm)
{
    came = 0;
    begin();
    if (sends()) {
        send(3, lock);
    } else {
        udm_mutex_lock(&mutex);
        spin(HELD);
        udm_mutex_unlock(&mutex);
        while (came < 3) {
            udm_thread_yield();
        }
    }
    end();
    if (!warm) {
        return;
    }
    check_phase("handlers become threads", 3, 3, 0);
    if (!sends()) {
        check_within("cycles until they wait", got(HANDLING), 3 * null_cycles,
                     HELD - 1);
    }
}

int main(int argc, char **argv)
{
    null_cycles = argc > 1 ? atoi(argv[1]) : 0;
    by_interrupt();
    polled();
    bodies();
    buffered();
    buffered_and_polled();
    two_at_a_time();
    interrupted(false);
    interrupted(true);
    thread(false);
    thread(true);
    return check_end();
}
