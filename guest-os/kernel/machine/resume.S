/*
 * The way back from C to a user: loads registers and windows from the
 * process's page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "machine/process.h"
#include "machine/windows.h"

        .section .fast, "ax"
        .global registers_load

/*
 * registers_load(extended): resumes the current process, whose address space
 * is on. Clears the windows that the process does not use, because they hold
 * words of the kernel. `extended` says whether the process has just got the
 * processor, or is to have some time before the next chores.
 *
 * On entry:  called from C; it does not return. The page at GLAZE_PROCESS
 *            holds the user's registers. kernel_trap() and the upcalls made
 *            from C keep this true: PSR with S set, ET and PS clear; pc and
 *            npc aligned; one to seven windows.
 * Uses:      everything.
 * Leaves to: pc, in user mode.
 */
        CFI_TRAP
        CFI_SAVED
registers_load:
        mov     %o0, %g6                ! extended: a global, for all windows
        wr      %g0, PSR_S | PSR_PIL, %psr      ! PSR: window 0, and traps off
        wr      %g0, %wim               ! WIM: no restore traps from here on
        sethi   %hi(GLAZE_PROCESS), %g1 ! (three instructions until they hold)
        ld      [%g1 + P_WINDOWS], %g2
        add     %g1, P_WINDOW, %g3

        ! The current window goes to window 1, its callers to those above.
        mov     2, %g4                  ! bit of the first one
1:      restore
        WINDOW_LOAD %g3
        add     %g3, 64, %g3
        subcc   %g2, 1, %g2
        bne     1b
         sll    %g4, 1, %g4             ! delay slot: in the end, the bit of
                                        ! the window after the last one
        mov     %g4, %g5
3:      andcc   %g5, 1 << NWINDOWS, %g0
        bne     4f                      ! after window 7 comes window 0
         restore                        ! delay slot: the next one up
        WINDOW_CLEAR l
        WINDOW_CLEAR i
        ba      3b
         sll    %g5, 1, %g5             ! delay slot: bit of the next
4:      andcc   %g4, 1 << NWINDOWS, %g0
        bne,a   2f
         mov    1, %g4                  ! delay slot: from 7 it goes to 0

        ! Now in window 0, whose ins are the outs of 1.
2:      wr      %g4, %wim               ! WIM: the window after the last one
        mov     %g6, %l6
        ldd     [%g1 + P_OUT], %i0
        ldd     [%g1 + P_OUT + 8], %i2
        ldd     [%g1 + P_OUT + 16], %i4
        ldd     [%g1 + P_OUT + 24], %i6
        ldd     [%g1 + P_PSR], %l0      ! with pc
        ld      [%g1 + P_NPC], %l2
        andn    %l0, PSR_CWP, %l0
        ld      [%g1 + P_Y], %l3
        wr      %l3, %y
        ldd     [%g1 + P_G + 8], %g2
        ldd     [%g1 + P_G + 16], %g4
        ldd     [%g1 + P_G + 24], %g6
        tst     %l6
        bne     timer_later
         ld     [%g1 + P_G + 4], %g1    ! delay slot: the last one
        wr      %l0, %psr               ! PSR: the user's, in window 0. Three
        .irp    r, 3, 4, 5, 6, 7        ! instructions until it holds: the
        clr     %l\r                    ! user's are pc, npc and psr alone
        .endr
        jmp     %l1
         rett   %l2                     ! delay slot of jmp

/*
 * timer_later: the end of registers_load with `extended`.
 *
 * The cycle timer must not interrupt before the user's first instruction,
 * however long the way here took. Otherwise, with very short slots, no process
 * would make progress. So this code reads the clock last, and delays the timer
 * if its time has almost come. No instruction between that and the rett misses
 * the cache: loads have brought in the lines of these instructions (the lines
 * are adjacent, so none replaces another), and the code uses no other memory.
 *
 * On entry:  all registers but the PSR are loaded; %l0 PSR, %l1 and %l2 pc and
 *            npc.
 * Uses:      %l3 to %l7.
 */
#define TO_RETT         32      /* more than the cycles from 1: to the rett */
#define TIMER(name)     FUGU_TIMER_BASE - FUGU_NI_KERNEL_BASE + (name)
timer_later:
        set     1f, %l3
        ld      [%l3], %g0
        ld      [%l3 + 16], %g0
        ld      [%l3 + 32], %g0
        ld      [%l3 + 48], %g0
        sethi   %hi(FUGU_NI_KERNEL_BASE), %l3
        ba      1f
         nop                            ! delay slot: the code is aligned
        .balign 16                      ! a line of the cache
1:      ldd     [%l3 + TIMER(FUGU_TIMER_NOW)], %l4
        addcc   %l5, TO_RETT, %l5
        addx    %l4, 0, %l4
        ldd     [%l3 + TIMER(FUGU_TIMER_COMPARE)], %l6
        subcc   %l7, %l5, %g0
        subxcc  %l6, %l4, %g0
        bcc     2f                      ! the timer is late enough
         clr    %l7                     ! delay slot: as above
        std     %l4, [%l3 + TIMER(FUGU_TIMER_COMPARE)]
2:      wr      %l0, %psr               ! PSR: as above
        .irp    r, 3, 4, 5, 6
        clr     %l\r
        .endr
        jmp     %l1
         rett   %l2                     ! delay slot of jmp
3:      .if     3b - 1b > 64
        .error  "the end of timer_later has more lines than were brought in"
        .endif
        .cfi_endproc
