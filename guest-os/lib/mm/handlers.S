/*
 * Handlers of the M-Machine's messages that programs can name: mm.h says what they do.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-handler.h"
#include "fugu-regs.h"

/* SEND of the word in %l0 to the address in %l1, for the handler in %l2. */
#define SEND_REPLY      .word FUGU_INSN(FUGU_OPC_SEND(0), 1, 17, 18)

        MM_HANDLER mm_null, 0
        MM_NEXT
        MM_HANDLER_END mm_null

        MM_HANDLER mm_store, 4
        mov     MSGBODY, %l0            ! DestAddr
        st      MSGBODY, [%l0]
        MM_NEXT
        MM_HANDLER_END mm_store

        MM_HANDLER mm_store8, 32
        mov     MSGBODY, %l0
        st      MSGBODY, [%l0]
        st      MSGBODY, [%l0 + 4]
        st      MSGBODY, [%l0 + 8]
        st      MSGBODY, [%l0 + 12]
        st      MSGBODY, [%l0 + 16]
        st      MSGBODY, [%l0 + 20]
        st      MSGBODY, [%l0 + 24]
        st      MSGBODY, [%l0 + 28]
        MM_NEXT
        MM_HANDLER_END mm_store8

        MM_HANDLER mm_reply, 0
        mov     MSGBODY, %l0            ! DestAddr is not used
        mov     MSGBODY, %l1
        mov     MSGBODY, %l2
        mov     MSGBODY, %l0
        SEND_REPLY
        MM_NEXT
        MM_HANDLER_END mm_reply

        MM_HANDLER mm_add, 4
        mov     MSGBODY, %l3
        ld      [%l3], %l0
        add     %l0, MSGBODY, %l4
        st      %l4, [%l3]
        mov     MSGBODY, %l1
        mov     MSGBODY, %l2
        SEND_REPLY
        MM_NEXT
        MM_HANDLER_END mm_add
