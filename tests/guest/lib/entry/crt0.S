/*
 * The code of a node from reset to main().
 */
#include "psr.h"
#include "fugu-regs.h"
#include "reset.h"

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
        RESET_PROCESSOR PSR_EF          ! with the FPU on

        ! The stack begins at the end of this node's RAM.
        set     FUGU_PARAM_BASE, %g1
        ld      [%g1 + FUGU_PARAM_RAM_SIZE], %g2
        set     FUGU_RAM_BASE, %g3
        add     %g3, %g2, %g2
        sub     %g2, FRAME_MIN, %sp
        mov     %g0, %fp                ! the outermost frame
        mov     %g0, %i7                ! has no caller
        RESET_DATA

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

        RESET_MAIN main, PSR_EF         ! PIL stays 15: main() decides which
                                        ! interrupts to take

        ! This store ends the node. The branch back is never reached; it tells
        ! the reader that the code ends here.
        set     FUGU_CONTROL_BASE, %g1
5:      ba      5b
         st     %o0, [%g1 + FUGU_CONTROL_EXIT]
