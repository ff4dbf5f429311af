/*
 * Requests and replies, and how long a request takes. See request.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "request.h"
#include "udm-collective.h"
#include "udm-thread.h"

volatile uint32_t request_handled, request_replies;

static uint32_t turns_of_request;       /* that a request computes */
static udm_thread_t *volatile waiter;   /* woken by reply number `wanted` */
static volatile uint32_t wanted;

void request_reset(void)
{
    request_handled = request_replies = 0;
}

/* ---- Computing ---------------------------------------------------------- */

enum { TURN = 4 };              /* cycles of a turn */

static inline void compute(uint32_t turns)
{
    while (turns-- > 0) {
        asm volatile ("");      /* the loop stays */
    }
}

void request_compute(uint32_t cycles)
{
    compute(cycles / TURN);
}

/* ---- Messages ----------------------------------------------------------- */

static void reply(void)
{
    udm_dispose();
    if (++request_replies == wanted && waiter) {
        udm_thread_wake(waiter);
    }
}

static void request(void)
{
    uint32_t from = udm_source();

    udm_dispose();
    compute(turns_of_request);
    udm_inject(from, reply);
    request_handled++;
}

void request_send(uint32_t node)
{
    udm_inject(node, request);
}

void request_wait(uint32_t count, bool yield)
{
    if (!yield) {
        while (request_replies != count) {
        }
        return;
    }
    wanted = count;
    waiter = udm_thread_self();
    while (request_replies != count) {
        udm_thread_block();
    }
    waiter = NULL;
}

/* ---- Calibration -------------------------------------------------------- */

enum { REQUESTS = 500, SENDER = 0, RECEIVER = 1 };

static void send_requests(void)
{
    for (uint32_t i = 0; i < REQUESTS; i++) {
        request_send(RECEIVER);
        request_wait(i + 1, false);
    }
}

/*
 * Some messages cost more than others: the first ones pay for cache misses,
 * others come out of the buffer, or a slot ends between the readings. So the
 * least cost counts.
 */
uint32_t request_watch(const volatile uint32_t *handled, uint32_t until)
{
    uint32_t least = UINT32_MAX, usual = UINT32_MAX;
    uint32_t now = udm_cycles32(), count = *handled;

    while (count != until) {
        uint32_t last = now, count_last = count, gap;

        now = udm_cycles32();
        count = *handled;
        gap = now - last;
        if (count == count_last) {
            usual = gap < usual ? gap : usual;
        } else if (count == count_last + 1) {
            least = gap < least ? gap : least;
        }
    }
    return least == UINT32_MAX || usual == UINT32_MAX ? UINT32_MAX
                                                      : least - usual;
}

uint32_t request_clock(void)
{
    uint32_t least = UINT32_MAX;

    for (unsigned i = 0; i < 16; i++) {
        uint32_t start = udm_cycles32(), took = udm_cycles32() - start;

        least = took < least ? took : least;
    }
    return least;
}

uint32_t request_calibrate(uint32_t hand)
{
    uint32_t shortest = 0;

    turns_of_request = 0;
    request_reset();
    udm_barrier();
    if (udm_node() == SENDER) {
        send_requests();
    } else if (udm_node() == RECEIVER) {
        shortest = request_watch(&request_handled, REQUESTS);
    }
    udm_broadcast(RECEIVER, &shortest, sizeof(shortest));
    if (hand > shortest) {
        turns_of_request = (hand - shortest + TURN / 2) / TURN;
    }
    udm_barrier();              /* all nodes answer requests as asked */
    return shortest;
}
