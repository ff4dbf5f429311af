/*
 * Register windows: spilled to and refilled from the stack.
 *
 * One window is always invalid (its bit in the WIM is set): it is the one
 * that a trap uses.
 */
#include "windows.h"

        .section .text
        .global window_overflow, window_underflow

/*
 * window_overflow: trap 05, a save found its window invalid.
 *
 * On entry:  in the invalid window, traps disabled, %l1 and %l2 pc and npc.
 * Uses:      %l4, %l5 of the trap window.
 * Leaves to: the save, which is tried again with its window valid.
 */
window_overflow:
        WINDOW_SPILL
        jmp     %l1                     ! to the save itself,
         rett   %l2                     ! which has not been executed

/*
 * window_underflow: trap 06, a restore found its window invalid.
 *
 * On entry:  two windows below the invalid one, traps disabled, %l1 and %l2
 *            pc and npc.
 * Uses:      %l4, %l5 of the trap window. The window between must not
 *            change: the restore may have operands there.
 * Leaves to: the restore, which is tried again with its window loaded.
 */
window_underflow:
        WINDOW_UP
        restore                         ! to the restore's window,
        restore                         ! to the one that it wants
        WINDOW_LOAD %sp
        save                            ! and back, with no frame made
        save
        jmp     %l1                     ! to the restore itself,
         rett   %l2                     ! which has not been executed
