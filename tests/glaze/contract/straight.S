/*
 * Straight code: external interrupts wait until its end (docs/machine.md,
 * "When it is taken").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

        .section .text
        .global straight_on
        .align  4096

/*
 * straight_on
 *
 * On entry:  a leaf routine.
 * Uses:      no register: it spends a thousand instructions, all in one page.
 * Leaves to: the caller.
 */
straight_on:
        .rept   1000
        nop
        .endr
        retl
         nop                            ! delay slot: not filled
