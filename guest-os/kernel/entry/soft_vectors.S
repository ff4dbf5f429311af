/*
 * Soft atomicity: the trap table of machines whose network interface leaves
 * atomicity to the kernel, and its fast paths (docs/soft-kernel.md).
 *
 * This table differs from vectors.S where UAC or the atomicity timer should
 * have an effect. On these machines the hardware keeps UAC as a word and does
 * not act on it. Cycles stand at the right.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "entry/fast.h"
#include "entry/receive.h"
#include "entry/table.h"

/* Words of the network interface's user page, without a base register. */
#define UAC             (FUGU_NI_USER_DISP + FUGU_U_UAC)
#define AVAILABLE       (FUGU_NI_USER_DISP + FUGU_U_RECORD + \
                         FUGU_REC_AVAILABLE)

/*
 * The cycle timer and the upcall page, as displacements from the address one
 * page after them.
 */
#define TIMER(offset)   (FUGU_TIMER_BASE - FUGU_NI_KERNEL_BASE + (offset))
#define UPCALL(offset)  (GLAZE_UPCALL - GLAZE_PROCESS + (offset))

/*
 * beginatom or endatom of a constant, shifted left so that the constant is
 * gone.
 */
#define SHAPE(opc)      ((FUGU_INSN(opc, 0, 0, 0) << 7) & 0xffffffff)

        .section .soft, "ax"
        .global soft_trap_table
soft_trap_table:
        CFI_TRAP
        SLOW    0x00                            ! a jump to address 0
        VECTORS_BELOW_MESSAGE SLOW 0x09

        ROW     register_save
        READ_PSR                                ! 1a message-available
        rd      %wim, %l3
        ba      soft_message
         add    %l3, %l3, %l4                   ! delay slot: begins the test
                                                ! for two free windows
        VECTORS_ABOVE_MESSAGE
        SLOWS   0x20, TT_CP_DISABLED - 0x20
        READ_PSR                                ! 24 beginatom, endatom
        ld      [%g0 + UAC], %l3
        ba      operation_soft
         ld     [%l1], %l4                      ! delay slot: was just fetched
        SLOWS   0x25, 0x68 - 0x25

/*
 * 68: a user's dispose in buffered mode, as DISPOSE_EXTEND of fast.h. If
 * divert-mode is set only because of an atomic section, there is no record,
 * and NEXT_RECORD leaves to C.
 */
        NEXT_RECORD                     ! 12
        ld      [%g0 + UAC], %l4        !  2
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l3   ! 1
        andn    %l4, FUGU_UAC_DISPOSE_PENDING, %l4      ! 1
        st      %l4, [%l3 + FUGU_K_UAC] !  3
        jmp     %l2                     !  2
         rett   %l2 + 4                 !  2   delay slot of jmp
        .skip   8                       ! up to the next vector
        SLOWS   0x6c, 0x80 - 0x6c
        SLOWS   0x80, 24                        ! ta 0 to 23
        ld      [%g0 + UAC], %l4                ! ta 24 and 25: the next
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l3   ! handler from the buffer starts
        or      %l4, FUGU_UAC_DISPOSE_PENDING, %l4
        st      %l4, [%l3 + FUGU_K_UAC]
        jmp     %l2                             ! the trap changes nothing else
         rett   %l2 + 4
        .skip   8
        SLOW    0x9a                            ! ta 26
        VECTOR_QUICK                            ! ta 27
        SLOWS   0x9c, 0xff - 0x9c               ! ta 28 to 126

        .if     . - soft_trap_table - 0xff0
        .error  "the trap table is not 256 vectors long"
        .endif

/*
 * ta 127: the end of a message upcall, as in vectors.S.
 *
 * On entry:  in the window below the upcall's T, traps disabled. PIL is 10; it
 *            is 0 if the handler did not stay on the fast path until its end.
 * Uses:      %l4 here, %o3 to %o5 of T, %g5, which the ABI leaves undefined;
 *            %l1, %l2 and %l5 to %l7 of T, once the trap cannot be repeated
 *            any more.
 * Leaves to: the interrupted code, at PIL 0, with the cycle timer at the end
 *            of the slot. To C in the same cases as in vectors.S.
 *
 * Divert-mode stays set if an atomic section was open at PIL 0. Then the next
 * message comes to the kernel, and C clears divert-mode.
 */
        ROW     upcall_cleanup
        sethi   %hi(FUGU_NI_KERNEL_BASE), %g5   ! 1
        ld      [%g0 + UAC], %l4        !  2
        LEAVE_UPCALL soft_refill        ! 11
soft_return_resume:
        and     %l0, %o5, %o4           !  1
        andn    %o3, %o5, %o3           !  1
        ROW     timer_cleanup
        andn    %o3, PSR_PIL, %o3       !  1
        ROW     register_restore
        wr      %o3, %o4, %psr          !  1   PSR: condition codes, EF, and
                                        !      PIL 0. Three instructions until
                                        !      they hold
        andn    %l1, 3, %l1             !  1
        andn    %l2, 3, %l2             !  1
        ROW     timer_cleanup
        .cfi_remember_state
        CFI_UPCALL_LEFT
        sethi   %hi(GLAZE_PROCESS), %l5 !  1
        ldd     [%l5 + P_SLOT_END], %l6 !  3
        st      %g0, [%g5 + FUGU_K_UAC] !  3
        std     %l6, [%g5 + TIMER(FUGU_TIMER_COMPARE)]  ! 4
        ROW     register_restore
        jmp     %l1                     !  2
         rett   %l2                     !  2   delay slot of jmp
        .cfi_restore_state
        ROW     none

/*
 * soft_message: interrupt 10 from user mode, a message for any process.
 *
 * On entry:  in T, traps disabled; %l0 PSR, with PIL 0; %l1 and %l2 pc and
 *            npc, %l3 WIM, %l4 twice WIM.
 * Uses:      %l3 to %l7, T's outs.
 * Leaves to: the process's message upcall, as message_upcall does, but at PIL
 *            10 and with the cycle timer set to bound the handler. To
 *            soft_insert if the message is for another process, or if this
 *            process is in buffered mode or in an atomic section.
 *
 * The word AVAILABLE says which: the hardware compares the GID, and
 * divert-mode is set in buffered mode and in atomic sections. The handler's
 * PSR has the FPU off and the condition codes clear.
 */
        ROW     gid_check
soft_message:                           !  6 for the interrupt, 4 the vector
        ld      [%g0 + AVAILABLE], %l6  !  2
        ROW     virtual_buffering_overhead
        tst     %l6                     !  1
        be      soft_insert             !  1
        ROW     register_save
         or     %l3, %l4, %l4           !  1   delay slot: twice WIM is used
        srl     %l4, %l0, %l4           !  1   the shift takes CWP alone
        andcc   %l4, 0x101, %g0         !  1
        bne     soft_make_room          !  1
        ROW     timer_setup
         sethi  %hi(FUGU_NI_KERNEL_BASE), %l5   ! 1    delay slot: used below
        ldd     [%l5 + TIMER(FUGU_TIMER_NOW)], %l6      ! 3
        sethi   %hi(GLAZE_PROCESS), %l4 !  1
        ld      [%l4 + P_TIMEOUT], %l3  !  2
        addcc   %l7, %l3, %l7           !  1
        addx    %l6, 0, %l6             !  1
        std     %l6, [%l5 + TIMER(FUGU_TIMER_COMPARE)]  ! 4
        mov     UPCALL_UAC, %l3         !  1
        st      %l3, [%l5 + FUGU_K_UAC] !  3
        ROW     dispatch_upcall
        and     %l0, PSR_S | PSR_CWP, %l3       ! 1
        wr      %l3, PSR_PIL_HOLD, %psr !  1   PSR: FPU off, PIL 10 (wr is xor).
                                        !      Three instructions until it
                                        !      holds: those that follow
        ldd     [%l4 + UPCALL(GLAZE_U_MESSAGE)], %sp    ! 3   %sp, and in %o7
        andn    %o7, 3, %o7             !  1   where to; the user's word
        save                            !  1   to the window that rett leaves
        jmp     %i7                     !  2
         rett   %i7 + 4                 !  2   delay slot of jmp
        ROW     none

/*
 * soft_insert: no upcall. If the message is for this process, in fast mode and in
 * an atomic section, the section from now on holds messages back, as hold() of
 * soft.c says it. Otherwise the kernel takes the message, as for
 * mismatch-available.
 */
soft_insert:
        ld      [%g0 + UAC], %l6        !  2
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l3   ! 1
        sethi   %hi(GLAZE_INFO), %l5    !  1
        andcc   %l6, FUGU_UAC_INTERRUPT_DISABLE, %g0    ! 1
        be      message_insert          !  1
         ld     [%l3 + FUGU_K_HEAD + FUGU_HEAD_GID], %l4        ! 2  delay slot
        ld      [%l5 + GLAZE_I_GID], %l6        ! 2
        ld      [%l5 + GLAZE_I_MODE], %l5       ! 2   0: fast
        xor     %l6, %l4, %l6           !  1
        orcc    %l5, %l6, %g0           !  1
        bne     message_insert          !  1
         ldd    [%l3 + TIMER(FUGU_TIMER_NOW)], %l6      ! 3   delay slot
        sethi   %hi(GLAZE_PROCESS), %l4 !  1
        st      %g0, [%l3 + FUGU_K_DIVERT]      ! 3
        ld      [%l4 + P_TIMEOUT], %l5  !  2
        addcc   %l7, %l5, %l7           !  1
        addx    %l6, 0, %l6             !  1
        wr      %l0, PSR_PIL_HOLD, %psr !  1   PSR: condition codes, and PIL 10
        std     %l6, [%l3 + TIMER(FUGU_TIMER_COMPARE)]  ! 4   (wr is xor). Three
        clr     %l4                     !  1   instructions until they hold
        jmp     %l1                     !  2
         rett   %l2                     !  2   delay slot of jmp
        .if     GLAZE_FAST
        .error  "fast mode is not 0"
        .endif

/* Fewer than two windows are free. */
soft_make_room:
        MAKE_ROOM soft_message

/* The interrupted window is on the stack: loads it first. */
soft_refill:
        RETURN_REFILL soft_return_resume
        ba,a    return_slow_in_t

/*
 * operation_soft: trap 24: beginatom, endatom, or an unknown operation.
 *
 * On entry:  in T, traps disabled; %l0 PSR, %l1 and %l2 pc and npc, %l3 UAC,
 *            %l4 the instruction.
 * Uses:      %l3 to %l7.
 * Leaves to: npc, with the bits of the constant set or cleared in UAC. At PIL 0,
 *            divert-mode is set while a section is open. At PIL 10 the processor
 *            holds back the messages of a section, divert-mode is clear, and the
 *            end of the section leaves at PIL 0, with the cycle timer at the end
 *            of the slot. To C if dispose-pending or atomicity-extend is set, if
 *            an endatom at PIL 10 does not end the section, if the operand is in
 *            a register, or if the operation is unknown.
 */
operation_soft:
        sll     %l4, 7, %l5
        sethi   %hi(SHAPE(FUGU_OPC_BEGINATOM)), %l6
        cmp     %l5, %l6
        be      1f
         srl    %l4, 25, %l4            ! delay slot: the mask, and more above
        sethi   %hi(SHAPE(FUGU_OPC_ENDATOM)), %l6
        cmp     %l5, %l6
        bne     operation_slow
         andcc  %l3, FUGU_UAC_DISPOSE_PENDING | FUGU_UAC_ATOMICITY_EXTEND, %g0
        bne     operation_slow
         andcc  %l0, PSR_PIL, %g0       ! delay slot: the next test
        bne     end_held
         and    %l4, FUGU_UAC_USER, %l4 ! delay slot: for both
        ba      2f
         andn   %l3, %l4, %l3           ! delay slot: endatom
1:      and     %l4, FUGU_UAC_USER, %l4
        andcc   %l0, PSR_PIL, %g0
        bne     3f
         or     %l3, %l4, %l3           ! delay slot: beginatom
2:      sethi   %hi(GLAZE_INFO), %l6
        ld      [%l6 + GLAZE_I_MODE], %l6
        or      %l6, %l3, %l6           ! divert-mode: bit 0 of either
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l7
        st      %l6, [%l7 + FUGU_K_DIVERT]
        .if     GLAZE_BUFFERED - 1 || FUGU_UAC_INTERRUPT_DISABLE - 1
        .error  "the bits of mode and UAC are not divert-mode's"
        .endif
3:      wr      %l0, %psr               ! PSR: condition codes. Three
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l7   ! instructions until they hold
        st      %l3, [%l7 + FUGU_K_UAC]
        jmp     %l2
         rett   %l2 + 4                 ! delay slot of jmp

/* endatom at PIL 10: what soft_settle() does then. */
end_held:
        andn    %l3, %l4, %l3
        andcc   %l3, FUGU_UAC_INTERRUPT_DISABLE, %g0
        bne     operation_slow
         sethi  %hi(GLAZE_PROCESS), %l4 ! delay slot
        ldd     [%l4 + P_SLOT_END], %l6
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l4
        andn    %l0, PSR_PIL, %l0
        wr      %l0, %psr               ! PSR: condition codes, and PIL 0. Three
        st      %l3, [%l4 + FUGU_K_UAC] ! instructions until they hold
        std     %l6, [%l4 + TIMER(FUGU_TIMER_COMPARE)]
        jmp     %l2
         rett   %l2 + 4                 ! delay slot of jmp

operation_slow:
        ba      trap_slow
         mov    TT_CP_DISABLED, %l3     ! delay slot
        .cfi_endproc
