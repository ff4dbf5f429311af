/*
 * contract quick: atomic sections by a store, where atomicity is soft
 * (section.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"
#include "section.h"

/* What the kernel's own instructions may add to atomicity-timeout. */
#define KERNEL          4000

static struct state s[8];

static void test_alone(void)
{
    calls_begin();
    quick_section_open();
    look(&s[0]);
    quick_section_close();
    look(&s[1]);
    expect("a section by a store is not in UAC", &s[0], "- ni fast");
    expect("nor is its end", &s[1], "- ni fast");
}

static void test_met(void)
{
    calls_begin();
    quick_section_open();
    udm_inject(udm_node(), looks, 1);
    UNTIL(udm_available());
    spin(2000);
    look(&s[0]);
    s[1].uac = calls;
    quick_section_close();
    look(&s[2]);
    check("a message that meets it waits", s[1].uac, 0);
    expect("and the section is in UAC from then on", &s[0], "i ni fast");
    check("the message's handler comes behind it", calls, 1);
    expect("as behind any section", &s[2], "- ni fast");
    expect_counts("without buffered mode", "");
}

/* The section polls the message that meets it. */
static void test_polls(void)
{
    calls_begin();
    quick_section_open();
    udm_inject(udm_node(), looks, 2);
    UNTIL(udm_available());
    s[0].uac = udm_arg(0);
    udm_dispose();
    look(&s[1]);
    quick_section_close();
    look(&s[2]);
    check("the section can read the message that meets it", s[0].uac, 2);
    expect("and extract it", &s[1], "i ni fast");
    expect("before it ends", &s[2], "- ni fast");
    check("no handler has started", calls, 0);
}

static void test_bounded(void)
{
    uint32_t start, end;

    calls_begin();
    quick_section_open();
    udm_inject(udm_node(), looks, 3);
    UNTIL(udm_available());
    start = udm_cycles32();
    UNTIL(buffered());
    end = udm_cycles32();
    look(&s[0]);
    s[1].uac = calls;
    quick_section_close();
    look(&s[2]);
    check("atomicity-timeout bounds it",
          end - start > TIMEOUT - KERNEL && end - start < TIMEOUT + KERNEL, 1);
    expect("in buffered mode", &s[0], "ie head buffered");
    check("without a handler", s[1].uac, 0);
    check("until it ends", calls, 1);
    expect("and the mode with it", &s[2], "- ni fast");
    expect_counts("for that cause", "timeout 1 inserted 1");
}

/* The kernel's C code is entered in the section. */
static void test_kernel(void)
{
    calls_begin();
    quick_section_open();
    page_fault();
    look(&s[0]);
    udm_inject(udm_node(), looks, 4);
    UNTIL(inserted_since() == 1);
    look(&s[1]);
    s[2].uac = calls;
    quick_section_close();
    look(&s[3]);
    expect("a page fault takes it into UAC", &s[0], "ie empty buffered");
    expect("so that a message waits in the buffer", &s[1], "ie head buffered");
    check("without a handler", s[2].uac, 0);
    check("until it ends", calls, 1);
    expect("and buffered mode with it", &s[3], "- ni fast");
}

/* The section is suspended: other threads are in none. */
static void test_suspended(void)
{
    uint32_t word;

    calls_begin();
    quick_section_open();
    udm_inject(udm_node(), looks, 5);
    UNTIL(udm_available());
    word = glaze_suspend();
    look(&s[0]);
    glaze_yield();              /* enters the kernel once more */
    look(&s[1]);
    glaze_resume(word);
    look(&s[2]);
    udm_dispose();
    quick_section_close();
    look(&s[3]);
    expect("another thread goes on outside of it", &s[0],
           "- empty buffered 1");
    expect("and stays outside", &s[1], "- empty buffered 1");
    expect("the section comes back", &s[2], "ie head buffered");
    expect("and ends", &s[3], "- ni fast");
    check("no handler has started", calls, 0);
}

void quick_cases(void)
{
    test_alone();
    test_met();
    test_polls();
    test_bounded();
    test_kernel();
    test_suspended();
}
