/*
 * How the kernel tells a program that it may not touch a page, and that a time has
 * come: upcalls. This file makes them calls of two functions of pages.c. You do not
 * change it.
 *
 * Each upcall runs on the stack of the code that it interrupts, in an atomic
 * section, and ends with the function's return. After page_fault() the access is
 * tried again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STUB_H
#define STUB_H

#include "glaze-calls.h"

/* The code has touched a page at this address that it may not touch. */
void page_fault(uint32_t address);

/* The cycle that glaze_alarm() has named has come. */
void alarm_rings(void);

extern const char page_fault_stub[], alarm_stub[];

/* The globals and y of the interrupted code go to locals, %g4 to the stack. */
#define STUB_(name, function) \
    asm (".section .text\n" \
         name ": sub %fp, 104, %sp\n" \
         "st %g4, [%sp + 96]\n" \
         "mov %g1, %l3\n mov %g2, %l4\n mov %g3, %l5\n rd %y, %l6\n" \
         "call " function "\n nop\n" \
         "mov %l3, %g1\n mov %l4, %g2\n mov %l5, %g3\n wr %l6, %y\n" \
         "ld [%sp + 96], %g4\n" \
         "ta 127\n")

STUB_("page_fault_stub", "page_fault");
STUB_("alarm_stub", "alarm_rings");

/* Makes both upcalls possible. */
static inline void stub_init(void)
{
    volatile struct glaze_upcall_page *upcalls = (void *)GLAZE_UPCALL;

    upcalls->rights.sp = upcalls->alarm.sp = upcalls->message.sp;
    upcalls->rights.entry = (uintptr_t)page_fault_stub;
    upcalls->alarm.entry = (uintptr_t)alarm_stub;
}

#endif
