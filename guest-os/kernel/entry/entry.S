/*
 * The way into C: all registers and windows of the user go to the process's
 * page.
 *
 * So the kernel's C code starts with all windows free, on the kernel's stack,
 * and a window trap of the kernel uses no user's stack. C changes the user's
 * registers in memory (for an upcall) or changes the process. resume.S loads
 * the registers again. The kernel runs with interrupts masked and is never
 * entered twice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "machine/windows.h"
#include "machine/process.h"

        .section .text
        .global trap_slow, trap_timed

/*
 * trap_timed: as trap_slow. Notes the time before, for debts_arrive().
 *
 * trap_slow: goes to C with any trap from user mode. (A trap from the kernel
 * is a bug, which C reports.)
 *
 * On entry:  in T, which may be invalid, traps disabled; %l0 PSR, %l1 and %l2
 *            pc and npc, %l3 the trap type.
 * Uses:      everything.
 * Leaves to: kernel_trap(), on the kernel's stack, with the user's registers
 *            and windows in the page at GLAZE_PROCESS.
 */
        CFI_TRAP
trap_timed:
        set     FUGU_TIMER_BASE + FUGU_TIMER_NOW, %l4
        ldd     [%l4], %l4
        sethi   %hi(debts_trapped), %l6
        st      %l5, [%l6 + %lo(debts_trapped)]
trap_slow:
        sethi   %hi(GLAZE_PROCESS), %l4
        std     %l0, [%l4 + P_PSR]      ! with pc
        std     %l2, [%l4 + P_NPC]      ! with the trap type
        rd      %y, %l5
        st      %l5, [%l4 + P_Y]
        st      %g1, [%l4 + P_G + 4]
        std     %g2, [%l4 + P_G + 8]
        std     %g4, [%l4 + P_G + 16]
        std     %g6, [%l4 + P_G + 24]
        .irp    n, 1, 2, 3, 4, 5, 6, 7
        CFI_AT  \n, (GLAZE_PROCESS + P_G + 4 * \n)
        .endr
        std     %i0, [%l4 + P_OUT]      ! the outs of the window above
        std     %i2, [%l4 + P_OUT + 8]
        std     %i4, [%l4 + P_OUT + 16]
        std     %i6, [%l4 + P_OUT + 24]

        ! The windows, from the one above T up to W, which is invalid.
        add     %l4, P_WINDOW, %g1      ! where the next one goes
        mov     0, %g2                  ! number of windows
        rd      %wim, %g3
        mov     1, %g4
        sll     %g4, %l0, %g4           ! bit of T: the shift takes CWP alone
        mov     %l4, %g5
        wr      %g0, %wim               ! WIM: no restore traps from here on
        nop                             ! three instructions until it holds
        nop
        nop
1:      sll     %g4, 1, %g4             ! bit of the window above
        andcc   %g4, 1 << NWINDOWS, %g0
        bne,a   2f
         mov    1, %g4                  ! delay slot: from 7 it goes to 0
2:      cmp     %g4, %g3
        be      3f
         restore                        ! delay slot: to that window
        WINDOW_STORE %g1
        add     %g1, 64, %g1
        ba      1b
         inc    %g2                     ! delay slot: counted

        ! Now in W. W becomes the kernel's first window, and the window above W
        ! the invalid one.
3:      st      %g2, [%g5 + P_WINDOWS]
        CFI_SAVED
        WIM_UP  %g3, %g4
        wr      %g3, %wim               ! WIM: as above
        rd      %psr, %g1
        or      %g1, PSR_PIL, %g1
        set     PSR_EF, %g2
        andn    %g1, %g2, %g1
        wr      %g1, %psr               ! PSR: interrupts masked, FPU off
        nop                             ! three instructions until it holds
        nop
        nop
        wr      %g1, PSR_ET, %psr       ! PSR: traps on (wr is xor, and ET is
        nop                             ! 0): C needs its windows
        nop
        nop
        set     kernel_stack_top - FRAME_MIN, %sp
        mov     %g0, %fp                ! the outermost frame
        call    kernel_trap
         mov    %g0, %i7                ! delay slot: has no caller
        unimp   0                       ! kernel_trap() does not return
        .cfi_endproc

/* The kernel's stack. One is enough: the kernel is never entered twice. */
        .section .bss.stack, "aw", @nobits
        .align  16
        .global kernel_stack_top
kernel_stack:
        .skip   16384
kernel_stack_top:
