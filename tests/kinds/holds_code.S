/*
 * A trusted handler that loads a word of each of many pages, from DestAddr on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-handler.h"

        MM_HANDLER load_pages, 0
        mov     MSGBODY, %l0
        sethi   %hi(4096), %l1
        mov     140, %l2
1:      ld      [%l0], %l3
        subcc   %l2, 1, %l2
        bne     1b
         add    %l0, %l1, %l0
        MM_NEXT
        MM_HANDLER_END load_pages
