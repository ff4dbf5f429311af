/*
 * Bad stack pointers, where windows go to the stack or come from it; and ends
 * of upcalls that are none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "operations.h"

        .section .text
        .global spill_at, refill_at, wait_with, flush_at, return_at
        .global return_with, return_deep, landing, window_spin

/*
 * spill_at(sp): saves until the caller's window would go to a bad stack.
 *
 * On entry:  a routine of C, which does not come back.
 * Uses:      everything.
 * Leaves to: nowhere.
 */
        .type   spill_at, #function
spill_at:
        mov     %sp, %g1
        mov     %o0, %sp                ! this window's frame is there now
1:      sub     %g1, 96, %g1
        save    %g1, 0, %sp             ! ends: spill
        ba      1b
         nop

/*
 * refill_at(sp): comes back to a frame on a bad stack.
 */
        .type   refill_at, #function
refill_at:
        ta      GLAZE_TRAP_FLUSH
        mov     %o0, %fp
        restore                         ! ends: refill
        ta      GLAZE_TRAP_BREAK

/*
 * flush_at(sp): all windows to the stack, with a bad one among them.
 */
        .type   flush_at, #function
flush_at:
        mov     %sp, %g1
        mov     %o0, %sp
        save    %g1, -96, %sp
        ta      GLAZE_TRAP_FLUSH        ! ends: flush
        ta      GLAZE_TRAP_BREAK

/*
 * wait_with(sp, count): count saves from an empty set of windows, the oldest
 * window's stack being bad; then sends the two words that have been described,
 * and waits for them.
 */
        .type   wait_with, #function
wait_with:
        ta      GLAZE_TRAP_FLUSH
        mov     %sp, %g1
        mov     %o1, %g2
        mov     %o0, %sp
1:      save    %g1, -96, %sp
        mov     %sp, %g1
        subcc   %g2, 1, %g2
        bne     1b
         nop
        LAUNCH(2, 0)
        .type   window_spin, #function
window_spin:                            ! with a branch, to be interrupted at
        ba      window_spin             ! ends: wait
         nop

/*
 * return_at(sp): the end of an upcall, with what it has interrupted on a bad
 * stack.
 */
        .type   return_at, #function
return_at:
        ta      GLAZE_TRAP_FLUSH
        mov     %o0, %fp
        set     landing, %l1
        add     %l1, 4, %l2
        ta      GLAZE_TRAP_RETURN       ! ends: return
        ta      GLAZE_TRAP_BREAK

/*
 * return_with(psr, pc, npc): the end of an upcall that there has not been.
 */
        .type   return_with, #function
return_with:
        save    %sp, -96, %sp
        mov     %i0, %l0
        mov     %i1, %l1
        mov     %i2, %l2
        ta      GLAZE_TRAP_RETURN
        ta      GLAZE_TRAP_BREAK

/* Here it may lead to: privileged, so still refused. */
        .type   landing, #function
landing:
        rd      %psr, %g1               ! ends: landing
        ta      GLAZE_TRAP_BREAK

/*
 * return_deep(saves): the same with that many saves from an empty set of
 * windows, so that the trap's own may be the invalid one; with dispose-pending
 * or atomicity-extend set as the caller likes.
 */
        .type   return_deep, #function
return_deep:
        ta      GLAZE_TRAP_FLUSH
        mov     %o0, %g2
        set     landing, %g1
1:      save    %sp, -96, %sp
        mov     %g1, %l1
        add     %g1, 4, %l2
        subcc   %g2, 1, %g2
        bne     1b
         mov    0, %l0
        ta      GLAZE_TRAP_RETURN       ! ends: return-deep
        ta      GLAZE_TRAP_BREAK

/*
 * prepared_trap(number): with words in all windows that would do harm if a
 * trap began with what it finds there: a PSR of the supervisor, the address of
 * a privileged instruction.
 */
        .global prepared_trap
        .type   prepared_trap, #function
prepared_trap:
        ta      GLAZE_TRAP_FLUSH
        mov     %o0, %g1
        set     landing, %g3
        mov     6, %g2
1:      save    %sp, -96, %sp
        mov     0xc0, %l0               ! S, PS; window 0
        mov     %g3, %l1
        add     %g3, 4, %l2
        mov     0xc0, %l3
        mov     0, %l4
        mov     0, %l5
        subcc   %g2, 1, %g2
        bne     1b
         nop
        .rept   6
        restore
        .endr
        ta      %g1                     ! ends: prepared
        ta      GLAZE_TRAP_BREAK
