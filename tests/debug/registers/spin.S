/*
 * Code with a known value in each register, to be interrupted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sparcle.h"
#include "spin.h"

        .cfi_sections .debug_frame
        .section .text
        .global hold, spin, spin_loop, spin_end, clobber

/* Gives a register its value. */
        .macro  KNOWN register, number, salt
        set     VALUE(\number), \register
        xor     \register, \salt, \register
        .endm

/*
 * hold(counter, access, salt): calls spin() with a known value in each local and
 * in %i3 to %i5.
 *
 * On entry:  called from C.
 * Leaves to: the caller.
 */
        .type   hold, #function
hold:
        .cfi_startproc
        save    %sp, -FRAME_MIN, %sp
        .cfi_def_cfa_register 30
        .cfi_window_save
        .cfi_register 15, 31
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        KNOWN   %l\n, 16 + \n, %i2
        .endr
        .irp    n, 3, 4, 5
        KNOWN   %i\n, 24 + \n, %i2
        .endr
        mov     %i0, %o0
        mov     %i2, %o2
        call    spin
         mov    %i1, %o1                ! delay slot
        ret
         restore                        ! delay slot
        .cfi_endproc
        .size   hold, . - hold

/*
 * spin(counter, access, salt): counts *counter up to TURNS, and in each turn
 * loads access[0] and stores to access[1]. From spin_loop to spin_end, %g1 to
 * %g4, %o3, %o4 and y have known values, and of the condition codes N and C are
 * set. A leaf routine.
 *
 * On entry:  called from hold(): its callers' %g4 and y are lost.
 * Uses:      %o5.
 * Leaves to: its caller.
 */
        .type   spin, #function
spin:
        .cfi_startproc
        .irp    n, 1, 2, 3, 4
        KNOWN   %g\n, \n, %o2
        .endr
        .irp    n, 3, 4
        KNOWN   %o\n, 8 + \n, %o2
        .endr
        KNOWN   %o5, 64, %o2
        wr      %o5, 0, %y
        subcc   %g0, 1, %g0             ! N and C, as below
        nop                             ! three instructions until y holds
spin_loop:
        ld      [%o0], %o5
        inc     %o5
        st      %o5, [%o0]
        ld      [%o1], %g0
        st      %g0, [%o1 + 4]
        subcc   %o5, TURNS, %g0
        bcs     spin_loop
         nop                            ! delay slot: not filled
spin_end:
        retl
         nop                            ! delay slot
        .cfi_endproc
        .size   spin, . - spin

/*
 * clobber(): changes all that a call may change: %g1 to %g4, y, the condition
 * codes, the outs.
 */
        .type   clobber, #function
clobber:
        .cfi_startproc
        .irp    r, %g1, %g2, %g3, %g4, %o0, %o1, %o2, %o3, %o4, %o5
        mov     -1, \r
        .endr
        wr      %o0, 0, %y
        addcc   %g0, 0, %g0
        retl
         nop                            ! delay slot
        .cfi_endproc
        .size   clobber, . - clobber
