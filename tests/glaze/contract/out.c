/*
 * contract out and pages: how buffered mode ends, and the buffer's pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

static struct state s[8];

/* ---- The end of buffered mode -------------------------------------------- */

static void test_by_dispose(void)
{
    calls_begin();
    udm_beginatom();
    page_fault();
    fill(looks, 2);
    udm_dispose();
    look(&s[0]);
    udm_dispose();
    look(&s[1]);
    udm_inject(udm_node(), looks, 0);
    UNTIL(udm_available());
    look(&s[2]);
    udm_dispose();
    udm_endatom();
    look(&s[3]);
    expect("a dispose that leaves a message stays", &s[0], "ie head buffered");
    expect("the dispose that takes the last one leaves, in its section", &s[1],
           "i ni fast");
    expect("which finds the next message at the NI", &s[2], "i ni fast");
    expect("and whose end nobody sees", &s[3], "- ni fast");
    expect_counts("two of three were inserted", "fault 1 inserted 2");
}

static void faults_behind(void)
{
    udm_dispose();
    page_fault();
    look(&s[0]);
    calls++;
}

static void ends_section(void)
{
    udm_dispose();
    page_fault();
    udm_endatom();
    look(&s[1]);
    calls++;
}

static void test_by_end(void)
{
    calls_begin();
    udm_beginatom();
    page_fault();
    udm_endatom();
    look(&s[0]);
    expect("an endatom that finds no message leaves", &s[0], "- ni fast");

    udm_inject(udm_node(), faults_behind);
    UNTIL(calls == 1);
    look(&s[2]);
    expect("a handler in buffered mode, without a message", &s[0],
           "ite empty buffered");
    expect("whose end leaves", &s[2], "- ni fast");

    udm_inject(udm_node(), ends_section);
    UNTIL(calls == 2);
    expect("an endatom of a handler leaves", &s[1], "- ni fast");
    expect_counts("three", "fault 3");
}

/*
 * A program that never ends its atomic section leaves buffered mode, enters it
 * again, and leaves it again, all in the same section.
 */
static void test_polling_for_ever(void)
{
    uint32_t in = 0, fast = 0, wrong = 0;

    calls_begin();
    udm_beginatom();
    for (uint32_t i = 0; i < 50; i++) {
        if (i % 2) {
            glaze_divert();
        }
        udm_inject(udm_node(), looks, i);
        udm_inject(udm_node(), looks, i);
        if (i % 4 < 2) {
            UNTIL(udm_available());
            spin(i % 2 ? 0 : 2 * TIMEOUT);      /* enters by timeout */
        }
        for (unsigned k = 0; k < 2; k++) {
            UNTIL(udm_available());
            in += k == 0 && buffered();
            wrong += udm_arg(0) != i;
            udm_dispose();
        }
        fast += !buffered() && udm_uac() == FUGU_UAC_INTERRUPT_DISABLE;
    }
    udm_endatom();
    look(&s[0]);
    check("all messages were polled, in order", wrong, 0);
    check("three of four came by the buffer", in, 25 + 13);
    check("each time it got out, in its section", fast, 50);
    check("no handler has started", calls, 0);
    expect("at last", &s[0], "- ni fast");
}

static void test_waiting(void)
{
    calls_begin();
    udm_beginatom();
    glaze_divert();
    fill(looks, 1);
    glaze_wait();       /* returns at once: there is a message */
    look(&s[0]);
    udm_dispose();
    udm_inject(udm_node(), looks, 5);
    glaze_wait();                       /* in fast mode, in the section */
    look(&s[1]);
    check("it waits for the message", udm_available(), true);
    udm_dispose();
    udm_endatom();
    expect("a wait with a message in the buffer", &s[0], "ie head buffered");
    expect("a wait for one that comes", &s[1], "i ni fast");
    check("no handler has started", calls, 0);
    expect_counts("one", "request 1 inserted 1");
}

void out_cases(void)
{
    test_by_dispose();
    test_by_end();
    test_polling_for_ever();
    test_waiting();
}

/* ---- Pages --------------------------------------------------------------- */

static struct glaze_count first, now;

static void expect_pages(const char *name, uint32_t pages, uint32_t messages)
{
    glaze_count(&now);
    check(name, now.buffer_pages, pages);
    check("messages in it", now.buffer_messages, messages);
    check("frames of the process", now.process_pages - first.process_pages,
          pages);
    check("frames of the node", first.frames_free - now.frames_free, pages);
}

static void dispose(uint32_t count)
{
    while (count--) {
        udm_dispose();
    }
}

/* Makes the kernel create the page tables of the buffer. */
static void warm(void)
{
    static uint32_t body;

    udm_beginatom();
    glaze_divert();
    fill(looks, 4 * RECORDS_A_PAGE);
    udm_inject_body(udm_node(), looks, &body, 4);
    UNTIL(inserted_since() == 4 * RECORDS_A_PAGE + 1);
    dispose(4 * RECORDS_A_PAGE + 1);
    udm_endatom();
}

static void test_taken_and_given_back(void)
{
    calls_begin();
    glaze_count(&first);
    udm_beginatom();
    glaze_divert();
    expect_pages("an empty buffer has no page", 0, 0);
    fill(looks, 1);
    expect_pages("one message", 1, 1);
    fill(looks, RECORDS_A_PAGE - 1);
    expect_pages("a page full", 1, RECORDS_A_PAGE);
    fill(looks, 1);
    expect_pages("one more", 2, RECORDS_A_PAGE + 1);
    fill(looks, RECORDS_A_PAGE);
    expect_pages("more", 3, 2 * RECORDS_A_PAGE + 1);
    dispose(RECORDS_A_PAGE - 1);
    expect_pages("a page is kept for its last record", 3, RECORDS_A_PAGE + 2);
    dispose(1);
    expect_pages("and then given back", 2, RECORDS_A_PAGE + 1);
    dispose(RECORDS_A_PAGE);
    expect_pages("the next one", 1, 1);
    check("still in buffered mode", buffered(), true);
    dispose(1);
    expect_pages("all are given back", 0, 0);
    check("and fast mode is back", buffered(), false);
    check("the most that there were", now.buffer_pages_most, 6);
    udm_endatom();
}

static void test_order_over_pages(void)
{
    const uint32_t count = 3 * RECORDS_A_PAGE + 7;
    uint32_t wrong = 0;

    udm_beginatom();
    glaze_divert();
    fill(looks, count);
    for (uint32_t i = 0; i < count; i++) {
        wrong += udm_arg(0) != i || !udm_available();
        udm_dispose();
    }
    check("in order, over pages", wrong, 0);
    check("and none is left", udm_available(), false);
    udm_endatom();
}

void pages_cases(void)
{
    warm();
    test_taken_and_given_back();
    test_order_over_pages();
}
