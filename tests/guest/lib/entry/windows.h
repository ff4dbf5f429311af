/*
 * Spilling and refilling a register window. These are macros, since a call
 * would overwrite an out register, which may be another window's in register.
 */
#ifndef GUEST_WINDOWS_H
#define GUEST_WINDOWS_H

#include "psr.h"

/* A window is saved at the stack pointer of its frame, locals first. */
        .macro  WINDOW_STORE
        std     %l0, [%sp + 0]
        std     %l2, [%sp + 8]
        std     %l4, [%sp + 16]
        std     %l6, [%sp + 24]
        std     %i0, [%sp + 32]
        std     %i2, [%sp + 40]
        std     %i4, [%sp + 48]
        std     %i6, [%sp + 56]
        .endm

        .macro  WINDOW_LOAD
        ldd     [%sp + 0], %l0
        ldd     [%sp + 8], %l2
        ldd     [%sp + 16], %l4
        ldd     [%sp + 24], %l6
        ldd     [%sp + 32], %i0
        ldd     [%sp + 40], %i2
        ldd     [%sp + 48], %i4
        ldd     [%sp + 56], %i6
        .endm

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
        srl     %g1, 1, %l5             ! the invalid window moves down by
        sll     %g1, NWINDOWS - 1, %g1  ! one: rotate right
        or      %g1, %l5, %g1
        and     %g1, (1 << NWINDOWS) - 1, %g1
        save                            ! the oldest window, with no frame made
        WINDOW_STORE
        wr      %g1, %wim               ! WIM now: before the save it would
        nop                             ! have trapped. Three instructions
        nop                             ! until it holds
        nop
        restore
        mov     %l4, %g1
        .endm

/*
 * WIM_UP: moves the invalid window up by one. The caller is about to load the
 * window that was invalid.
 *
 * On entry:  traps disabled.
 * Uses:      %l4, %l5.
 */
        .macro  WIM_UP
        rd      %wim, %l4
        sll     %l4, 1, %l5             ! rotate left
        srl     %l4, NWINDOWS - 1, %l4
        or      %l4, %l5, %l4
        and     %l4, (1 << NWINDOWS) - 1, %l4
        wr      %l4, %wim               ! WIM now: a restore into the window
        nop                             ! would trap. Three instructions
        nop                             ! until it holds
        nop
        .endm

#endif
