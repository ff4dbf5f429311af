/*
 * Code whose cycles and registers the tests must know.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "operations.h"

#define SLED    128

#ifdef SKIP
        .section .text.start, "ax"
        .skip   SKIP                            ! moves the library's stubs,
                                                ! which follow
#endif
        .section .text
        .global float_until, spend, float_use

/*
 * float_until(value, flag): ends the atomic section of its caller, and keeps
 * the value in %f2 until the word at `flag` is not 0.
 *
 * On entry:  leaf routine.
 * Uses:      %o0, %o2, %f2.
 * Leaves to: its caller, with the content of %f2.
 */
float_until:
        st      %o0, [%sp + 68]
        ld      [%sp + 68], %f2
        ENDATOM(FUGU_UAC_USER)
1:      ld      [%o1], %o2
        tst     %o2
        be      1b
         nop                                    ! delay slot: not filled
        st      %f2, [%sp + 68]
        retl
         ld     [%sp + 68], %o0                  ! delay slot: the result

/*
 * float_use(value): leaves the value in %f2.
 *
 * On entry:  leaf routine.
 * Uses:      %f2.
 */
float_use:
        st      %o0, [%sp + 68]
        retl
         ld     [%sp + 68], %f2                  ! delay slot: the value

/*
 * spend(cycles): takes this many cycles, up to SLED, plus a constant number.
 *
 * On entry:  leaf routine.
 * Uses:      %o0, %o1.
 */
        .align  16
spend:
        sll     %o0, 2, %o0
        set     2f, %o1
        sub     %o1, %o0, %o1
        jmp     %o1
         nop                                    ! delay slot: not filled
        .rept   SLED
        nop
        .endr
2:      retl
         nop                                    ! delay slot: not filled
