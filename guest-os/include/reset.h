/*
 * The first instructions of a node: macros for assembly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RESET_H
#define RESET_H

#include "sparcle.h"

/*
 * RESET_PROCESSOR: the processor's state until there is a stack.
 *
 * On entry:  supervisor mode, traps disabled, everything else as the reset
 *            leaves it.
 * Leaves:    window 0, PSR_S, all interrupts masked, the bits `more` of the PSR;
 *            window 1 invalid, so that a save from window 2 spills and a restore
 *            from window 0 refills; the trap table at address 0.
 */
        .macro  RESET_PROCESSOR more=0
        wr      %g0, PSR_S | PSR_PIL | \more, %psr      ! PSR: traps stay off
        wr      %g0, 1 << 1, %wim       ! WIM: window 1
        wr      %g0, %tbr               ! TBR: where a node starts
        nop                             ! three instructions until PSR, WIM
        nop                             ! and TBR can be relied upon
        nop
        .endm

/*
 * RESET_DATA: copies the initial values of .data from the image to the RAM.
 *
 * Uses:      %g1 to %g5.
 */
        .macro  RESET_DATA
        set     __data_load, %g1
        set     __data_start, %g2
        set     __data_end, %g3
        ba      2f
         cmp    %g2, %g3                ! delay slot: there may be no data
1:      ldd     [%g1], %g4
        std     %g4, [%g2]
        add     %g1, 8, %g1
        add     %g2, 8, %g2
        cmp     %g2, %g3
2:      blu     1b
         nop                            ! delay slot: keeps the loop legible
        .endm

/*
 * RESET_MAIN: enables traps, with all interrupts still masked, and calls
 * `main`, a C function without arguments.
 *
 * On entry:  %sp set, %fp and %i7 0.
 */
        .macro  RESET_MAIN main, more=0
        wr      %g0, PSR_S | PSR_ET | PSR_PIL | \more, %psr     ! PSR: traps on
        nop                             ! three instructions until it holds
        nop
        nop
        call    \main
         nop                            ! delay slot: nothing to pass
        .endm

#endif /* RESET_H */
