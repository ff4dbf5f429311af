/*
 * Quiescence, after chains of messages of random depth.
 *
 *     quiescence ROUNDS SEED spin|block|mixed [divert]
 *
 * In each round, each node sends some messages, whose handlers send others,
 * and so on. Handlers become threads, or end their atomic sections, before
 * they send. udm_quiesce() must not return while a message of the round, or
 * its handler, is on its way on any node.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "glaze-calls.h"
#include "check.h"
#include "random.h"
#include "waiting.h"
#include "udm-thread.h"

enum { DEPTH = 12 };

/* ---- Chains ------------------------------------------------------------- */

static uint32_t own;            /* random, for main() */
static uint32_t handlers_own;   /* random, for handlers */
static bool divert;

/*
 * Counts of even and odd rounds: a node that has ended a round may send to one
 * that has not.
 */
static volatile uint32_t sent[2], handled[2], active[2];
static volatile uint32_t ended;         /* rounds that this node has ended */
static volatile uint32_t late;          /* messages of such rounds */

static void add(volatile uint32_t *count, uint32_t n)
{
    bool atomic = udm_atomic();

    udm_beginatom();
    *count += n;
    if (!atomic) {
        udm_endatom();
    }
}

static void work(void);

static void send(uint32_t to, uint32_t depth, uint32_t round)
{
    add(&sent[round % 2], 1);
    udm_inject_counted(to % udm_nodes(), work, depth, round);
}

/* Handler. Arguments: depth, round. */
static void work(void)
{
    uint32_t depth = udm_arg(0), round = udm_arg(1);
    uint32_t random = random_next(&handlers_own);
    uint32_t children = depth == 0 ? 0 : random % 8 == 0 ? 2 : random % 8 < 7;

    udm_dispose();
    active[round % 2]++;
    handled[round % 2]++;
    late += round < ended;
    if (random / 8 % 8 == 0) {
        udm_thread_yield();     /* becomes a thread */
    } else if (random / 8 % 8 == 1) {
        udm_endatom();
        spin_for(random / 64 % 1000);
    }
    for (uint32_t i = 0; i < children; i++) {
        send(random / 64 + i, depth - 1, round);
    }
    add(&active[round % 2], -1);
    udm_count_handled(1);
}

/* ---- Counts that deceive ------------------------------------------------ */

static volatile bool replied, finished;         /* on node 0 */

static void reply(void)
{
    udm_dispose();
    replied = true;
    udm_count_handled(1);
}

static void finish(void)
{
    udm_dispose();
    finished = true;
    udm_count_handled(1);
}

/* Handler on node 1: replies, and then works on. */
static void work_on(void)
{
    udm_dispose();
    udm_inject_counted(0, reply);
    udm_endatom();
    spin_for(20000);
    udm_inject_counted(0, finish);
    udm_count_handled(1);
}

/*
 * When node 1 gives its counts, it has sent and handled nothing. When node 0
 * gives its counts, it has sent a message and handled the reply. So the sums
 * of sent and handled messages are equal, but node 1 is still at work. Returns
 * true if the work is finished when udm_quiesce() returns.
 */
static bool not_deceived(void)
{
    udm_barrier();
    if (udm_node() == 0 && udm_nodes() > 1) {
        spin_for(10000);
        udm_inject_counted(1, work_on);
        while (!replied) {
        }
    }
    udm_quiesce();
    return udm_node() != 0 || udm_nodes() == 1 || finished;
}

/* ---- Counting ----------------------------------------------------------- */

static volatile uint32_t counted;       /* messages */

static void count(void)
{
    udm_dispose();
    udm_count_sent(1);
    udm_count_handled(1);
    counted++;
}

/*
 * Counts in the thread of main(), while handlers interrupt it and count too.
 * Returns how many counts are lost.
 */
static uint32_t lost(void)
{
    enum { TIMES = 2000, MESSAGES = TIMES / 8 };
    uint32_t before = udm_sent_ + udm_handled_;

    for (uint32_t i = 0; i < TIMES; i++) {
        if (i % 8 == 0) {
            udm_inject(udm_node(), count);
        }
        udm_count_sent(1);
        udm_count_handled(1);
        for (uint32_t k = random_next(&own) % 32; k > 0; k--) {
            asm volatile ("");  /* the message comes at another instruction */
        }
    }
    while (counted < MESSAGES) {
    }
    return before + 2 * (TIMES + MESSAGES) - (udm_sent_ + udm_handled_);
}

static bool section_stays_open(void)
{
    bool open;

    udm_beginatom();
    udm_count_sent(0);
    open = udm_atomic();
    udm_endatom();
    return open && !udm_atomic();
}

int main(int argc, char **argv)
{
    uint32_t rounds = atoi(argv[1]), seed = atoi(argv[2]);
    uint32_t early = 0, different = 0, all = 0;

    wait_as(argv[3]);
    divert = argc > 4;
    own = hash(seed, udm_node(), 1) | 1;
    handlers_own = hash(seed, udm_node(), 2) | 1;
    udm_barrier();              /* handlers_own is set everywhere */
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t messages = random_next(&own) % 4;

        if (divert && random_next(&own) % 2) {
            glaze_divert();
        }
        for (uint32_t i = 0; i < messages; i++) {
            uint32_t to = random_next(&own), depth = random_next(&own) % DEPTH;

            send(to, depth, round);
        }
        spin_for(random_next(&own) % 2 * (random_next(&own) % 5000));
        udm_quiesce();
        ended = round + 1;
        early += active[round % 2] != 0;
        all += handled[round % 2];
        different += udm_reduce_all_int(UDM_SUM, (int64_t)sent[round % 2] -
                                        handled[round % 2]) != 0;
        sent[round % 2] = handled[round % 2] = 0;
    }
    check("no handler is at work", early, 0);
    check("all that was sent has been handled", different, 0);
    check("nothing comes later", late, 0);
    check("equal sums do not deceive", not_deceived(), true);
    check("a section stays open", section_stays_open(), true);
    udm_barrier();
    check("no count is lost", lost(), 0);
    all = udm_reduce_all_int(UDM_SUM, all);
    if (udm_node() == 0) {
        printf("messages: %lu\n", (unsigned long)all);
    }
    return check_end();
}
