/*
 * From reset to kernel_main().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "reset.h"

        .section .text
        .global start

/*
 * start: the first instructions of a node.
 *
 * On entry:  supervisor mode, MMU off, traps disabled, everything else as
 *            the reset leaves it; every node arrives here at cycle 0.
 * Uses:      everything.
 * Leaves to: kernel_main(), with traps enabled and all interrupts masked.
 */
        CFI_OUTERMOST
start:
        RESET_PROCESSOR
        set     kernel_stack_top - FRAME_MIN, %sp
        mov     %g0, %fp                ! the outermost frame
        mov     %g0, %i7                ! has no caller
        RESET_DATA
        ! .bss is part of RAM, which starts as zeros (docs/machine.md).
        RESET_MAIN kernel_main          ! PIL stays 15: the kernel polls
        unimp   0                       ! it does not return
        .cfi_endproc
