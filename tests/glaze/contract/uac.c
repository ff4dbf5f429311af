/*
 * contract uac: which bits of UAC a program can change. beginatom and endatom
 * with all four bits change the user's two: at once, within a section, in a
 * section that was revoked, and in a handler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

#define OTHERS  (FUGU_UAC_ALL & ~FUGU_UAC_USER)

static volatile uint32_t at_start, raised, after;

static void handler(void)
{
    at_start = udm_uac();
    UDM_BEGINATOM(FUGU_UAC_ALL);
    raised = udm_uac();
    udm_dispose();
    UDM_ENDATOM(FUGU_UAC_ALL);
    after = udm_uac();
}

static void test_user_bits(void)
{
    UDM_BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE);
    check("interrupt-disable alone", udm_uac(), FUGU_UAC_INTERRUPT_DISABLE);
    UDM_BEGINATOM(FUGU_UAC_TIMER_FORCE);
    check("timer-force as well", udm_uac(), FUGU_UAC_USER);
    UDM_ENDATOM(FUGU_UAC_INTERRUPT_DISABLE);
    check("one of two is cleared", udm_uac(), FUGU_UAC_TIMER_FORCE);
    UDM_ENDATOM(FUGU_UAC_TIMER_FORCE);
    check("and the other", udm_uac(), 0);
    UDM_ENDATOM(FUGU_UAC_USER);
    check("none is set, none is cleared", udm_uac(), 0);
}

/* Cycles of endatom with a constant that udm_endatom() does not have, and of
 * beginatom. C code would take some hundred. */
static void test_unusual_constants(void)
{
    uint32_t begun, opened, closed;

    for (unsigned k = 0; k < 3; k++) {          /* the last one with a warm cache */
        begun = udm_cycles32();
        UDM_BEGINATOM(FUGU_UAC_TIMER_FORCE);
        opened = udm_cycles32();
        UDM_ENDATOM(FUGU_UAC_TIMER_FORCE);
        closed = udm_cycles32();
    }
    check("another constant opens in assembly", opened - begun < 80, true);
    check("and closes", closed - opened < 80, true);
}

static void test_kernel_bits(void)
{
    uint32_t in_section;

    UDM_BEGINATOM(OTHERS);
    check("the kernel's bits cannot be set", udm_uac(), 0);
    UDM_BEGINATOM(FUGU_UAC_ALL);
    in_section = udm_uac();
    UDM_BEGINATOM(FUGU_UAC_ALL);
    check("with the user's neither", in_section, FUGU_UAC_USER);
    check("nor within a section", udm_uac(), FUGU_UAC_USER);
    UDM_ENDATOM(FUGU_UAC_ALL);
    check("all bits end it", udm_uac(), 0);
}

static void test_revoked(void)
{
    uint32_t revoked, raised_there, lowered;

    udm_beginatom();
    page_fault();
    revoked = udm_uac();
    UDM_BEGINATOM(FUGU_UAC_ALL);
    raised_there = udm_uac();
    UDM_ENDATOM(OTHERS);
    lowered = udm_uac();
    UDM_ENDATOM(FUGU_UAC_ALL);
    check("in a section that was revoked", raised_there,
          revoked | FUGU_UAC_USER);
    check("it is revoked", revoked,
          FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_ATOMICITY_EXTEND);
    check("the kernel's bits end nothing", lowered & FUGU_UAC_USER,
          FUGU_UAC_USER);
    check("the user's do", udm_uac(), 0);
}

static void test_handler(void)
{
    after = ~0u;
    udm_inject(udm_node(), handler);
    UNTIL(after != ~0u);
    check("in a handler the user's bits are set", raised & FUGU_UAC_USER,
          FUGU_UAC_USER);
    check("and the kernel's stay", raised & OTHERS, at_start & OTHERS);
    check("it has to dispose", at_start & FUGU_UAC_DISPOSE_PENDING,
          FUGU_UAC_DISPOSE_PENDING);
    check("its section ends with all of them", after, 0);
}

void uac_cases(void)
{
    test_user_bits();
    test_unusual_constants();
    test_kernel_bits();
    test_revoked();
    test_handler();
}
