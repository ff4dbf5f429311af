/*
 * What a system call leaves in windows that are free.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "look.h"

        .section .text
        .global windows_behind

/*
 * windows_behind(number, argument, argument, words): makes this system call
 * with all other windows on the stack. Then it stores the locals and outs of
 * the six free windows, 16 words each. Its saves do not trap, since a trap
 * would leave words too.
 */
windows_behind:
        save    %sp, -96, %sp
        mov     %i0, %g1
        mov     %i1, %o0
        mov     %i2, %o1
        ta      GLAZE_TRAP_FLUSH
        ta      GLAZE_TRAP_CALL
        mov     %i3, %g1
        mov     6, %g2
1:      save    %sp, -96, %sp
        LOOK    %g1, %o6
        subcc   %g2, 1, %g2
        bne     1b
         add    %g1, 64, %g1            ! delay slot: the next window's words
        mov     6, %g2
2:      subcc   %g2, 1, %g2
        bne     2b
         restore                        ! delay slot: back through the windows
        ret
         restore
