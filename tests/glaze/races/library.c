/*
 * Races of the two parts of a call of a library: each node has one, and node 1's
 * begins a cycle later in each round.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "races.h"

#include "crl.h"
#include "mbcf.h"
#include "rq.h"
#include "udm-collective.h"

static uint32_t turn;           /* rounds that this node has begun */

/* ---- barrier: no node leaves it before both have come -------------------------- */

static void blocks(void)
{
    udm_collective_wait(UDM_WAIT_BLOCK);
}

/* ---- reduce: both get the sum ---------------------------------------------------- */

static void reduce(void)
{
    int64_t mine = ++turn + 1000000 * udm_node();
    int64_t sum = udm_reduce_all_int(UDM_SUM, mine);

    wrong += sum != 1000000 + 2 * (int64_t)turn;
}

/* ---- word: a process waits off the processor for a command of MBCF -------------- */

static volatile uint32_t word;

static void word_happens(void)
{
    mbcf_sleep_while(&word, turn++);
    wrong += word != turn;
}

static void word_acts(void)
{
    mbcf_fetch_add(0, (uintptr_t)&word, 1, NULL, MBCF_WAKES, NULL);
}

/* ---- signal: its program runs once, and in no section ---------------------------- */

static volatile bool inside;
static volatile uint32_t ran;

static void program(struct mbcf_signal *signal)
{
    (void)signal;
    wrong += inside;
    ran++;
}

static struct mbcf_signal to_run = {
    .invoke = MBCF_INVOKE_TARGET, .program = (uintptr_t)program,
};

static void takes_signals(void)
{
    mbcf_open();
    mbcf_take_signals();
}

static void signal_happens(void)
{
    wrong += ran - turn > 1;    /* one for each round before, perhaps this one's */
    turn++;
    udm_beginatom();
    inside = true;
    delay(60);
    inside = false;
    udm_endatom();
}

static void signal_acts(void)
{
    mbcf_signal(0, (uintptr_t)&to_run, 0, NULL, 0, 0, NULL);
}

/* ---- region: both write a region of CRL ------------------------------------------ */

static uint32_t *shared;

static void maps(void)
{
    rid_t region = 0;

    crl_init();
    if (udm_node() == 0) {
        region = rgn_create(sizeof(*shared));
    }
    udm_broadcast(0, &region, sizeof(region));
    shared = rgn_map(region);
}

static void maps_and_blocks(void)
{
    maps();
    crl_wait(CRL_WAIT_BLOCK);
}

static void add(void)
{
    rgn_start_write(shared);
    wrong += *shared - 2 * turn > 1;    /* perhaps the other one's of this round */
    ++*shared;
    rgn_end_write(shared);
    turn++;
}

/* ---- queue: a remote queue whose item node 0 takes -------------------------------- */

static void by_ni(void)
{
    rq_init(RQ_BY_NI);
    rq_create(1, RQ_POLL);
}

static void by_memory(void)
{
    rq_init(RQ_BY_MEMORY);
    rq_create(1, RQ_POLL);
}

static void by_fetch(void)
{
    rq_init(RQ_BY_FETCH);
    rq_create(1, RQ_POLL);
}

static void take(void)
{
    uint32_t item;

    rq_begin();
    while (!rq_dequeue(1, &item)) {
        /* it will come */
    }
    rq_end();
    wrong += item != turn++;
}

static void put(void)
{
    rq_send(0, 1, turn);
    turn++;
}

const struct race library_races[] = {
    { "barrier", udm_barrier, .acts = udm_barrier, .meets = true },
    { "barrier-block", udm_barrier, .acts = udm_barrier, .meets = true,
      .opens = blocks },
    { "reduce", reduce, .acts = reduce, .meets = true },
    { "reduce-block", reduce, .acts = reduce, .meets = true, .opens = blocks },
    { "word", word_happens, .acts = word_acts, .opens = mbcf_open },
    { "signal", signal_happens, .acts = signal_acts, .opens = takes_signals },
    { "region", add, .acts = add, .opens = maps },
    { "region-block", add, .acts = add, .opens = maps_and_blocks },
    { "queue-ni", take, .acts = put, .opens = by_ni },
    { "queue-memory", take, .acts = put, .opens = by_memory },
    { "queue-fetch", take, .acts = put, .opens = by_fetch },
    { NULL },
};
