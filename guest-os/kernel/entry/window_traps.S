/*
 * Window traps: register windows are spilled to the stack and refilled from
 * there.
 *
 * The kernel's windows need no check. A user's stack pointer may hold any
 * value, so a user's window is stored or loaded only if CHECK_STACK accepts
 * it. If not, C handles the trap: it saves the windows to the process's page
 * first (entry.S), and then spills or refills a window there (upcall.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "machine/windows.h"

        .section .fast, "ax"
        .global window_overflow, window_underflow

/* Repeats the instruction at pc, with the condition codes as they were. */
        .macro  AGAIN
        wr      %l0, %psr               ! PSR: condition codes
        nop                             ! three instructions until it holds
        nop
        nop
        jmp     %l1
         rett   %l2                     ! delay slot of jmp: how a trap ends
        .endm

/*
 * window_overflow: trap 05, a save found its window invalid.
 *
 * On entry:  in T = W, traps disabled; %l0 PSR, %l1 and %l2 pc and npc, %l3
 *            WIM; condition codes: equal if the trap is a user's.
 * Uses:      %l3 to %l6.
 * Leaves to: the save again, with its window valid.
 */
        CFI_TRAP
window_overflow:
        mov     %g1, %l4                ! only globals are the same registers
        mov     %g2, %l5                ! in the oldest window
        mov     %g3, %l6
        CFI_GLOBALS 1, 3
        mov     %l3, %g1
        WIM_DOWN %g1, %g2
        be      user_overflow
         save                           ! delay slot: to the oldest window,
                                        ! without a new frame
spill:  WINDOW_STORE %sp
        wr      %g1, %wim               ! WIM not before the save, which would
        nop                             ! have trapped. Three instructions
        nop                             ! until it holds
        nop
        restore
        mov     %l4, %g1
        mov     %l5, %g2
        mov     %l6, %g3
        AGAIN

user_overflow:
        CHECK_STACK %sp, STACK_WRITE_MASK, STACK_WRITE, 1f, %g2, %g3
        ba,a    spill
1:      wr      %g0, %wim               ! WIM: T is invalid, and a restore to
        nop                             ! it would trap. Three instructions
        nop                             ! until it holds
        nop
        restore
        wr      %l3, %wim               ! WIM: as it was. Three instructions
        mov     %l4, %g1                ! until it holds
        mov     %l5, %g2
        mov     %l6, %g3
        ba      trap_slow
         mov    TT_WINDOW_OVERFLOW, %l3 ! delay slot: the trap type for C

/*
 * window_underflow: trap 06, a restore found its window invalid.
 *
 * On entry:  in T, two windows below W, traps disabled; %l0 PSR, %l1 and %l2
 *            pc and npc, %l3 WIM; condition codes: equal if the trap is a
 *            user's.
 * Uses:      %l3 to %l7. The window between T and W must not change: the
 *            restore may have operands there.
 * Leaves to: the restore again, with its window loaded.
 */
        CFI_GLOBALS_LIVE
window_underflow:
        mov     %g1, %l4                ! as above
        mov     %g2, %l5
        mov     %g3, %l6
        CFI_GLOBALS 1, 3
        mov     %l3, %g1
        WIM_UP  %g1, %g2
        be      user_underflow
         restore                        ! delay slot: to the restore's window
refill: wr      %g1, %wim               ! WIM first: a restore into W would
        nop                             ! trap. Three instructions until it
        nop                             ! holds
        nop
        restore                         ! to the window to be loaded
        WINDOW_LOAD %sp
        save                            ! and back, without a new frame
        save
        mov     %l4, %g1
        mov     %l5, %g2
        mov     %l6, %g3
        AGAIN

user_underflow:
        CHECK_STACK %fp, STACK_READ_MASK, STACK_READ, 1f, %g2, %g3
        ba,a    refill
1:      save
        mov     %l4, %g1
        mov     %l5, %g2
        mov     %l6, %g3
        ba      trap_slow
         mov    TT_WINDOW_UNDERFLOW, %l3 ! delay slot: the trap type for C
        .cfi_endproc
