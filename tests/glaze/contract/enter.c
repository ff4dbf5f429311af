/*
 * contract enter and force: each cause of buffered mode by itself, with a
 * message and without.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

static struct state s[8];
static uint32_t word;

/* Sends a message to this node, and waits until the message is at the NI's
 * head. The caller must be in an atomic section, so that no handler starts. */
static void wait_for_head(uint32_t value)
{
    udm_inject(udm_node(), looks, value);
    UNTIL(udm_available());
}

/* ---- Page faults --------------------------------------------------------- */

static void test_fault(void)
{
    calls_begin();
    page_fault();
    look(&s[0]);
    expect("a page fault outside of atomic sections is nothing", &s[0],
           "- ni fast");
    expect_counts("and counts as nothing", "");

    udm_beginatom();
    page_fault();
    look(&s[0]);
    udm_endatom();
    look(&s[1]);
    expect("a page fault revokes the section", &s[0], "ie empty buffered");
    expect("whose end leaves buffered mode", &s[1], "- ni fast");
    expect_counts("fault", "fault 1");

    UDM_BEGINATOM(FUGU_UAC_TIMER_FORCE);
    page_fault();
    look(&s[0]);
    udm_endatom();
    look(&s[1]);
    expect_counts("with timer-force alone", "fault 1");
    expect("handlers may start, so no end is to be seen", &s[0],
           "t empty buffered");
    expect("but a message", &s[1], "- empty buffered");
    udm_inject(udm_node(), looks, 0);
    UNTIL(calls == 1);
    look(&s[1]);
    expect("which leaves", &s[1], "- ni fast");
    expect_counts("inserted", "inserted 1");
    calls_begin();

    udm_beginatom();
    wait_for_head(7);
    look(&s[0]);
    page_fault();
    look(&s[1]);
    word = udm_arg(0);
    udm_dispose();
    look(&s[2]);
    udm_endatom();
    expect("a message waits at the NI", &s[0], "i ni fast");
    expect("a page fault moves it to the buffer", &s[1], "ie head buffered");
    check("it is the same", word, 7);
    expect("its dispose ends buffered mode, not the section", &s[2],
           "i ni fast");
    expect_counts("fault", "fault 1 inserted 1");
    check("no handler has seen it", calls, 0);
}

static unsigned when;

static void faults(void)
{
    look(&s[0]);
    if (when == 0) {
        page_fault();
    }
    look(&s[1]);
    word = udm_arg(0);
    udm_dispose();
    look(&s[2]);
    if (when == 1) {
        page_fault();
    }
    look(&s[3]);
    calls++;
}

static void test_fault_in_handler(void)
{
    calls_begin();
    when = 0;
    udm_inject(udm_node(), faults, 11);
    UNTIL(calls == 1);
    look(&s[4]);
    expect("a handler has begun", &s[0], "itd ni fast");
    expect("a page fault moves its message, which is to be disposed of still",
           &s[1], "itde head buffered");
    check("and the same", word, 11);
    expect("it is, and was the last", &s[2], "it ni fast");
    expect("what it interrupted is in fast mode", &s[4], "- ni fast");
    expect_counts("fault", "fault 1 inserted 1");

    when = 1;
    udm_inject(udm_node(), faults, 12);
    UNTIL(calls == 2);
    look(&s[4]);
    expect("behind the dispose", &s[2], "it ni fast");
    expect("there is nothing to move", &s[3], "ite empty buffered");
    expect("and the handler's end leaves buffered mode", &s[4], "- ni fast");
    expect_counts("fault", "fault 1");
}

/*
 * Recurses so deep that windows are spilled to missing pages of the stack. The
 * frames are large and are not touched otherwise.
 */
static uint32_t __attribute__((noinline)) deep(uint32_t depth)
{
    uint32_t frame[256], sum = depth;

    asm volatile ("" : : "r" (frame));
    if (depth) {
        sum += deep(depth - 1);
        asm volatile ("" : "+r" (sum));         /* keeps deep() recursive */
    }
    return sum;
}

/* A page fault also happens when a window spill or a system call touches a
 * missing page. */
static void test_fault_of_the_kernels(void)
{
    volatile uint8_t *page = fresh_page();
    uint32_t depth = 40;

    calls_begin();
    udm_beginatom();
    wait_for_head(13);
    word = deep(depth);
    look(&s[0]);
    udm_dispose();
    udm_endatom();
    check("a deep call", word, depth * (depth + 1) / 2);
    expect("a window that goes to a page that is missing: the message is moved",
           &s[0], "ie head buffered");
    expect_counts("fault", "fault 1 inserted 1");

    udm_beginatom();
    wait_for_head(14);
    glaze_count((struct glaze_count *)page);
    look(&s[0]);
    udm_dispose();
    udm_endatom();
    expect("a call whose result goes to such a page", &s[0],
           "ie head buffered");
    expect_counts("fault", "fault 1 inserted 1");
}

/* ---- Timeout ------------------------------------------------------------- */

static void test_timeout(void)
{
    calls_begin();
    udm_beginatom();
    spin(3 * TIMEOUT);
    look(&s[0]);
    udm_endatom();
    expect("a section that holds up nobody may be long", &s[0], "i ni fast");

    udm_beginatom();
    wait_for_head(21);
    spin(TIMEOUT / 2);
    look(&s[0]);
    UNTIL(buffered());
    look(&s[1]);
    spin(3 * TIMEOUT);
    look(&s[2]);
    word = udm_arg(0);
    udm_dispose();
    look(&s[3]);
    expect("a message waits at the NI", &s[0], "i ni fast");
    expect("not too long: it is moved", &s[1], "ie head buffered");
    expect("and then can wait", &s[2], "ie head buffered");
    check("it is the same", word, 21);
    expect("until it is disposed of", &s[3], "i ni fast");
    expect_counts("timeout", "timeout 1 inserted 1");

    wait_for_head(22);                  /* in the same section */
    UNTIL(buffered());
    udm_dispose();
    udm_endatom();
    expect_counts("the timer is on again in fast mode", "timeout 1 inserted 1");
    check("no handler has seen any", calls, 0);
}

/* ---- By request ---------------------------------------------------------- */

static void test_request(void)
{
    calls_begin();
    glaze_divert();
    glaze_divert();
    look(&s[0]);
    udm_beginatom();
    look(&s[1]);
    udm_endatom();
    look(&s[2]);
    expect("by request, once", &s[0], "- empty buffered");
    expect("a section in it, without a message", &s[1], "i empty buffered");
    expect("whose end nobody has to see", &s[2], "- empty buffered");
    expect_counts("request", "request 1");
    udm_inject(udm_node(), looks, 31);
    UNTIL(calls == 1);
    look(&s[3]);
    expect("a message's handler", &before[0], "itde head buffered");
    expect("whose dispose leaves", &behind[0], "it ni fast");
    expect("what it interrupted", &s[3], "- ni fast");
    expect_counts("inserted", "inserted 1");

    UDM_BEGINATOM(FUGU_UAC_USER);
    wait_for_head(32);
    glaze_divert();
    look(&s[0]);
    word = udm_arg(0);
    udm_dispose();
    look(&s[1]);
    udm_endatom();
    expect("in a section, with a message", &s[0], "ite head buffered");
    check("it is the same", word, 32);
    expect("behind its dispose", &s[1], "it ni fast");
    expect_counts("request", "request 1 inserted 1");
}

void enter_cases(void)
{
    test_fault();
    test_fault_in_handler();
    test_fault_of_the_kernels();
    test_timeout();
    test_request();
}

/* ---- With hard atomicity only -------------------------------------------- */

static void test_force(void)
{
    calls_begin();
    UDM_BEGINATOM(FUGU_UAC_USER);
    UNTIL(buffered());
    look(&s[0]);
    spin(3 * TIMEOUT);
    look(&s[1]);
    udm_endatom();
    look(&s[2]);
    expect("timer-force: a timeout without a message", &s[0],
           "ite empty buffered");
    expect("in buffered mode not even that", &s[1], "ite empty buffered");
    expect("and the section's end leaves", &s[2], "- ni fast");
    expect_counts("timeout", "timeout 1");
}

static void test_disposes_preset_the_timer(void)
{
    calls_begin();
    udm_beginatom();
    for (unsigned i = 0; i < 20; i++) {
        wait_for_head(i);
        spin(TIMEOUT / 2);
        udm_dispose();
    }
    udm_endatom();
    expect_counts("a program that extracts in time is never revoked", "");
}

void force_cases(void)
{
    test_force();
    test_disposes_preset_the_timer();
}
