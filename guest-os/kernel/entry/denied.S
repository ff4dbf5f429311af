/*
 * The fast path of rights upcalls: a load or store that the process may not do
 * becomes an upcall. Cycles stand at the right.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "machine/process.h"

        .section .text
        .global rights_fault

/*
 * rights_fault: trap 9, an access that the MMU refuses.
 *
 * On entry:  in T, traps disabled; %l0 PSR, %l1 and %l2 pc and npc, %l3 WIM,
 *            %l4 twice WIM.
 * Uses:      %l3 to %l7, T's outs.
 * Leaves to: the process's rights upcall, in T (glaze.h), if the page is a
 *            view, no atomic section is open, T and T - 1 are valid, the FPU
 *            holds no values of code that a handler has interrupted, no view's
 *            page is in backing store, and the upcall has an entry. Otherwise
 *            to C. C needs the fault status, which forgets what it holds when it
 *            is read: so that comes last.
 */
        CFI_TRAP
rights_fault:                           !  4 for the trap, 4 the vector
        or      %l3, %l4, %l4           !  1
        srl     %l4, %l0, %l4           !  1   as message_upcall
        andcc   %l4, 0x101, %g0         !  1
        bne     slow                    !  1
         andcc  %l0, PSR_PS, %g0        !  1   delay slot: a user's?
        bne     slow                    !  1
         mov    MMU_FAULT_ADDRESS, %l4  !  1   delay slot
        lda     [%l4] ASI_MMU, %l6      !      the page
        srl     %l6, 29, %l7            !  1
        cmp     %l7, GLAZE_VIEWS_BITS   !  1
        bne     slow                    !  1
         sethi  %hi(GLAZE_UPCALL), %l5  !  1   delay slot
        ld      [%g0 + FUGU_NI_USER_DISP + FUGU_U_UAC], %l7     ! 2
        ld      [%l5 + GLAZE_U_FP], %l4 !  2   valid?
        ld      [%l5 + GLAZE_I_AWAY - GLAZE_PAGE], %l3  ! 2   may the page be
        or      %l4, %l3, %l4           !  1   in backing store?
        orcc    %l7, %l4, %g0           !  1
        bne     slow                    !  1
         ldd    [%l5 + GLAZE_U_RIGHTS], %sp     ! 3   %sp, and in %o7 where to
                                        !      (delay slot)
        andncc  %o7, 3, %o7             !  1   the user's word: align it
        be      slow                    !  1   no entry
         mov    MMU_FAULT_STATUS, %l4   !  1   delay slot
        lda     [%l4] ASI_MMU, %l4
        srl     %l4, 7, %l4             !  1   the access was a store
        and     %l4, GLAZE_RIGHTS_STORE, %l4    ! 1
        srl     %l6, 12, %l6            !  1
        sll     %l6, 12, %l6            !  1
        or      %l6, %l4, %o0           !  1
        clr     %o1                     !  1   no atomic section
        wr      %l0, %psr               !  1   PSR: the condition codes. Three
        clr     %l4                     !  1   instructions until they hold.
        clr     %l5                     !  1   The user finds only its own
        clr     %l6                     !  1   words and constants
        clr     %l7                     !  1
        clr     %l3                     !  1
        BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE)   ! 1
        save                            !  1   to the window that rett leaves
        jmp     %i7                     !  2
         rett   %i7 + 4                 !  2   delay slot of jmp

slow:   ba      trap_slow
         mov    TT_DATA_ACCESS, %l3     ! delay slot
        .cfi_endproc

        .if     GLAZE_VIEWS >> 29 - GLAZE_VIEWS_BITS || \
                GLAZE_VIEWS_END - GLAZE_VIEWS - (1 << 29)
        .error  "the highest bits of an address do not tell whether it is a view"
        .endif
        .if     GLAZE_UPCALL - GLAZE_INFO - GLAZE_PAGE
        .error  "the information page does not come before the upcall page"
        .endif
