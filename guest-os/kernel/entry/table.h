/*
 * Macros for the trap table (vectors.S) and the trap table for soft atomicity
 * (soft_vectors.S).
 *
 * A vector starts with traps disabled, in a fresh window, which may be the
 * invalid one. pc and npc of the interrupted code are in %l1 and %l2. The
 * vector puts the PSR into %l0 for the code that it branches to. trap_slow
 * also gets the trap type in %l3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_TABLE_H
#define GLAZE_TABLE_H

#include "machine/cfi.h"
#include "machine/psr.h"
#include "machine/process.h"
#include "rows.h"

        .macro  SLOW tt, way=trap_slow  ! to C
        READ_PSR
        sethi   %hi(\way), %l4
        jmp     %l4 + %lo(\way)
         mov    \tt, %l3                ! delay slot: tell the types apart
        .endm

        .macro  SLOWS from, count
        .set    vector_tt, \from
        .rept   \count
        SLOW    vector_tt
        .set    vector_tt, vector_tt + 1
        .endr
        .endm

/* 09: data access, no page or no right to it, where denied.S handles it. */
        .macro  VECTOR_RIGHTS
        READ_PSR
        rd      %wim, %l3
        ba      rights_fault
         add    %l3, %l3, %l4           ! delay slot: begins the test for two
        .endm                           ! free windows

/* ta 27: a call that has a fast path. */
        .macro  VECTOR_QUICK
        READ_PSR
        rd      %wim, %l3
        ba      call_quick
         add    %l3, %l3, %l4           ! delay slot: begins the test for two
        .endm                           ! free windows

/*
 * 01 to 19: traps of instructions, and interrupts 1 to 9. `access` is the macro
 * for trap 9, with its argument.
 */
        .macro  VECTORS_BELOW_MESSAGE access:vararg
        SLOW    0x01                            ! instruction access: no page
        SLOW    0x02                            ! illegal instruction
        SLOW    0x03                            ! privileged instruction
        SLOW    0x04                            ! FPU disabled

        READ_PSR                                ! 05 window overflow
        rd      %wim, %l3
        ba      window_overflow
         andcc  %l0, PSR_PS, %g0                ! delay slot: a user's?
        READ_PSR                                ! 06 window underflow
        rd      %wim, %l3
        ba      window_underflow
         andcc  %l0, PSR_PS, %g0                ! delay slot: a user's?
        SLOW    0x07                            ! address not aligned
        SLOW    0x08                            ! floating-point exception
        \access                                 ! 09 data access
        SLOW    0x0a                            ! tag overflow
        SLOWS   0x0b, 0x11 - 0x0b               ! (reserved)
        SLOWS   0x11, 5                         ! interrupts 1 to 5: unused
        SLOW    FUGU_TT_IRQ(FUGU_IRQ_CONSOLE)
        SLOW    FUGU_TT_IRQ(7)                  ! unused
        SLOW    FUGU_TT_IRQ(FUGU_IRQ_DISK), trap_timed
        SLOW    FUGU_TT_IRQ(9)                  ! unused
        .endm

/* 1b to 1f: interrupts above message-available. */
        .macro  VECTORS_ABOVE_MESSAGE
        READ_PSR                                ! 1b mismatch-available
        ROW     dispatch_upcall
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l3
        ba      message_insert
         ld     [%l3 + FUGU_K_HEAD + FUGU_HEAD_GID], %l4 ! delay slot
        ROW     none

        SLOW    FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT)   ! 1c atomicity-timeout
        SLOW    FUGU_TT_IRQ(FUGU_IRQ_TIMER)     ! 1d cycle timer
        READ_PSR                                ! 1e second network
        rd      %wim, %l3
        ba      message_second
         add    %l3, %l3, %l4           ! delay slot: begins the test for two
                                        ! free windows
        SLOW    FUGU_TT_IRQ(15)                 ! unused
        .endm

#endif /* GLAZE_TABLE_H */
