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

/*
 * Returns the cycles that a request costs this node, which sends some to
 * itself. A loop reads the clock: if one request, and no reply, comes between
 * two readings, they are further apart by its cost. The first requests also pay
 * for cache misses, so the least cost of several counts.
 */
static uint32_t cost(void)
{
    enum { REQUESTS = 20 };
    uint32_t least = UINT32_MAX, usual = UINT32_MAX;

    for (unsigned i = 0; i < REQUESTS; i++) {
        uint32_t last, now = udm_cycles32();
        uint32_t handled = request_handled, replies = request_replies;

        request_send(udm_node());
        while (request_replies == replies) {
            uint32_t handled_now, replies_now, gap;

            last = now;
            now = udm_cycles32();
            handled_now = request_handled;
            replies_now = request_replies;
            gap = now - last;
            if (handled_now == handled && replies_now == replies) {
                if (gap < usual) {
                    usual = gap;
                }
            } else if (handled_now == handled + 1 && replies_now == replies &&
                       gap < least) {
                least = gap;
            }
            handled = handled_now;
        }
    }
    return least - usual;
}

uint32_t request_calibrate(uint32_t hand)
{
    uint32_t shortest;

    turns_of_request = 0;
    shortest = cost();
    if (hand > shortest) {
        turns_of_request = (hand - shortest + TURN / 2) / TURN;
    }
    udm_barrier();              /* all nodes answer requests as asked */
    return shortest;
}
