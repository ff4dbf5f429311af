/*
 * Rules of remote queues: several queues, polling, active messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-calls.h"
#include "mbcf.h"
#include "rules.h"

/* ---- Several queues ------------------------------------------------------ */

void queues(void)
{
    uint32_t a, sum = 0;

    wrong = 0;
    rq_begin();
    for (uint32_t k = 0; k < MANY; k++) {
        rq_send(next_node, RQ_LAST - k, k);
    }
    for (uint32_t k = MANY; k-- > 0;) {         /* the last one first */
        AWAIT(RQ_LAST - k);
        sum += rq_dequeue(RQ_LAST - k, &a);
        wrong += a != k;
        wrong += rq_waiting(RQ_LAST - k) != 0;
    }
    rq_end();
    check("queues: one does not wait for another", sum, MANY);
    check("queues: each has its own items", wrong, 0);
}

void counts(void)
{
    uint32_t a;

    rq_begin();
    settle_all();               /* all nodes poll */
    for (uint32_t k = 0; k < 10; k++) {
        rq_send(next_node, PLAIN, k);
    }
    settle_all();
    if (by_ni) {
        check("waiting: nothing, before a poll", rq_waiting(PLAIN), 0);
        rq_read_queue(PLAIN);
        check("waiting: what a poll needs", rq_waiting(PLAIN), 1);
        rq_read_queue(PLAIN);
        check("waiting: one more for each poll", rq_waiting(PLAIN), 2);
    } else {
        check("waiting: what has arrived", rq_waiting(PLAIN), 10);
    }
    for (uint32_t k = 0; k < 10; k++) {
        rq_dequeue(PLAIN, &a);
    }
    check("waiting: nothing in the end", rq_waiting(PLAIN), 0);
    check("waiting: the last item", a, 9);
    rq_end();
}

/* ---- Polling ------------------------------------------------------------- */

void counting(void)
{
    wrong += udm_arg(0) != handled || udm_source() != previous;
    udm_dispose();
    handled++;
}

/* With RQ_BY_NI. */
void polling(void)
{
    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    for (uint32_t k = 0; k < 4; k++) {
        rq_send_am(next_node, counting, k);
    }
    settle_all();
    check("polling: no message interrupts", handled, 0);
    check("polling: a poll takes one", rq_poll_am(), true);
    check("polling: and calls its handler", handled, 1);
    rq_let_in();
    check("polling: rq_let_in() lets all in", handled, 4);
    check("polling: no more", rq_poll_am(), false);
    settle_all();
    rq_send_am(next_node, counting, 4);
    settle_all();
    check("polling: again none interrupts", handled, 4);
    rq_end();
    check("polling: rq_end() lets all in", handled, 5);
    udm_barrier();              /* all have received what they expect */
    rq_send_am(next_node, counting, 5);
    settle_all();
    check("polling: then they interrupt", handled, 6);
    check("polling: all in order", wrong, 0);
}

/*
 * With RQ_BY_NI: the kernel's messages interrupt a program that polls. They are
 * commands of MBCF here, which store a word.
 */
void system_messages(void)
{
    static volatile uint32_t word;
    const uint32_t one = 1, two = 2;
    uint32_t before;

    handled = wrong = 0;
    mbcf_open();
    udm_barrier();              /* all nodes can get commands */
    rq_begin();
    settle_all();               /* all nodes poll */
    before = glaze_info(GLAZE_I_INSERTED);
    mbcf_write(next_node, (uintptr_t)&word, &one, sizeof(one), 0, NULL);
    settle_all();
    check("system: the kernel's message interrupts", word, 1);
    check("system: nothing else happens",
          glaze_info(GLAZE_I_INSERTED), before);

    /* Now a message of the program is before the kernel's. */
    rq_send_am(next_node, counting, 0);
    mbcf_write(next_node, (uintptr_t)&word, &two, sizeof(two), 0, NULL);
    for (uint64_t start = udm_cycles();
         udm_cycles() - start < 5000000 && word != 2;) {
    }
    check("system: one behind the program's comes, too", word,
          2);
    check("system: the program's does not interrupt", handled, 0);
    check("system: but leaves the network interface",
          glaze_info(GLAZE_I_INSERTED), before + 1);
    check("system: where a poll finds it", rq_poll_am() && handled == 1, true);
    check("system: as it was sent", wrong, 0);
    rq_end();
}

static volatile uint32_t added, others;

static void add(void)
{
    added += udm_arg(0);
    udm_dispose();
}

static void another(void)
{
    others++;
    udm_dispose();
}

/* With RQ_BY_NI. */
void inlined(void)
{
    uint32_t sum = 0;

    added = others = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    check("inlined: nothing waits", RQ_POLL_INLINED(add, sum += udm_arg(0)),
          false);
    rq_send_am(next_node, add, 5);
    rq_send_am(next_node, another);
    rq_send_am(next_node, add, 6);
    settle_all();
    check("inlined: a known message", RQ_POLL_INLINED(add, sum += udm_arg(0)),
          true);
    check("inlined: runs the code", sum, 5);
    check("inlined: not the handler", added, 0);
    check("inlined: an unknown one", RQ_POLL_INLINED(add, sum += udm_arg(0)),
          true);
    check("inlined: interrupts", others, 1);
    check("inlined: with all after it", added, 6);
    check("inlined: and not the code", sum, 5);
    rq_end();
}

/* ---- Active messages of queues in memory --------------------------------- */

static uint32_t noted[8];

static void take_notes(const struct rq_item *item)
{
    uint32_t a;

    wrong += item->source != previous || item->words < 2;
    noted[handled++] = item->word[1];
    if (item->bytes) {
        wrong += item->bytes != 8 || ((uint32_t *)item->body)[1] != 77;
    }
    if (item->word[1] == 2) {   /* a handler may take and send items */
        AWAIT(OTHER);
        check("am: a handler takes the next item", rq_dequeue(OTHER, &a), true);
        check("am: its own is still valid", item->word[1], 2);
        rq_send(next_node, PLAIN, 55);
    }
}

void active(void)
{
    static uint32_t body[2] = { 0, 77 };
    uint32_t a = 0;

    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    check("am: nothing waits", rq_poll_am_of(OTHER), false);
    rq_send_am_to(next_node, OTHER, take_notes, 1);
    rq_send_body(next_node, OTHER, body, 8, (uintptr_t)take_notes, 2);
    rq_send(next_node, OTHER, 99);
    rq_send_am_to(next_node, OTHER, take_notes, 3);
    settle_all();
    check("am: no handler runs before the poll", handled, 0);
    AWAIT(OTHER);
    check("am: a poll takes one", rq_poll_am_of(OTHER), true);
    check("am: and calls its handler", handled == 1 && noted[0] == 1, true);
    AWAIT(OTHER);
    rq_poll_am_of(OTHER);
    AWAIT(OTHER);
    rq_poll_am_of(OTHER);
    check("am: in order", handled == 3 && noted[1] == 2 && noted[2] == 3,
          true);
    AWAIT(PLAIN);
    check("am: what the handler has sent", rq_dequeue(PLAIN, &a) && a == 55,
          true);
    check("am: sources and bodies", wrong, 0);
    rq_end();
}

/* ---- Interrupt queues ---------------------------------------------------- */

static void interrupting(const struct rq_item *item)
{
    wrong += item->source != previous;
    handled += item->word[1];
}

void interrupts(void)
{
    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    rq_send_am_to(next_node, INTERRUPT, interrupting, 1);
    rq_send_am_to(next_node, SECOND_INTERRUPT, interrupting, 10);
    rq_send(next_node, PLAIN, 5);
    settle_all();
    if (by_ni) {
        check("interrupt: not before a poll", handled, 0);
        check("interrupt: a poll of any queue", rq_delete_queue(PLAIN), true);
    } else {
        check("interrupt: at once", handled, 11);
        check("interrupt: a queue that polls", rq_delete_queue(PLAIN), true);
    }
    check("interrupt: calls all handlers", handled, 11);
    check("interrupt: nothing is queued",
          rq_waiting(INTERRUPT) + rq_waiting(SECOND_INTERRUPT) +
          rq_read_queue(INTERRUPT), 0);
    check("interrupt: sources", wrong, 0);
    rq_end();
}

/* ---- Queues do not wait for each other ----------------------------------- */

void independent(void)
{
    uint32_t head, a = 0;

    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    if (by_ni) {
        rq_send_am(next_node, counting, 0);
    }
    rq_send(next_node, RQ_NI, HEAD, 1);
    rq_send(next_node, RQ_NI, HEAD, 2);
    rq_send(next_node, PLAIN, 5);
    AWAIT(PLAIN);
    check("aside: an item after others", rq_dequeue(PLAIN, &a) && a == 5, true);
    check("aside: handlers before it have run", handled, by_ni);
    check("aside: the data before it wait", rq_waiting(RQ_NI), 2);
    settle_all();
    rq_send(next_node, RQ_NI, HEAD, 3);
    settle_all();
    for (uint32_t k = 1; k <= 3; k++) {
        AWAIT(RQ_NI);
        wrong += !rq_dequeue(RQ_NI, &head, &a) || a != k;
    }
    check("aside: in order, with what comes later", wrong, 0);
    rq_end();
}
