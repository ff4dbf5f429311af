/*
 * contract during: handlers, atomic sections and bodies in buffered mode.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

static struct state s[8];

static void notes_h(void)
{
    note('0' + udm_arg(0));
    udm_dispose();
    calls++;
}

/* Begins a section, which a page fault then revokes: the process is in
 * buffered mode, with an empty buffer. */
static void revoke(void)
{
    udm_beginatom();
    page_fault();
}

/* ---- Handlers ------------------------------------------------------------ */

static void test_handlers(void)
{
    calls_begin();
    revoke();
    fill(looks, 3);
    udm_endatom();
    look(&s[0]);
    check("all are handled before the section's end is over", calls, 3);
    for (unsigned i = 0; i < 3; i++) {
        check("in order", argument[i], i);
        expect("each has to dispose", &before[i], "itde head buffered");
    }
    check("record", before[1].g6 - before[0].g6, RECORD_SIZE);
    check("by record", before[2].g6 - before[1].g6, RECORD_SIZE);
    expect("and has", &behind[0], "ite head buffered");
    expect("and has", &behind[1], "ite head buffered");
    expect("the last one has left buffered mode", &behind[2], "it ni fast");
    expect("and what they interrupted", &s[0], "- ni fast");
    expect_counts("three", "fault 1 inserted 3");

    revoke();
    fill(notes_h, 2);
    note('a');
    udm_endatom();
    note('b');
    check_notes("none before the end, all at once then", "a01b");
}

/* Extracts its own message and the next one, whose handler then does not
 * start. */
static void takes_two(void)
{
    note('0' + udm_arg(0));
    udm_dispose();
    note('0' + udm_arg(0));
    udm_dispose();
}

static void opens(void)
{
    uint32_t number = udm_arg(0);

    note('0' + number);
    udm_dispose();
    udm_endatom();                      /* the next handler starts here */
    note('a' + number);
}

static void test_orders(void)
{
    revoke();
    fill(takes_two, 4);
    udm_endatom();
    check_notes("a handler that extracts two", "0123");
    revoke();
    fill(opens, 3);
    udm_endatom();
    check_notes("a handler whose section ends is interrupted by the next",
                "012cba");
    check("and fast mode is back", buffered(), false);
}

/* ---- Atomic sections ----------------------------------------------------- */

static void test_sections(void)
{
    calls_begin();
    glaze_divert();
    UDM_BEGINATOM(FUGU_UAC_USER);
    look(&s[0]);
    fill(looks, 1);
    look(&s[1]);
    UDM_ENDATOM(FUGU_UAC_TIMER_FORCE);
    look(&s[2]);
    check("no handler has started", calls, 0);
    udm_endatom();
    look(&s[3]);
    check("but now", calls, 1);
    expect("a section without a message", &s[0], "it empty buffered");
    expect("an inserted message wants to see its end", &s[1],
           "ite head buffered");
    expect("the end of timer-force is not it", &s[2], "ie head buffered");
    expect("then", &s[3], "- ni fast");
    expect_counts("one", "request 1 inserted 1");

    /* The handler starts before anything after the endatom. */
    revoke();
    fill(notes_h, 1);
    note('x');
    asm volatile ("" : : : "memory");
    udm_endatom();
    note('y');
    check_notes("endatom", "x0y");

    /* A section that begins and ends with an empty buffer. */
    glaze_divert();
    udm_beginatom();
    udm_endatom();
    look(&s[0]);
    expect("a section whose end nobody has to see", &s[0],
           "- empty buffered");
    udm_inject(udm_node(), notes_h, 1);
    UNTIL(!buffered());
    check_notes("a message gets out", "1");
}

/* ---- Bodies -------------------------------------------------------------- */

#define BODY 800                /* bytes: compared well within the timeout */

static uint32_t from[BODY / 4];
static volatile uint8_t *to;
static uint32_t bad;

static void stores(void)
{
    look(&s[0]);
    udm_storeback((void *)to, 0, BODY);
    look(&s[1]);
    udm_dispose();
    look(&s[2]);
    for (uint32_t i = 0; i < BODY / 4; i++) {
        bad += ((volatile uint32_t *)to)[i] != from[i];
    }
    calls++;
}

static void test_storeback(void)
{
    struct glaze_count count[3];

    for (uint32_t i = 0; i < BODY / 4; i++) {
        from[i] = 3 * i + 1;
    }
    for (unsigned i = 0; i < 3; i++) {
        glaze_count(&count[i]);
    }
    calls_begin();
    to = fresh_page();
    *to = 0;
    udm_inject_body(udm_node(), stores, from, BODY);
    UNTIL(calls == 1);
    expect("a body from the network", &s[1], "itd ni fast");
    expect_counts("takes no buffer", "");

    to = fresh_page();
    udm_inject_body(udm_node(), stores, from, BODY);
    UNTIL(calls == 2);
    expect("a handler that has begun", &s[0], "itd ni fast");
    expect("whose storeback meets a page fault: the body is moved and copied",
           &s[1], "itde head buffered");
    expect("behind the dispose", &s[2], "it ni fast");
    expect_counts("fault", "fault 1 inserted 1");
    glaze_count(&count[1]);

    to = fresh_page();
    glaze_divert();
    udm_inject_body(udm_node(), stores, from, BODY);
    UNTIL(calls == 3);
    glaze_count(&count[2]);
    expect("from the buffer, to a page that is missing", &s[1],
           "itde head buffered");
    expect("behind the dispose", &s[2], "it ni fast");
    expect_counts("request", "request 1 inserted 1");
    check("whole, three times", bad, 0);
    check("the bodies' pages are given back", count[2].buffer_pages, 0);
    check("and nothing else has been taken but the page itself",
          count[2].process_pages - count[1].process_pages, 1);
}

/* A handler whose storeback takes the count from a register of the FPU. */
static void stores_by_float(void)
{
    static volatile uint32_t bytes = BODY;

    UDM_STORE_(FUGU_U_SB_ADDR, (uintptr_t)to);
    UDM_STORE_(FUGU_U_SB_OFFSET, 0);
    asm volatile ("ld [%0], %%f3\n\t"
                  "mov -1, %%g3\n\t"
                  "st %%f3, [%%g0 + %1]"
                  : : "r" (&bytes), "i" (FUGU_NI_USER_DISP + FUGU_U_SB_COUNT)
                  : "f3", "g3", "memory");
    udm_dispose();
    for (uint32_t i = 0; i < BODY / 4; i++) {
        bad += ((volatile uint32_t *)to)[i] != from[i];
    }
    calls++;
}

static void test_storeback_by_float(void)
{
    calls_begin();
    bad = 0;
    to = fresh_page();
    *to = 0;
    udm_inject_body(udm_node(), stores_by_float, from, BODY);
    UNTIL(calls == 1);
    expect_counts("a storeback by the FPU, from the network", "");
    memset((void *)to, 0, BODY);
    glaze_divert();
    udm_inject_body(udm_node(), stores_by_float, from, BODY);
    UNTIL(calls == 2);
    expect_counts("from the buffer", "request 1 inserted 1");
    check("whole, both times", bad, 0);
}

/* The storeback registers that a thread has written keep their values. */
static void test_storeback_registers(void)
{
    uint32_t address, offset;

    calls_begin();
    revoke();
    UDM_STORE_(FUGU_U_SB_ADDR, 0x12345678);
    UDM_STORE_(FUGU_U_SB_OFFSET, 0x40);
    udm_inject_body(udm_node(), looks, from, 400);
    UNTIL(inserted_since() == 1);
    UNTIL(udm_available());
    UDM_LOAD_(FUGU_U_SB_ADDR, address);
    UDM_LOAD_(FUGU_U_SB_OFFSET, offset);
    check("the insertion of a body keeps the storeback's address", address,
          0x12345678);
    check("and its offset", offset, 0x40);
    udm_dispose();
    udm_endatom();
    expect_counts("one", "fault 1 inserted 1");
}

/* ---- Half a message ------------------------------------------------------ */

static uint32_t described(void)
{
    uint32_t length;

    UDM_LOAD_(FUGU_U_DESC_LEN, length);
    return length;
}

static uint32_t half_length;

static void notes_length(void)
{
    half_length = described();
    udm_dispose();
    UDM_OUT_(0, udm_node());
    UDM_OUT_(1, (uintptr_t)looks);
    UDM_OUT_(2, 99);
    NI_LAUNCH(3, 0);
    calls++;
}

/* A handler from the buffer finds half a message described, and sends a
 * message. */
static void test_descriptor(void)
{
    calls_begin();
    revoke();
    fill(notes_length, 1);
    UDM_OUT_(0, udm_node());
    UDM_OUT_(1, (uintptr_t)notes_h);
    UDM_OUT_(2, 8);
    check("half a message", described(), 3);
    udm_endatom();
    check("a handler has found it so", half_length, 3);
    check("and half a message is as it was", described(), 3);
    UDM_OUT_(3, 0);
    NI_LAUNCH(4, 0);
    UNTIL(calls == 3);
    check("the handler's message", argument[1], 99);
    check_notes("and the other", "8");
}

void during_cases(void)
{
    test_handlers();
    test_orders();
    test_sections();
    test_storeback();
    test_storeback_by_float();
    test_storeback_registers();
    test_descriptor();
}
