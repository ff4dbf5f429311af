/*
 * The handler of letters: struct letter of inbox.h, from DestAddr on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-handler.h"

! Words: source, identity, count, and the second and first one of a value, or none. They
! are stored in an order that the thread counts on: the count last.
        MM_HANDLER collective_letter, 20
        mov     MSGBODY, %l0            ! DestAddr
        mov     MSGBODY, %l1
        mov     MSGBODY, %l2
        mov     MSGBODY, %l3
        st      MSGBODY, [%l0 + 4]
        st      MSGBODY, [%l0]
        st      %l1, [%l0 + 8]
        st      %l2, [%l0 + 12]
        st      %l3, [%l0 + 16]
        MM_NEXT
        MM_HANDLER_END collective_letter
