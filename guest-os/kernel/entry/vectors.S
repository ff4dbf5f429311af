/*
 * The trap table: 256 vectors of four instructions, at address 0. Machines
 * with soft atomicity use the table of soft_vectors.S.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "entry/fast.h"
#include "entry/receive.h"
#include "entry/table.h"

        .section .vectors, "ax"
        .global reset, trap_table
trap_table:
reset:
        CFI_OUTERMOST
        ba      start                           ! 00 reset: pc 0 at cycle 0
         nop                                    ! delay slot: nothing yet
        nop
        nop
        .cfi_endproc

        CFI_TRAP
        VECTORS_BELOW_MESSAGE VECTOR_RIGHTS

        ROW     register_save
        READ_PSR                                ! 1a message-available
        rd      %wim, %l3
        ba      message_upcall
         add    %l3, %l3, %l4                   ! delay slot: begins the test
                                                ! for two free windows
        VECTORS_ABOVE_MESSAGE
        SLOWS   0x20, 0x60 - 0x20               ! errors, reserved

        SLOW    0x60                            ! (reserved)
        SLOW    FUGU_TT_DISPOSE_FAILURE
        SLOW    FUGU_TT_BAD_DISPOSE
        SLOW    FUGU_TT_ATOMICITY_EXTEND
        SLOW    FUGU_TT_PROTECTION_VIOLATION
        SLOW    FUGU_TT_STOREBACK_EXTEND
        SLOWS   0x66, 2                         ! (reserved)
        DISPOSE_EXTEND                          ! 68 to 6b
        SLOWS   0x6c, 0x80 - 0x6c               ! (reserved)

        SLOWS   0x80, 24                        ! ta 0 to 23
        BEGINATOM(FUGU_UAC_DISPOSE_PENDING)     ! ta 24: the next handler from
        jmp     %l2                             ! the buffer starts. The trap
         rett   %l2 + 4                         ! changes nothing else
        nop
        SLOWS   0x99, 2                         ! ta 25 and 26
        VECTOR_QUICK                            ! ta 27
        SLOWS   0x9c, 0xff - 0x9c               ! ta 28 to 126

        .if     GLAZE_TRAP_RETURN - 127 || GLAZE_TRAP_NEXT - 24 || \
                GLAZE_TRAP_QUICK - 27 || \
                FUGU_TT_DISPOSE_EXTEND - 0x68
        .error  "the trap table is not in order"
        .endif
        .if     . - trap_table - 0xff0
        .error  "the trap table is not 256 vectors long"
        .endif

/*
 * ta 127: the end of a message upcall. The code is in the last vector and goes
 * on after the table: in the vectors of other software traps, users could
 * enter it in the middle.
 *
 * On entry:  in the window below the upcall's T, traps disabled. In T: %l0
 *            PSR, %l1 and %l2 pc and npc of the interrupted code, if the user
 *            has left them there.
 * Uses:      %l4 here, %o3 to %o5 of T; %l1 and %l2 of T, once the trap cannot
 *            be repeated any more.
 * Leaves to: the interrupted code with its condition codes, interrupts
 *            enabled. To C when the handler has not disposed of its message,
 *            or when atomicity-extend is set.
 *
 * Nothing that comes from T is trusted. Of the PSR only condition codes and EF
 * are taken: the FPU holds no other process's values (fpu.c, fpu_switch()). A
 * pc that is not aligned would trap here, with traps disabled.
 */
        ROW     upcall_cleanup          !  4 for the trap
        ld      [%g0 + FUGU_NI_USER_DISP + FUGU_U_UAC], %l4     ! 2
        LEAVE_UPCALL return_refill      ! 11
return_resume:
        and     %l0, %o5, %o4           !  1
        andn    %o3, %o5, %o3           !  1
        wr      %o3, %o4, %psr          !  1   PSR: condition codes, EF. Three
                                        !      instructions until they hold
        andn    %l1, 3, %l1             !  1
        andn    %l2, 3, %l2             !  1
        ROW     timer_cleanup
        ENDATOM(FUGU_UAC_USER)          !  1
        ROW     register_restore
        jmp     %l1                     !  2
         rett   %l2                     !  2   delay slot of jmp
        ROW     none

/* The interrupted window is on the stack: loads it first. */
return_refill:
        RETURN_REFILL return_resume
        ba,a    return_slow_in_t
        .cfi_endproc
