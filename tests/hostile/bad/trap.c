/*
 * Cases of bad: traps, upcalls to bad addresses, instructions that users may
 * not execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bad.h"

static void trap(void)
{
    asm volatile ("ta %0" : : "r" (argument(0))); /* ends: trap */
}

/* A system call needs no stack, and neither does the breakpoint after it. */
static void no_stack(void)
{
    asm volatile ("mov %0, %%sp\n\t" /* ends: no-stack */
                  "mov %1, %%g1\n\t"
                  "clr %%o0\n\t"
                  "ta 0\n\t"
                  "ta 1"
                  : : "r" (argument(0)), "r" (GLAZE_COUNT) : "g1");
}

static __attribute__((noinline)) uint32_t deep(uint32_t depth)
{
    uint32_t below = depth ? deep(depth - 1) : 0;

    asm volatile ("" : "+r" (below));  /* keeps deep() recursive */
    return below * 3 + depth;
}

static void deep_handler(void)
{
    udm_dispose();
    good_handled += deep(20);
}

/* Sets entry (argument 1) and stack pointer (argument 0) of an upcall: from
 * the network, or with argument 2 from the buffer. */
static void upcall(void)
{
    volatile uint32_t *page = (volatile uint32_t *)GLAZE_UPCALL;
    unsigned which = (argument(2) ? GLAZE_U_BUFFERED : GLAZE_U_MESSAGE) / 4;

    fresh_slot();
    udm_beginatom();
    if (argument(1)) {
        page[which] = argument(1);
    }
    if (argument(0) != 0x10000001) {
        page[which + 1] = argument(0);
    } else {
        page[which + 1] |= 3;           /* misaligns the stack pointer */
    }
    if (argument(2)) {
        glaze_divert();
    }
    udm_inject(udm_node(), deep_handler);
    while (!udm_available()) {
    }
    udm_endatom();
    while (!good_handled) {
    }
    glaze_abort(3, "handled", 7);
}

/* Sets all upcalls to 0, as they are before the library starts. */
static void all_upcalls_zero(void)
{
    volatile uint32_t *page = (volatile uint32_t *)GLAZE_UPCALL;

    for (unsigned i = 0; i < GLAZE_U_LIBRARY / 4; i++) {
        page[i] = 0;
    }
    udm_inject(udm_node(), good_handler);
    while (!good_handled) {
    }
}

static void float_divide(void)
{
    static const uint32_t fsr = 0x1f << 23;     /* all exceptions trap */
    static const float one = 1, zero = 0;

    asm volatile ("ld [%0], %%fsr\n\t" /* ends: float-divide */
                  "ld [%1], %%f0\n\t"
                  "ld [%2], %%f1\n\t"
                  "fdivs %%f0, %%f1, %%f2\n\t"
                  "st %%f2, [%%sp - 8]"
                  : : "r" (&fsr), "r" (&one), "r" (&zero) : "f0", "f1", "f2");
}

/* The save area for FPU registers lies where no memory can be. */
static void float_handler(void)
{
    udm_dispose();
    asm volatile ("fmovs %%f0, %%f1" : : : "f1");
}

static void float_area(void)
{
    volatile uint32_t *page = (volatile uint32_t *)GLAZE_UPCALL;

    asm volatile ("fmovs %%f0, %%f1" : : : "f1");
    page[GLAZE_U_FP / 4] = argument(0);
    udm_inject(udm_node(), float_handler);
    pause_for_message();
    glaze_abort(3, "survived", 8);
}

/* ---- Instructions, by name (trap_code.S) --------------------------------- */

extern const struct {
    const char *name;
    void (*code)(void);
} instructions[];

static void instruction(void)
{
    instructions[argument(0)].code();
}

/* ---- Random code --------------------------------------------------------- */

extern const uint32_t random_words[1024];

/* Executes the words of a table from one of them on, with windows and
 * registers as they happen to be. */
static void random_code(void)
{
    void (*code)(void) = (void (*)(void))&random_words[argument(0) % 1024];

    for (unsigned i = 0; i < 1000; i++) {
        code();
    }
}

const struct bad_case trap_cases[] = {
    { "trap", trap, false },
    { "no-stack", no_stack, false },
    { "upcall", upcall, false },
    { "upcalls-zero", all_upcalls_zero, false },
    { "float-divide", float_divide, false },
    { "float-area", float_area, false },
    { "instruction", instruction, false },
    { "random-code", random_code, false },
    { 0 },
};
