/*
 * Handlers and loops whose number of cycles is known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "operations.h"

#define CYCLES (FUGU_NI_USER_DISP + FUGU_U_CYCLES)

        .section .text
        .global null_handler, longest_gap

/* null_handler: that of table 4, which takes 3 cycles. */
null_handler:
        retl
         DISPOSE                        ! delay slot: drop the message

/*
 * longest_gap(turns): the longest time between two readings of the clock.
 *
 * On entry:  leaf routine.
 * Uses:      %o0 to %o5. A turn takes 10 cycles if nothing interrupts it.
 * Leaves to: its caller, with the cycles in %o0.
 */
        .align  16
longest_gap:
        mov     0, %o1
        ldd     [%g0 + CYCLES], %o2
        mov     %o3, %o4
1:      ldd     [%g0 + CYCLES], %o2             ! 3
        sub     %o3, %o4, %o5                   ! 1
        cmp     %o5, %o1                        ! 1
        bgu,a   2f                              ! 1
         mov    %o5, %o1                        ! 1, executed or annulled
2:      subcc   %o0, 1, %o0                     ! 1
        bne     1b                              ! 1
         mov    %o3, %o4                        ! 1, delay slot
        retl
         mov    %o1, %o0                        ! delay slot: the result
