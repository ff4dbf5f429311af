/*
 * Routines that check that registers keep their values, whatever interrupts
 * the code.
 *
 * An external interrupt is taken at an instruction whose successor is not pc +
 * 4, hence the branches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "operations.h"

        .section .text
        .global check_windows, check_registers, check_dispose, check_float

/* DIFFERS: adds to \bad the bits in which \reg differs from \base + \n. */
        .macro  DIFFERS reg, base, n, bad, scratch
        add     \base, \n, \scratch
        xor     \reg, \scratch, \scratch
        or      \bad, \scratch, \bad
        .endm

/* GLOBALS sets %g1 to %g4 and the carry to values that follow from \seed
 * and \n; GLOBALS_DIFFER checks them. */
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
 * check_windows(depth, seed, loops): a recursion with different values in each
 * window, and with globals and carry kept across each save and restore.
 *
 * On entry:  called from C.
 * Uses:      depth + 1 windows and frames.
 * Leaves to: the caller, with the bits that have changed: 0 if none.
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
         nop                            ! delay slot: interrupts are taken here
        tst     %i0
        be      2f
         sub    %i0, 1, %o0             ! delay slot: the next depth
        add     %i1, 16, %o1
        call    check_windows
         mov    %i2, %o2                ! delay slot: loops
        GLOBALS_DIFFER %o1, 12, %i4, %i5, %i3
        or      %i4, %o0, %i4
2:      mov     %i2, %i3
1:      subcc   %i3, 1, %i3
        bg      1b
         nop                            ! delay slot: not filled
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        DIFFERS %l\r, %i1, \r, %i4, %i5
        .endr
        GLOBALS %i1, 12
        ret
         restore %i4, 0, %o0            ! delay slot: the result

/*
 * REGISTERS name, middle: the code of check_registers and check_dispose.
 *
 * (seed, a, b, icc): checks that `middle` changes neither %g1 to %g4, %y,
 * locals and outs nor the condition codes, which are those of a + b.
 *
 * On entry:  called from C; icc: N 8, Z 4, V 2, C 1.
 * Uses:      a window and a frame.
 * Leaves to: the caller, with the bits that have changed: 0 if none.
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
         or     %i5, 8, %i5             ! delay slot: annulled unless taken
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
        ba      . + 8                   ! changes nothing
         nop
        .endr
        .endm

        .macro  DISPOSE_HEAD
        DISPOSE
        .endm

        REGISTERS check_registers, WAIT_FOR_INTERRUPTS
        REGISTERS check_dispose, DISPOSE_HEAD

/*
 * check_float(in, out, loops, fsr): moves 16 doublewords through the FPU, which
 * holds them for some time, with FSR set to fsr.
 *
 * On entry:  called from C; may store to %sp + 68 and %sp + 72.
 * Leaves to: the caller, with the bits of FSR that have changed.
 */
check_float:
        st      %o3, [%sp + 68]
        ld      [%sp + 68], %fsr
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        ldd     [%o0 + 4 * \r], %f\r
        .endr
1:      subcc   %o2, 1, %o2
        bg      1b
         nop                            ! delay slot: interrupts are taken here
        st      %fsr, [%sp + 68]
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        std     %f\r, [%o1 + 4 * \r]
        .endr
        st      %g0, [%sp + 72]
        ld      [%sp + 68], %o0
        ld      [%sp + 72], %fsr        ! FSR as C expects it
        retl
         xor    %o0, %o3, %o0           ! delay slot: what has changed
