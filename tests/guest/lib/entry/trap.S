/*
 * Entry to C handlers and return from them; entry to code under guard and
 * return from it.
 */
#include "windows.h"
#include "trap.h"

        .section .text
        .global trap_entry, run_enter, run_exit

/*
 * trap_entry: any trap or interrupt except window overflow and underflow.
 *
 * On entry:  in the trap window (possibly the invalid one), traps disabled;
 *            %l0 PSR, %l1 pc, %l2 npc, %l3 trap type.
 * Uses:      the trap window; a struct trap and a frame on the stack of the
 *            interrupted code.
 * Leaves to: trap_dispatch(struct trap *), then to the pc and npc that the
 *            handler left in the structure.
 */
trap_entry:
        ! Code in the trap window will make calls, so it must not be the invalid
        ! one.
        rd      %wim, %l4
        srl     %l4, %l0, %l4           ! shift by CWP: srl uses five bits
        cmp     %l4, 1
        bne     1f
         sub    %fp, TRAP_SIZE + FRAME_MIN, %l7 ! delay slot: %fp is the
                                                ! interrupted %sp
        WINDOW_SPILL
1:      mov     %l7, %sp                ! only now: before the spill, our outs
                                        ! were the oldest window's ins
        add     %sp, FRAME_MIN, %l7
        st      %l0, [%l7 + TRAP_PSR]
        st      %l1, [%l7 + TRAP_PC]
        st      %l2, [%l7 + TRAP_NPC]
        rd      %y, %l4
        st      %l4, [%l7 + TRAP_Y]
        st      %l3, [%l7 + TRAP_TYPE]
        st      %g1, [%l7 + TRAP_G1]
        std     %g2, [%l7 + TRAP_G2]
        std     %g4, [%l7 + TRAP_G4]
        std     %g6, [%l7 + TRAP_G6]
        std     %i0, [%l7 + TRAP_I0]
        std     %i2, [%l7 + TRAP_I0 + 8]
        std     %i4, [%l7 + TRAP_I0 + 16]
        std     %i6, [%l7 + TRAP_I0 + 24]

        or      %l0, PSR_PIL, %l4
        wr      %l4, %psr               ! PSR: mask interrupts first,
        wr      %l4, PSR_ET, %psr       ! PSR: then enable traps (wr is xor,
        nop                             ! and ET is 0): C needs its windows
        nop
        nop
        call    trap_dispatch
         mov    %l7, %o0                ! delay slot: the argument

        rd      %psr, %l4
        wr      %l4, PSR_ET, %psr       ! PSR: traps off (wr is xor, ET was
        nop                             ! 1): rett requires it, and no trap
        nop                             ! may use this window any more
        nop
        ld      [%l7 + TRAP_PSR], %l0
        ld      [%l7 + TRAP_Y], %l4
        wr      %l4, %y
        ld      [%l7 + TRAP_PC], %l1
        ld      [%l7 + TRAP_NPC], %l2
        ld      [%l7 + TRAP_G1], %g1
        ldd     [%l7 + TRAP_G2], %g2
        ldd     [%l7 + TRAP_G4], %g4
        ldd     [%l7 + TRAP_G6], %g6
        ldd     [%l7 + TRAP_I0], %i0
        ldd     [%l7 + TRAP_I0 + 8], %i2
        ldd     [%l7 + TRAP_I0 + 16], %i4
        ldd     [%l7 + TRAP_I0 + 24], %i6

        ! rett must find its window valid. The C handler's calls may have
        ! made it the invalid one.
        add     %l0, 1, %l4
        and     %l4, NWINDOWS - 1, %l4  ! the window above the trap's
        rd      %wim, %l5
        srl     %l5, %l4, %l5
        andcc   %l5, 1, %g0
        be      2f
         nop                            ! delay slot: not filled
        WINDOW_UP
        restore
        WINDOW_LOAD %sp
        save                            ! return to this window; no frame is
                                        ! made
2:      wr      %l0, %psr               ! PSR: condition codes, PIL and mode of
        nop                             ! the interrupted code; CWP is the
        nop                             ! current window's
        nop
        jmp     %l1                     ! to pc,
         rett   %l2                     ! then npc; traps enabled again

/*
 * run_enter(fn, arg, psr, context): calls fn for run_as().
 *
 * On entry:  called from C. psr: PS and PIL for fn. context: two words for
 *            run_exit.
 * Uses:      one more window; all others are stored on the stack.
 * Leaves to: fn(arg), with run_return as its return address. The call
 *            itself returns through run_exit.
 */
run_enter:
        save    %sp, -FRAME_MIN, %sp

        ! After this many saves no other window is valid: all are on the stack.
        .rept   NWINDOWS - 2
        save    %sp, -FRAME_MIN, %sp
        .endr
        .rept   NWINDOWS - 2
        restore
        .endr
        WINDOW_STORE %sp                ! store this window too
        rd      %psr, %l0
        st      %sp, [%i3]
        st      %l0, [%i3 + 4]

        mov     %i1, %o0                ! fn's argument; what the next window
        mov     %i0, %o1                ! needs is in our outs, which are its
        mov     %i2, %o2                ! ins
        set     run_return - 8, %o7
        wr      %l0, PSR_ET, %psr       ! PSR: traps off (wr is xor, ET was
        nop                             ! 1), as rett requires
        nop
        nop
        save                            ! the window that rett leaves
        rd      %psr, %l0
        andn    %l0, PSR_PS | PSR_PIL, %l0
        wr      %l0, %i2, %psr          ! PSR: the mode and level for fn (xor
        nop                             ! sets the bits, which are clear)
        nop
        nop
        jmp     %i1                     ! to fn,
         rett   %i1 + 4                 ! then to fn + 4, in the mode of PS

/* run_return: fn returns here, in its mode, with its result in %o0. */
run_return:
        ta      TRAP_LEAVE
         nop

/*
 * run_exit(context): makes run_enter's call return.
 *
 * On entry:  called from a C handler, traps enabled, interrupts masked.
 * Uses:      everything; the state of the code under guard is lost.
 * Leaves to: run_enter's caller.
 */
run_exit:
        ld      [%o0], %g1              ! run_enter's %sp
        ld      [%o0 + 4], %g2          ! and PSR
        rd      %psr, %g3
        wr      %g3, PSR_ET, %psr       ! PSR: traps off (wr is xor, ET was 1)
        nop                             ! while WIM and CWP do not match
        nop
        nop
        add     %g2, 1, %g3
        and     %g3, NWINDOWS - 1, %g3
        mov     1, %g4
        sll     %g4, %g3, %g4
        wr      %g4, %wim               ! WIM: the window above run_enter's is
                                        ! invalid, since it is on the stack
        wr      %g2, PSR_ET, %psr       ! PSR: run_enter's window, traps off
        nop                             ! (wr is xor, ET is 1 there)
        nop
        nop
        mov     %g1, %sp
        WINDOW_LOAD %sp
        wr      %g2, %psr               ! PSR: traps on, PIL as it was
        nop
        nop
        nop
        ret
         restore                        ! delay slot: to the caller's window,
                                        ! loaded by an underflow
