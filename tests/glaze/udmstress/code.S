/*
 * Registers that must be what they were, whatever comes in between.
 *
 * An interrupt from outside is taken at an instruction whose successor is not
 * pc + 4, hence the branches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "operations.h"

        .section .text
        .global check_windows, check_registers, check_dispose, check_float

/* Collects in \bad the bits in which \reg differs from \base + \n. */
        .macro  DIFFERS reg, base, n, bad, scratch
        add     \base, \n, \scratch
        xor     \reg, \scratch, \scratch
        or      \bad, \scratch, \bad
        .endm

/* Globals and carry that follow from \seed and \n; and a look at them. */
        .macro  GLOBALS seed, n
        .irp    r, 1, 2, 3, 4
        add     \seed, \n + \r, %g\r
        .endr
        addcc   \seed, \seed, %g0
        .endm

        .macro  GLOBALS_DIFFER seed, n, bad, s1, s2
        addx    %g0, %g0, \s1
        srl     \seed, 31, \s2
        xor     \s1, \s2, \s1
        or      \bad, \s1, \bad
        .irp    r, 1, 2, 3, 4
        DIFFERS %g\r, \seed, \n + \r, \bad, \s1
        .endr
        .endm

/*
 * check_windows(depth, seed, loops): recursion, with values of its own in each
 * window, and globals and carry across each save and restore.
 *
 * On entry:  called from C.
 * Uses:      depth + 1 windows and frames.
 * Leaves to: the caller, with bits that have changed: 0.
 */
check_windows:
        GLOBALS %o1, 8
        save    %sp, -96, %sp
        mov     0, %i4
        GLOBALS_DIFFER %i1, 8, %i4, %i5, %i3
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        add     %i1, \r, %l\r
        .endr
        mov     %i2, %i3
1:      subcc   %i3, 1, %i3
        bg      1b
         nop                            ! delay slot: interrupts come here
        tst     %i0
        be      2f
         sub    %i0, 1, %o0             ! delay slot: less deep
        add     %i1, 16, %o1
        call    check_windows
         mov    %i2, %o2                ! delay slot
        GLOBALS_DIFFER %o1, 12, %i4, %i5, %i3
        or      %i4, %o0, %i4
2:      mov     %i2, %i3
1:      subcc   %i3, 1, %i3
        bg      1b
         nop                            ! delay slot
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        DIFFERS %l\r, %i1, \r, %i4, %i5
        .endr
        GLOBALS %i1, 12
        ret
         restore %i4, 0, %o0            ! delay slot: the result

/*
 * REGISTERS name, middle: what check_registers and check_dispose are.
 *
 * (seed, a, b, icc): %g1 to %g4, %y, locals, outs and condition codes, those
 * of a + b, are what they were before `middle`.
 *
 * On entry:  called from C; icc: N 8, Z 4, V 2, C 1.
 * Uses:      a window and a frame.
 * Leaves to: the caller, with bits that have changed: 0.
 */
        .macro  REGISTERS name, middle
\name:
        save    %sp, -96, %sp
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        add     %i0, 16 + \r, %l\r
        .endr
        .irp    r, 0, 1, 2, 3, 4, 5
        add     %i0, 32 + \r, %o\r
        .endr
        .irp    r, 1, 2, 3, 4
        add     %i0, 48 + \r, %g\r
        .endr
        add     %i0, 64, %i4
        wr      %i4, 0, %y
        mov     0, %i4
        mov     0, %i5
        addcc   %i1, %i2, %g0
        \middle
        bneg,a  . + 8
         or     %i5, 8, %i5             ! annulled delay slot: only if so
        be,a    . + 8
         or     %i5, 4, %i5
        bvs,a   . + 8
         or     %i5, 2, %i5
        bcs,a   . + 8
         or     %i5, 1, %i5
        xor     %i5, %i3, %i5
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        DIFFERS %l\r, %i0, 16 + \r, %i4, %i3
        .endr
        .irp    r, 0, 1, 2, 3, 4, 5
        DIFFERS %o\r, %i0, 32 + \r, %i4, %i3
        .endr
        .irp    r, 1, 2, 3, 4
        DIFFERS %g\r, %i0, 48 + \r, %i4, %i3
        .endr
        rd      %y, %o0
        DIFFERS %o0, %i0, 64, %i4, %i3
        ret
         restore %i4, %i5, %o0          ! delay slot: the result
        .endm

        .macro  WAIT_FOR_INTERRUPTS
        .rept   48
        ba      . + 8                   ! and nothing changes
         nop
        .endr
        .endm

        .macro  DISPOSE_HEAD
        DISPOSE
        .endm

        REGISTERS check_registers, WAIT_FOR_INTERRUPTS
        REGISTERS check_dispose, DISPOSE_HEAD

/*
 * check_float(in, out, loops, fsr): 16 doublewords through the FPU, which
 * holds them for some time; FSR is fsr, with fcc as of a < b.
 *
 * On entry:  called from C; fsr at %sp + 68 is ours to store to.
 * Leaves to: the caller, with fcc (in place, bits 10 and 11).
 */
check_float:
        st      %o3, [%sp + 68]
        ld      [%sp + 68], %fsr
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        ldd     [%o0 + 4 * \r], %f\r
        .endr
1:      subcc   %o2, 1, %o2
        bg      1b
         nop                            ! delay slot: interrupts come here
        st      %fsr, [%sp + 68]
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        std     %f\r, [%o1 + 4 * \r]
        .endr
        st      %g0, [%sp + 72]
        ld      [%sp + 68], %o0
        ld      [%sp + 72], %fsr        ! as C has it
        retl
         xor    %o0, %o3, %o0           ! delay slot: what has changed
