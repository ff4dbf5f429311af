/*
 * A handler as a compiler produces it from a small function: a leaf that takes
 * stack space without a save, and uses the FPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "operations.h"

        .section .text
        .global leaf_handler, float_across

/* leaf_handler: counts in leaf_handled, and leaves 0 in %f0 to %f3. */
leaf_handler:
        add     %sp, -96, %sp
        DISPOSE
        std     %g0, [%sp + 64]
        ldd     [%sp + 64], %f0
        ldd     [%sp + 64], %f2
        sethi   %hi(leaf_handled), %o0
        ld      [%o0 + %lo(leaf_handled)], %o1
        inc     %o1
        st      %o1, [%o0 + %lo(leaf_handled)]
        retl
         add    %sp, 96, %sp                    ! delay slot: restores %sp

/*
 * float_across(value, count): keeps a word in %f0 and %f3 until leaf_handled is
 * `count`.
 *
 * On entry:  leaf routine; FPU on or off.
 * Uses:      %o0 to %o4, %f0, %f3.
 * Leaves to: its caller, with the bitwise or of %f0 and %f3.
 */
float_across:
        st      %o0, [%sp - 8]
        ld      [%sp - 8], %f0
        ld      [%sp - 8], %f3
        sethi   %hi(leaf_handled), %o2
1:      ld      [%o2 + %lo(leaf_handled)], %o3
        cmp     %o3, %o1
        bne     1b
         nop                                    ! delay slot: not filled
        st      %f0, [%sp - 8]
        ld      [%sp - 8], %o0
        st      %f3, [%sp - 8]
        ld      [%sp - 8], %o4
        retl
         or     %o0, %o4, %o0                   ! delay slot: the result

        .section .bss
        .global leaf_handled
        .align  4
leaf_handled:
        .skip   4
