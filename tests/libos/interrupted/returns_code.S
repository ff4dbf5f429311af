/*
 * Loops that wait for a handler and change no register and no condition code
 * meanwhile.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "operations.h"

        .section .text
        .global wait_added, wait_subtracted, wait_tagged
        .global wait_at_page, wait_at_page_end

/*
 * wait_added(a, b, leave, at_page): sets the condition codes as addcc of a and
 * b does, and ends the atomic section of its caller. Waits until the word at
 * `leave` is not 0. wait_subtracted(): subcc; wait_tagged(): tsubcc.
 *
 * `at_page` says which loop waits. 0: one that is interrupted where npc is
 * pc + 4. 1: one with a branch at the end of a page, which is interrupted
 * between the branch and its delay slot too.
 *
 * The word at `leave` is to be set to LEAVE, the offset of a loop's way out.
 *
 * On entry:  leaf routine.
 * Uses:      %o0 to %o5, %g1 to %g4, y.
 * Leaves to: its caller, with the condition codes as the loop has found them
 *            in the end: 8 N + 4 Z + 2 V + C; or with 16, if another register
 *            has changed.
 */
        .macro  WAIT name, operation
\name:
        ENDATOM(FUGU_UAC_USER)
        tst     %o3
        set     wait_usual, %o5
        be      1f
         mov    %o2, %o4
        set     wait_at_page, %o5
1:      mov     0x111, %g1
        mov     0x222, %g2
        mov     0x333, %g3
        mov     0x444, %g4
        mov     0x555, %o2
        wr      %o2, %y
        jmp     %o5
         \operation %o0, %o1, %g0
        .endm

        WAIT    wait_added, addcc
        WAIT    wait_subtracted, subcc
        WAIT    wait_tagged, tsubcc

        .align  16
wait_usual:
        ld      [%o4], %o3
        jmp     %o5 + %o3
         nop                                    ! delay slot: not filled
        ba      finish                          ! nothing leads here: a
         clr    %g1                             ! register changes
        ba,a    finish

/* Reads condition codes and registers. */
finish: mov     0, %o0
        bneg,a  1f
         or     %o0, 8, %o0                     ! delay slots: if taken
1:      be,a    1f
         or     %o0, 4, %o0
1:      bvs,a   1f
         or     %o0, 2, %o0
1:      bcs,a   1f
         or     %o0, 1, %o0
1:      xor     %g1, 0x111, %g1
        xor     %g2, 0x222, %g2
        xor     %g3, 0x333, %g3
        xor     %g4, 0x444, %g4
        rd      %y, %o3
        xor     %o3, 0x555, %o3
        xor     %o2, 0x555, %o2
        or      %g1, %g2, %g1
        or      %g3, %g4, %g3
        or      %o2, %o3, %o2
        or      %g1, %g3, %g1
        orcc    %g1, %o2, %g0
        bne,a   1f
         or     %o0, 16, %o0                    ! delay slot: if taken
1:      retl
         nop                                    ! delay slot: not filled

        .align  4096
        .skip   4096 - 8
wait_at_page:
        ld      [%o4], %o3
        jmp     %o5 + %o3
wait_at_page_end:
         nop                                    ! delay slot, in another page
        ba      finish                          ! as above
         clr    %g1
        ba,a    finish
