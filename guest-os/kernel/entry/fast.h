/*
 * Fast paths inside a trap table, where they need no branch: macros for
 * vectors.S and soft_vectors.S. Cycles stand at the right.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FAST_H
#define GLAZE_FAST_H

#include "marks.h"

/*
 * NEXT_RECORD: drops the oldest record of the buffer, if that is simple.
 *
 * On entry:  in T, traps disabled.
 * Uses:      %l0, %l3 to %l5.
 * Leaves to: what follows, with %g6 at the next record and the condition codes
 *            as they were. To C when the head is the record that C has to drop
 *            (buffer.c, note_stop()).
 */
        .macro  NEXT_RECORD
        READ_PSR                        !  1
        sethi   %hi(GLAZE_INFO), %l3    !  1
        ldd     [%l3 + GLAZE_I_HEAD], %l4       ! 3    head and stop
        cmp     %l4, %l5                !  1
        be      dispose_slow            !  1
         add    %l4, RECORD_SIZE, %g6   !  1   delay slot: C sets %g6 itself
        wr      %l0, %psr               !  1   PSR: condition codes. Three
                                        !      instructions until they hold
        st      %g6, [%l3 + GLAZE_I_HEAD]       ! 3
        MARK    taken
        .endm

/*
 * DISPOSE_EXTEND: trap 68, a user's dispose in buffered mode. It takes four
 * vectors. No instruction raises the traps of the other three.
 *
 * On entry:  in T, traps disabled; %l1 and %l2 pc and npc.
 * Uses:      %l0, %l3 to %l5.
 * Leaves to: the instruction after the dispose; or to C, as NEXT_RECORD.
 */
        .macro  DISPOSE_EXTEND          !  4 for the trap
        NEXT_RECORD                     ! 12
        ENDATOM(FUGU_UAC_DISPOSE_PENDING)       ! 1
        jmp     %l2                     !  2
         rett   %l2 + 4                 !  2   delay slot of jmp
        .skip   20                      ! up to the next vector
        .endm

/*
 * LEAVE_UPCALL: goes from the window below an upcall's T to T, on the way to
 * the window above T.
 *
 * On entry:  traps disabled, %l4 UAC.
 * Uses:      %l0 here, %o3 to %o5 of T. It changes no local of T: the trap may
 *            be repeated, and the library's stub then needs its locals again.
 * Leaves to: what follows, in T, with the PSR in %o3, and in %o5 the bits of
 *            the PSR that users may set. To C if dispose-pending or
 *            atomicity-extend is set. To `refill` if the window above T is on
 *            the stack: it is the invalid window if bit 8 of WIM << 7 >> T is
 *            set, or bit 0 when T = 7.
 */
        .macro  LEAVE_UPCALL refill
        andcc   %l4, FUGU_UAC_DISPOSE_PENDING | FUGU_UAC_ATOMICITY_EXTEND, %g0
        be,a    1f                      !  2
        ROW     register_restore
         restore                        !  1   delay slot, only if taken: to T
        ba      return_slow             !      from this window: if it is W, a
                                        !      save back to it would trap
         rd     %psr, %l0               !      delay slot
1:      rd      %psr, %o3               !  1
        rd      %wim, %o4               !  1
        sll     %o4, 7, %o4             !  1
        srl     %o4, %o3, %o4           !  1
        andcc   %o4, 0x101, %g0         !  1
        bne     \refill           !  1
         sethi  %hi(PSR_ICC | PSR_EF), %o5      ! 1    delay slot: used below
        .endm

#endif /* GLAZE_FAST_H */
