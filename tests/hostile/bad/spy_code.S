/*
 * Fills registers with secrets, for victim, and reads the registers that
 * another process may have left, for bad's case spy.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "../look.h"

        .section .text
        .global secret_windows, secret_floats, look_at_windows, look_at_floats

/*
 * secret_windows(depth, secret, turns): fills `depth` windows with the secret,
 * and keeps them so for this many turns of a loop.
 */
secret_windows:
        save    %sp, -96, %sp
        mov     %i1, %l0
        mov     %i1, %l1
        mov     %i1, %l2
        mov     %i1, %l3
        mov     %i1, %l4
        mov     %i1, %l5
        mov     %i1, %l6
        mov     %i1, %l7
        mov     %i1, %o1
        mov     %i2, %o2
        mov     %i1, %o3
        mov     %i1, %o4
        mov     %i1, %o5
        subcc   %i0, 1, %o0
        be      1f
         wr     %i1, 0, %y
        call    secret_windows
         nop
        ret
         restore
1:      subcc   %i2, 1, %i2
        bne     1b
         nop
        ret
         restore

/* secret_floats(words): loads all registers of the FPU from 32 words. */
secret_floats:
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        ldd     [%o0 + 4 * \r], %f\r
        .endr
        retl
         nop

/*
 * look_at_windows(words): stores the locals and outs of eight windows, each as
 * a save finds it, 16 words per window. The process's windows are spilled on
 * the way, and refilled later.
 *
 * %o6 is always stored as 0: it is the process's stack pointer, which
 * interrupts need.
 */
look_at_windows:
        mov     %o0, %g1
        add     %o0, 8 * 64, %g2
1:      save    %sp, -96, %sp
        LOOK    %g1, %g0
        add     %g1, 64, %g1
        cmp     %g1, %g2
        bne     1b
         nop
        mov     8, %g1
2:      subcc   %g1, 1, %g1
        bne     2b
         restore
        retl
         nop

/*
 * look_at_floats(words): stores the 32 registers of the FPU although the
 * kernel has not enabled it: the return from an upcall that never happened
 * sets EF.
 */
look_at_floats:
        save    %sp, -96, %sp
        save    %sp, -96, %sp
        set     0x1000, %l0             ! EF: enable the FPU
        set     1f, %l1
        add     %l1, 4, %l2
        ta      GLAZE_TRAP_RETURN
        ta      GLAZE_TRAP_BREAK
1:
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        std     %f\r, [%i0 + 4 * \r]
        .endr
        ret
         restore
