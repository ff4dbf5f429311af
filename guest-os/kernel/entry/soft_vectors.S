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
        READ_PSR                                ! ta 28: a section that is in UAC
        ld      [%g0 + UAC], %l3                ! closes
        ba      section_close
         andcc  %l3, FUGU_UAC_DISPOSE_PENDING | FUGU_UAC_ATOMICITY_EXTEND, %g0
        SLOWS   0x9d, 0xff - 0x9d               ! ta 29 to 126

        .if     GLAZE_TRAP_CLOSE - 28
        .error  "the trap table is not in order"
        .endif
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
 *            soft_section if the library has opened a section by
 *            GLAZE_U_SECTION. To soft_insert if the message is for another
 *            process, or if this process is in buffered mode or in a section
 *            that is in UAC.
 *
 * The word AVAILABLE, 1 or 0, says which: the hardware compares the GID, and
 * divert-mode is set in buffered mode and in sections in UAC. One comparison
 * tests it together with the windows: less than 1 is only 0, the result if two
 * windows are free. The handler's PSR has the FPU off and the condition codes
 * clear.
 */
        ROW     gid_check
soft_message:                           !  6 for the interrupt, 4 the vector
        ld      [%g0 + AVAILABLE], %l6  !  2
        ROW     register_save
        or      %l3, %l4, %l4           !  1
        srl     %l4, %l0, %l4           !  1   the shift takes CWP alone
        and     %l4, 0x101, %l4         !  1
        ROW     virtual_buffering_overhead
        cmp     %l4, %l6                !  1
        bgeu    soft_otherwise          !  1
        ROW     timer_setup
         sethi  %hi(FUGU_NI_KERNEL_BASE), %l5   ! 1    delay slot: used below
        sethi   %hi(GLAZE_PROCESS), %l4 !  1
        ROW     dispatch_upcall
        ldd     [%l4 + UPCALL(GLAZE_U_MESSAGE)], %sp    ! 3   %sp, and in %o7
        ROW     timer_setup                             !     where to
        ldd     [%l5 + TIMER(FUGU_TIMER_NOW)], %l6      ! 3
        ld      [%l4 + P_TIMEOUT], %l3  !  2
        ROW     virtual_buffering_overhead
        andcc   %o7, GLAZE_U_SECTION, %g0       ! 1    the user's word: it is
        bne     soft_section            !  1          aligned, if not taken
        ROW     timer_setup
         addcc  %l7, %l3, %l7           !  1   delay slot: used by both
        addx    %l6, 0, %l6             !  1
        std     %l6, [%l5 + TIMER(FUGU_TIMER_COMPARE)]  ! 4
        ROW     dispatch_upcall
        and     %l0, PSR_S | PSR_CWP, %l3       ! 1
        wr      %l3, PSR_PIL_HOLD, %psr !  1   PSR: FPU off, PIL 10 (wr is xor).
                                        !      Three instructions until it
                                        !      holds: those that follow
        ROW     timer_setup
        mov     UPCALL_UAC, %l3         !  1
        st      %l3, [%l5 + FUGU_K_UAC] !  3
        ROW     dispatch_upcall
        save                            !  1   to the window that rett leaves
        jmp     %i7                     !  2
         rett   %i7 + 4                 !  2   delay slot of jmp
        ROW     none
        .if     GLAZE_U_SECTION - 3
        .error  "the entry may not be aligned"
        .endif

/*
 * soft_section: the library has opened a section by GLAZE_U_SECTION. From now on
 * it is in UAC and holds messages back, as hold() of soft.c says it. The bits stay
 * until the library clears them, or C code does.
 */
soft_section:
        addx    %l6, 0, %l6             !  1
        ld      [%g0 + UAC], %l3        !  2
        wr      %l0, PSR_PIL_HOLD, %psr !  1   PSR: condition codes, and PIL 10
        or      %l3, FUGU_UAC_INTERRUPT_DISABLE, %l3    ! 1    (wr is xor). Three
        st      %l3, [%l5 + FUGU_K_UAC] !  3   instructions until they hold
        std     %l6, [%l5 + TIMER(FUGU_TIMER_COMPARE)]  ! 4
        jmp     %l1                     !  2
         rett   %l2                     !  2   delay slot of jmp

/* No upcall, or fewer than two windows are free. */
soft_otherwise:
        tst     %l6
        be      soft_insert
         nop                            ! delay slot
        MAKE_ROOM soft_message

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
 *            holds back the messages of a section, and divert-mode is clear;
 *            endatom leaves at PIL 0, with the cycle timer at the end of the
 *            slot. To C if dispose-pending or atomicity-extend is set, for an
 *            endatom at PIL 10 with another constant than udm_endatom()'s, if the
 *            operand is in a register, or if the operation is unknown.
 */
operation_soft:                         !  4 for the trap, 6 the vector
        set     FUGU_INSN(FUGU_OPC_BEGINATOM, FUGU_UAC_INTERRUPT_DISABLE, 0, 0), %l5
        cmp     %l4, %l5                !  1   udm_beginatom()?
        be      begin_usual             !  1
         andcc  %l0, PSR_PIL, %g0       !  1   delay slot: the next test
        set     FUGU_INSN(FUGU_OPC_ENDATOM, FUGU_UAC_USER, 0, 0), %l5   ! 2
        cmp     %l4, %l5                !  1   udm_endatom()?
        bne     operation_unusual       !  1
         andcc  %l3, FUGU_UAC_DISPOSE_PENDING | FUGU_UAC_ATOMICITY_EXTEND, %g0
        bne     operation_slow          !  1
         andcc  %l0, PSR_PIL, %g0       !  1   delay slot: the next test
end_usual:
        bne     end_held                !  1
         sethi  %hi(GLAZE_INFO), %l6    !  1   delay slot
        ld      [%l6 + GLAZE_I_MODE], %l6       ! 2
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l7   ! 1
        wr      %l0, %psr               !  1   PSR: condition codes. Three
        st      %l6, [%l7 + FUGU_K_DIVERT]      ! 3    instructions until they
        st      %g0, [%l7 + FUGU_K_UAC] !  3           hold
        jmp     %l2                     !  2
         rett   %l2 + 4                 !  2   delay slot of jmp

begin_usual:
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l7   ! 1
        bne     1f                      !  1
         or     %l3, FUGU_UAC_INTERRUPT_DISABLE, %l3    ! 1    delay slot
        st      %l3, [%l7 + FUGU_K_DIVERT]      ! 3    divert-mode: bit 0
1:      wr      %l0, %psr               !  1   PSR: condition codes. Three
        st      %l3, [%l7 + FUGU_K_UAC] !  3   instructions until they hold
        clr     %l3                     !  1
        jmp     %l2                     !  2
         rett   %l2 + 4                 !  2   delay slot of jmp

/*
 * end_held: a section ends at PIL 10, as soft_settle() says it. UAC has no bits of
 * the kernel's.
 */
end_held:
        sethi   %hi(GLAZE_PROCESS), %l4
        ldd     [%l4 + P_SLOT_END], %l6
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l4
        andn    %l0, PSR_PIL, %l0
        wr      %l0, %psr               ! PSR: condition codes, and PIL 0. Three
        st      %g0, [%l4 + FUGU_K_UAC] ! instructions until they hold
        std     %l6, [%l4 + TIMER(FUGU_TIMER_COMPARE)]
        jmp     %l2
         rett   %l2 + 4                 ! delay slot of jmp

/*
 * section_close: ta 28.
 *
 * On entry:  in T, traps disabled; %l0 PSR, %l1 and %l2 pc and npc; condition
 *            codes: the kernel's bits of UAC.
 * Leaves to: as operation_soft does for udm_endatom().
 */
section_close:
        bne     close_slow
         nop                            ! delay slot
        ba      end_usual
         andcc  %l0, PSR_PIL, %g0       ! delay slot

/* Another constant than those of udm_beginatom() and udm_endatom(). */
operation_unusual:
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
        bne     operation_slow
         and    %l4, FUGU_UAC_USER, %l4 ! delay slot: harmless
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

close_slow:
        ba      trap_slow
         mov    TT_SOFTWARE + GLAZE_TRAP_CLOSE, %l3     ! delay slot
operation_slow:
        ba      trap_slow
         mov    TT_CP_DISABLED, %l3     ! delay slot
        .cfi_endproc
