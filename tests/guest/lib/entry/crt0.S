/*
 * The code of a node from reset to main().
 */
#include "psr.h"
#include "fugu-regs.h"

        .section .text
        .global start

/*
 * start: the first instructions of a node.
 *
 * On entry:  supervisor mode, MMU off, traps disabled, everything else as
 *            the reset leaves it; every node arrives here at cycle 0.
 * Uses:      everything.
 * Leaves to: main(), with traps enabled and all interrupts masked, then to
 *            the node's end with main's result as status.
 */
start:
        ! PSR: supervisor, window 0, no interrupt below 15, FPU on; traps
        ! stay off until there is a stack to take them on.
        wr      %g0, PSR_S | PSR_PIL | PSR_EF, %psr
        ! WIM: window 1 is invalid, so that a save from window 2 spills and
        ! a restore from window 0 refills.
        wr      %g0, 1 << 1, %wim
        wr      %g0, %tbr               ! the table begins at address 0
        nop
        nop
        nop

        ! The stack begins at the end of this node's RAM.
        set     FUGU_PARAM_BASE, %g1
        ld      [%g1 + FUGU_PARAM_RAM_SIZE], %g2
        set     FUGU_RAM_BASE, %g3
        add     %g3, %g2, %g2
        sub     %g2, FRAME_MIN, %sp
        mov     %g0, %fp                ! the outermost frame
        mov     %g0, %i7                ! has no caller

        ! Initial values of .data, from the image to the RAM.
        set     __data_load, %g1
        set     __data_start, %g2
        set     __data_end, %g3
        ba      2f
         cmp    %g2, %g3                ! delay slot: .data may be empty
1:      ldd     [%g1], %g4
        std     %g4, [%g2]
        add     %g1, 8, %g1
        add     %g2, 8, %g2
        cmp     %g2, %g3
2:      blu     1b
         nop                            ! delay slot: not filled, for clarity

        ! RAM is zero at reset, but a snapshot or a debugger may have restarted
        ! the node: clear .bss in any case.
        set     __bss_start, %g2
        set     __bss_end, %g3
        ba      4f
         cmp    %g2, %g3                ! delay slot: .bss may be empty
3:      std     %g0, [%g2]
        add     %g2, 8, %g2
        cmp     %g2, %g3
4:      blu     3b
         mov    %g0, %g1                ! delay slot: std stores %g1 too, so it
                                        ! must be 0

        ! PSR: traps on. PIL stays 15: main() decides which to take.
        wr      %g0, PSR_S | PSR_ET | PSR_PIL | PSR_EF, %psr
        nop                             ! three instructions until it holds
        nop
        nop
        call    main
         nop                            ! delay slot: main has no arguments

        ! This store ends the node. The branch back is never reached; it tells
        ! the reader that the code ends here.
        set     FUGU_CONTROL_BASE, %g1
5:      ba      5b
         st     %o0, [%g1 + FUGU_CONTROL_EXIT]
