/*
 * Cases of bad: register windows and their stacks, and returns from upcalls
 * that never happened. The first argument is a stack pointer, unless the case
 * says otherwise.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bad.h"

/* Defined in window_code.S. */
void spill_at(uint32_t sp);
void refill_at(uint32_t sp);
void flush_at(uint32_t sp);
void wait_with(uint32_t sp, uint32_t saves);
void return_at(uint32_t sp);
void return_with(uint32_t psr, uint32_t pc, uint32_t npc);
void return_deep(uint32_t saves);
void prepared_trap(uint32_t number);
extern const char landing[];

static void spill(void)
{
    spill_at(argument(0));
}

static void refill(void)
{
    refill_at(argument(0));
}

static void flush(void)
{
    flush_at(argument(0));
}

/* A message arrives when no window is free for its upcall, or only one. */
static void spill_for_upcall(void)
{
    if (argument(2)) {
        glaze_divert();
    }
    UDM_STORE_(FUGU_U_OUT, udm_node());
    UDM_STORE_(FUGU_U_OUT + 4, (uintptr_t)good_handler);
    wait_with(argument(0), argument(1));
}

static void refill_for_return(void)
{
    return_at(argument(0));
}

/* ---- Returns from upcalls that never happened ---------------------------- */

static void return_psr(void)
{
    return_with(argument(0), (uintptr_t)landing, (uintptr_t)landing + 4);
}

static void return_pc(void)
{
    return_with(0, argument(0), argument(1));
}

/* Returns with dispose-pending or atomicity-extend set, and with a number
 * of windows in use. */
static void return_pending(void)
{
    asm volatile ("ta %0" : : "i" (GLAZE_TRAP_NEXT));
    return_deep(argument(0));
}

static void return_extended(void)
{
    udm_beginatom();
    glaze_divert();
    return_deep(argument(0));
}

/* Takes any trap, with dangerous words in all windows. */
static void prepared(void)
{
    prepared_trap(argument(0));
}

static void next_and_end(void)
{
    asm volatile ("ta %0" : : "i" (GLAZE_TRAP_NEXT));
    udm_endatom(); /* ends: next-end */
}

const struct bad_case window_cases[] = {
    { "spill", spill, false },
    { "refill", refill, false },
    { "flush", flush, false },
    { "spill-for-upcall", spill_for_upcall, false },
    { "refill-for-return", refill_for_return, false },
    { "return-psr", return_psr, false },
    { "return-pc", return_pc, false },
    { "return-pending", return_pending, false },
    { "return-extended", return_extended, false },
    { "prepared", prepared, false },
    { "next-end", next_and_end, false },
    { 0 },
};
