/*
 * Spilling and refilling a register window, with the macros of window.h. These
 * are macros too, since a call would overwrite an out register, which may be
 * another window's in register.
 */
#ifndef GUEST_WINDOWS_H
#define GUEST_WINDOWS_H

#include "psr.h"
#include "window.h"

/*
 * WINDOW_SPILL: makes the invalid window valid by storing the oldest one.
 *
 * On entry:  in the invalid window, traps disabled.
 * Uses:      %l4, %l5 of that window.
 * Leaves:    the window below is the invalid one.
 */
        .macro  WINDOW_SPILL
        mov     %g1, %l4                ! the one register that save keeps
        rd      %wim, %g1
        WIM_DOWN %g1, %l5
        save                            ! the oldest window, with no frame made
        WINDOW_STORE %sp
        wr      %g1, %wim               ! WIM now: before the save it would
        nop                             ! have trapped. Three instructions
        nop                             ! until it holds
        nop
        restore
        mov     %l4, %g1
        .endm

/*
 * WINDOW_UP: moves the invalid window up by one. The caller is about to load
 * the window that was invalid.
 *
 * On entry:  traps disabled.
 * Uses:      %l4, %l5.
 */
        .macro  WINDOW_UP
        rd      %wim, %l4
        WIM_UP  %l4, %l5
        wr      %l4, %wim               ! WIM now: a restore into the window
        nop                             ! would trap. Three instructions
        nop                             ! until it holds
        nop
        .endm

#endif
