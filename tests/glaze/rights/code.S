/*
 * Stubs for rights upcalls and alarms, and an access whose cycles are counted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"

#define FRAME   96

        .section .text
        .global rights_stub, skip_stub, alarm_stub, access_cycles, keeps
        .weak   denied, rings           ! of programs without rights upcalls, or alarms

/*
 * SAVED: calls a C function with the upcall's %o0 and %o1, on the interrupted
 * stack, with the globals and y kept in locals. Afterwards %l7 holds %o1.
 */
        .macro  SAVED function
        sub     %fp, FRAME + 32, %sp
        st      %g4, [%sp + FRAME]
        mov     %g1, %l3
        mov     %g2, %l4
        mov     %g3, %l5
        rd      %y, %l6
        mov     %o1, %l7
        call    \function
         mov    %l1, %o2                ! delay slot: the pc
        mov     %l3, %g1
        mov     %l4, %g2
        mov     %l5, %g3
        wr      %l6, %y
        ld      [%sp + FRAME], %g4
        .endm

rights_stub:
        SAVED   denied
        tst     %l7
        bne     1f
         nop
        ta      GLAZE_TRAP_RETURN
1:      ta      GLAZE_TRAP_RESUME       ! %o0: the word, from denied()

alarm_stub:
        SAVED   rings
        ta      GLAZE_TRAP_RETURN

/* Skips the instruction: what an upcall costs without a library's work. */
skip_stub:
        mov     %l2, %l1
        add     %l2, 4, %l2
        ta      GLAZE_TRAP_RETURN

/*
 * access_cycles(address): returns the cycles of one load from the address, and
 * of reading the clock.
 */
access_cycles:
        sethi   %hi(FUGU_NI_USER_BASE), %o1
        ldd     [%o1 + FUGU_U_CYCLES], %o2
        ld      [%o0], %o4
        ldd     [%o1 + FUGU_U_CYCLES], %o4
        retl
         sub    %o5, %o3, %o0

/*
 * keeps(address): loads from the address with all registers that an upcall must
 * keep set to known values. Returns how many have changed.
 */
keeps:
        save    %sp, -FRAME, %sp
        mov     0, %i5
        mov     11, %g1
        mov     12, %g2
        mov     13, %g3
        mov     14, %g4
        mov     15, %o0
        mov     16, %o1
        mov     17, %o5
        mov     18, %l0
        mov     19, %l7
        mov     20, %i1
        wr      %g0, 21, %y
        subcc   %g0, 1, %g0             ! negative, carry
        ld      [%i0], %l1
        bpos,a  1f
         inc    %i5
1:      bcc,a   2f
         inc    %i5
2:
        .macro  SAME reg, value
        cmp     \reg, \value
        bne,a   3f
         inc    %i5
3:
        .endm
        .irp    r, 1, 2, 3, 4
        SAME    %g\r, 10 + \r
        .endr
        SAME    %o0, 15
        SAME    %o1, 16
        SAME    %o5, 17
        SAME    %l0, 18
        SAME    %l7, 19
        SAME    %i1, 20
        rd      %y, %l2
        SAME    %l2, 21
        ret
         restore %i5, 0, %o0
