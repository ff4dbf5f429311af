/*
 * Delays that differ by single cycles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

        .section .text
        .global delay
        .align  64              ! in lines of its own: no miss after the first

/*
 * delay: takes a fixed time and %o0 cycles more.
 *
 * On entry:  a leaf routine.
 * Uses:      %o0 to %o2.
 * Leaves to: the caller.
 */
delay:
        and     %o0, 3, %o1
        srl     %o0, 2, %o0
        sll     %o1, 2, %o1
        set     1f, %o2
        sub     %o2, %o1, %o2
        jmp     %o2             ! so many nops before 1
         nop
        nop
        nop
        nop
1:      tst     %o0
        be      3f
         nop
2:      subcc   %o0, 1, %o0     ! 4 cycles a turn
        nop
        bne     2b
         nop
3:      retl
         nop
