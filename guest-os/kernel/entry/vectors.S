/*
 * The trap table: 256 vectors of four instructions, at address 0. Where
 * atomicity is soft, another one takes its place (soft.S).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cfi.h"
#include "vectors.h"
#include "fast.h"

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
        VECTORS_BELOW_MESSAGE

        ROW     register_save
        rd      %psr, %l0                       ! 1a message-available
        rd      %wim, %l3
        ba      message_upcall
         add    %l3, %l3, %l4                   ! delay slot: begins the test
                                                ! for two free windows
        VECTORS_BEHIND_MESSAGE
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
        BEGINATOM(FUGU_UAC_DISPOSE_PENDING)     ! ta 24: next handler from the
        jmp     %l2                             ! buffer. Behind the trap,
         rett   %l2 + 4                         ! nothing else has changed
        nop
        SLOWS   0x99, 0xff - 0x99               ! ta 25 to 126

        .if     GLAZE_TRAP_RETURN - 127 || GLAZE_TRAP_NEXT - 24 || \
                FUGU_TT_DISPOSE_EXTEND - 0x68
        .error  "the trap table is not in order"
        .endif
        .if     . - trap_table - 0xff0
        .error  "the trap table is not 256 vectors long"
        .endif
        ROW     upcall_cleanup
        UPCALL_RETURN                           ! ta 127, and on behind the
        ROW     none                            ! table
        .cfi_endproc
