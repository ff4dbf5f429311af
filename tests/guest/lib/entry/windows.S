/*
 * Register windows: spilled to the stack and refilled from it.
 *
 * One window is always invalid (its bit in the WIM is set): traps use it.
 */
#include "windows.h"

        .section .text
        .global window_overflow, window_underflow

/*
 * window_overflow: trap 05, a save into an invalid window.
 *
 * On entry:  in the invalid window, traps disabled, %l1 and %l2 pc and npc.
 * Uses:      %l4, %l5 of the trap window.
 * Leaves to: the save, which is executed again with its window valid.
 */
window_overflow:
        WINDOW_SPILL
        jmp     %l1                     ! return to the save, which has not been
         rett   %l2                     ! executed

/*
 * window_underflow: trap 06, a restore into an invalid window.
 *
 * On entry:  two windows below the invalid one, traps disabled, %l1 and %l2
 *            pc and npc.
 * Uses:      %l4, %l5 of the trap window. The window in between must not
 *            change: the restore may have operands there.
 * Leaves to: the restore, which is executed again with its window loaded.
 */
window_underflow:
        WINDOW_UP
        restore                         ! to the window of the restore, then to
        restore                         ! the one it enters
        WINDOW_LOAD %sp
        save                            ! and back, with no frame made
        save
        jmp     %l1                     ! return to the restore, which has not
         rett   %l2                     ! been executed
