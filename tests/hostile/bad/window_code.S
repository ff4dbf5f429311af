/*
 * Bad stack pointers when windows are spilled to the stack or refilled from
 * it, and returns from upcalls that never happened.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "operations.h"

        .section .text
        .global spill_at, refill_at, wait_with, flush_at, return_at
        .global return_with, return_deep, landing, window_spin

/*
 * spill_at(sp): saves until the caller's window is spilled to a bad stack.
 *
 * On entry:  called from C; it does not return.
 * Uses:      everything.
 * Leaves to: nowhere.
 */
        .type   spill_at, #function
spill_at:
        mov     %sp, %g1
        mov     %o0, %sp                ! this window's save area is there
1:      sub     %g1, 96, %g1
        save    %g1, 0, %sp             ! ends: spill
        ba      1b
         nop

/*
 * refill_at(sp): returns to a frame on a bad stack.
 */
        .type   refill_at, #function
refill_at:
        ta      GLAZE_TRAP_FLUSH
        mov     %o0, %fp
        restore                         ! ends: refill
        ta      GLAZE_TRAP_BREAK

/*
 * flush_at(sp): flushes all windows to the stack; one of them has a bad stack
 * pointer.
 */
        .type   flush_at, #function
flush_at:
        mov     %sp, %g1
        mov     %o0, %sp
        save    %g1, -96, %sp
        ta      GLAZE_TRAP_FLUSH        ! ends: flush
        ta      GLAZE_TRAP_BREAK

/*
 * wait_with(sp, count): makes `count` saves when no other window is in use;
 * the oldest window has a bad stack pointer. Then it sends the two words that
 * are described, and waits for the message.
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
window_spin:                            ! a branch: it can be interrupted here
        ba      window_spin             ! ends: wait
         nop

/*
 * return_at(sp): returns from an upcall to code whose window is on a bad
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
 * return_with(psr, pc, npc): returns from an upcall that never happened.
 */
        .type   return_with, #function
return_with:
        save    %sp, -96, %sp
        mov     %i0, %l0
        mov     %i1, %l1
        mov     %i2, %l2
        ta      GLAZE_TRAP_RETURN
        ta      GLAZE_TRAP_BREAK

/* The target of the returns here. The instruction is privileged, so it still
 * traps. */
        .type   landing, #function
landing:
        rd      %psr, %g1               ! ends: landing
        ta      GLAZE_TRAP_BREAK

/*
 * return_deep(saves): returns from an upcall that never happened, after this
 * many saves with no other window in use. So the trap's window may be the
 * invalid one. The caller has set dispose-pending or atomicity-extend.
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
 * prepared_trap(number): takes a trap with words in all windows that would do
 * harm if the trap used what it finds there: a supervisor PSR, and the address
 * of a privileged instruction.
 */
        .global prepared_trap
        .type   prepared_trap, #function
prepared_trap:
        ta      GLAZE_TRAP_FLUSH
        mov     %o0, %g1
        set     landing, %g3
        mov     6, %g2
1:      save    %sp, -96, %sp
        mov     0xc0, %l0               ! S and PS set, window 0
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
