/*
 * What a node does at the end of long straight code has its place in time, and
 * so has what the others do meanwhile. Three nodes, the usual mesh in a row.
 *
 * Arguments: quantum, that of the machine, 64 if not given. With credit=1 the
 * program checks credits instead, and needs --input-queue 16 --source-space 16.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "ahead.h"
#include "am.h"
#include "check.h"
#include "contract.h"
#include "cycles.h"
#include "message.h"
#include "stamp.h"
#include "trap.h"

#define LONGEST         FUGU_MSG_WORDS
#define SOON            100     /* cycles into the straight code */
#define LOOKS           100
#define LOOK_EVERY      4096    /* cycles from one look to the next */

static uint32_t node;

/* Polls for a message, and takes it. Returns the time of its launch. */
static uint32_t take(uint32_t *seen)
{
    uint32_t sent;

    while (!ni_available()) {
    }
    *seen = cycles32();
    sent = ni_in(2);
    ni_dispose();
    return sent;
}

/* Node 2 sends while node 0 is in straight code, then node 0 sends. */
static void check_links(uint64_t start)
{
    uint32_t seen, sent;

    until(start);
    if (node == 0) {
        ahead_send(HEADER_GID(1, GID_OWN), 0);
    } else if (node == 2) {
        until(start + SOON);
        stamp_send(HEADER_GID(1, GID_OWN), 0, 3, 0);
    } else {
        sent = take(&seen);
        check_true("a launch later in straight code holds back no message",
                   seen - sent < 2 * SOON);
        sent = take(&seen);
        check_true("nor is it held back itself", seen - sent < 2 * SOON);
    }
}

/* Node 0 sends while node 1 is in straight code. */
static void check_arrival(uint64_t start)
{
    struct look look;
    uint32_t seen;

    until(start);
    if (node == 0) {
        until(start + SOON);
        stamp_send(HEADER_GID(1, GID_OWN), 0, 3, 0);
    } else if (node == 1) {
        ahead_look(&look);
        check("straight code finds a message that came during it",
              look.available, true);
        take(&seen);
    }
}

static unsigned misaligned;

static void skip_misaligned(struct trap *t)
{
    misaligned++;
    trap_skip(t);
}

/*
 * Node 1 traps at the end, where node 0 has accessed a device. A message comes
 * meanwhile. Only the digest shows a node that has awaited its turn to trap.
 */
static void check_trap(uint64_t start)
{
    uint32_t compare = FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, seen;

    until(start);
    if (node == 0) {
        ahead_store(0, compare);
    }
    until(start + 100000);
    if (node == 1) {
        REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;  /* a known page */
        trap_set(TT_MISALIGNED, skip_misaligned);
        ahead_store(0, compare + 1);
        trap_set(TT_MISALIGNED, NULL);
        check("a misaligned store to a device traps", misaligned, 1);
        take(&seen);
    } else if (node == 0) {
        until(start + 100000 + SOON);
        stamp_send(HEADER_GID(1, GID_OWN), 0, 3, 0);
    }
}

/*
 * What is left of the error: straight code may miss what comes in the round in
 * which it looks. It sees all that came before, and nothing that comes later.
 */
static void check_edge(uint64_t start, uint32_t quantum)
{
    uint32_t seen, early = 0, late = 0;
    struct look look;

    for (unsigned i = 0; i < LOOKS; i++, start += LOOK_EVERY) {
        until(start);
        if (node == 0) {
            until(start + SOON + 2 * i);
            stamp_send(HEADER_GID(1, GID_OWN), 0, 3, 0);
        } else if (node == 1) {
            uint32_t round, arrival;

            until(start + 50);
            ahead_look_soon(&look);
            arrival = take(&seen) + mesh_latency(3, 0, 1, 3);
            round = look.time - look.time % quantum;
            if (arrival <= round) {
                check_quietly("it is seen", look.available, true);
                early++;
            } else if (arrival > look.time) {
                check_quietly("it is not seen yet", look.available, false);
                late++;
            }
        }
    }
    if (node == 1) {
        check_true("looks before and after the arrival", early && late);
        check_sum("a look is right but for what comes in its round");
    }
}

/* Node 1's queue has room for one message. It disposes of the first in straight
 * code, long after the second has come. */
static void check_credit(uint64_t start)
{
    uint32_t seen;

    until(start);
    if (node == 0) {
        uint32_t back, disposed;

        stamp_send(HEADER_GID(1, GID_OWN), 0, LONGEST, 0);
        while (ni_kernel_space() < LONGEST) {
        }
        until(start + 1000);
        stamp_send(HEADER_GID(1, GID_OWN), 0, LONGEST, 0);
        while (ni_kernel_space() < LONGEST) {
        }
        back = cycles32();
        while (!ni_available()) {
        }
        disposed = ni_in(1);
        ni_dispose();
        check_true("space comes back after the queue has room",
                   back - disposed >= mesh_credit_latency(2, 0, 1) &&
                   back - disposed < 2 * SOON);
    } else if (node == 1) {
        uint32_t disposed;

        until(start + 500);
        disposed = ahead_dispose();
        take(&seen);
        ni_kernel_out(0, HEADER_GID(0, GID_OWN));
        ni_kernel_out(1, disposed);
        ni_launch(2);
    }
}

int main(void)
{
    node = ni_node();
    ni_fresh();
    pil_set(PIL_ALL);
    if (argument("credit", 0)) {
        check_credit(50000);
    } else {
        check_links(50000);
        check_arrival(250000);
        check_trap(400000);
        check_edge(700000, argument("quantum", 64));
    }
    return check_result();
}
