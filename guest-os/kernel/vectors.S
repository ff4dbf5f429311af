/*
 * The trap table: 256 vectors of four instructions, at address 0.
 *
 * A vector has the traps disabled and a fresh window, perhaps the invalid
 * one, with pc and npc of what was interrupted in %l1 and %l2. Everywhere
 * behind it, %l0 is the PSR; in trap_slow, %l3 is the trap type as well.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cfi.h"
#include "operations.h"
#include "process.h"
#include "psr.h"
#include "fast.h"
#include "rows.h"

        .macro  SLOW tt                 ! to C
        rd      %psr, %l0
        sethi   %hi(trap_slow), %l4
        jmp     %l4 + %lo(trap_slow)
         mov    \tt, %l3                ! delay slot: tell the types apart
        .endm

        .macro  SLOWS from, count
        .set    vector_tt, \from
        .rept   \count
        SLOW    vector_tt
        .set    vector_tt, vector_tt + 1
        .endr
        .endm

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
        SLOW    0x01                            ! instruction access: no page
        SLOW    0x02                            ! illegal instruction
        SLOW    0x03                            ! privileged instruction
        SLOW    0x04                            ! FPU disabled

        rd      %psr, %l0                       ! 05 window overflow
        rd      %wim, %l3
        ba      window_overflow
         andcc  %l0, PSR_PS, %g0                ! delay slot: whose?
        rd      %psr, %l0                       ! 06 window underflow
        rd      %wim, %l3
        ba      window_underflow
         andcc  %l0, PSR_PS, %g0                ! delay slot: whose?
        SLOW    0x07                            ! address not aligned
        SLOW    0x08                            ! floating-point exception
        SLOW    0x09                            ! data access: no page, rights
        SLOW    0x0a                            ! tag overflow
        SLOWS   0x0b, 0x11 - 0x0b               ! (reserved)
        SLOWS   0x11, 5                         ! interrupts 1 to 5: unused
        SLOW    FUGU_TT_IRQ(FUGU_IRQ_CONSOLE)
        SLOW    FUGU_TT_IRQ(7)                  ! unused
        SLOW    FUGU_TT_IRQ(FUGU_IRQ_DISK)
        SLOW    FUGU_TT_IRQ(9)                  ! unused

        ROW     register_save
        rd      %psr, %l0                       ! 1a message-available
        rd      %wim, %l3
        ba      message_upcall
         add    %l3, %l3, %l4                   ! delay slot: begins the test
                                                ! for two free windows
        rd      %psr, %l0                       ! 1b mismatch-available
        ROW     dispatch_upcall
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l3
        ba      message_insert
         ld     [%l3 + FUGU_K_HEAD + FUGU_HEAD_GID], %l4 ! delay slot
        ROW     none

        SLOW    FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT)   ! 1c atomicity-timeout
        SLOW    FUGU_TT_IRQ(FUGU_IRQ_TIMER)     ! 1d cycle timer
        SLOW    FUGU_TT_IRQ(FUGU_IRQ_SECOND)    ! 1e second network
        SLOW    FUGU_TT_IRQ(15)                 ! unused
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

        SLOWS   0x80, GLAZE_TRAP_RETURN         ! ta 0 to 15
        ROW     upcall_cleanup
        UPCALL_RETURN                           ! ta 16 to 20
        ROW     none
        SLOWS   0x95, 3                         ! ta 21 to 23
        BEGINATOM(FUGU_UAC_DISPOSE_PENDING)     ! ta 24: next handler from the
        jmp     %l2                             ! buffer. Behind the trap,
         rett   %l2 + 4                         ! nothing else has changed
        nop
        SLOWS   0x99, 0x100 - 0x99              ! ta 25 to 127
        .cfi_endproc

        .if     GLAZE_TRAP_RETURN - 16 || GLAZE_TRAP_NEXT - 24 || \
                FUGU_TT_DISPOSE_EXTEND - 0x68
        .error  "the trap table is not in order"
        .endif
        .if     . - trap_table - 0x1000
        .error  "the trap table is not 256 vectors long"
        .endif
