/*
 * Calls and answers: handlers, and SENDs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-send.h"

! Eight arguments for a thread of this node: struct record.
        START_HANDLER(rpc_start)

! Eight arguments, an address and a handler: sends their sum there.
        MM_HANDLER rpc_add, 0
        mov     MSGBODY, %g0            ! DestAddr is not used
        mov     MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        mov     MSGBODY, %l1
        mov     MSGBODY, %l2
        SEND(1, L1, L2)
        MM_NEXT
        MM_HANDLER_END rpc_add

! The sum, and when the call came, or nothing: struct answer.
        MM_HANDLER rpc_answer, 12
        TIME_HERE
        mov     MSGBODY, %l0
        mov     MSGBODY, %l1
        st      MSGBODY, [%l0 + 8]
        st      %g3, [%l0 + 4]
        st      %l1, [%l0]              ! the last one: node 0 looks at it
        MM_NEXT
        MM_HANDLER_END rpc_answer

! rpc_call_COUNT(dest, handler, answer, answer_dest, answer_handler): makes a
! message of so many words, 8 or 10, and sends it. Goes round in a loop until
! *answer is not 0. Returns when it began to make the message.
        .macro  RPC_CALL count
        .balign 32
        .global rpc_call_\count
        .type   rpc_call_\count, @function
rpc_call_\count:
        save    %sp, -FRAME, %sp
        mov     %i0, %o0
        mov     %i1, %o1
        mov     %i3, %i0
        mov     %i4, %i1
        TIME_NEXT
        ARGUMENTS(rpc_arguments)
        MORE_ARGUMENTS
        SEND(\count, O0, O1)
1:      ld      [%i2], %l0
        cmp     %l0, 0
        be      1b
         nop
        ret
         restore %g3, 0, %o0
        .size   rpc_call_\count, . - rpc_call_\count
        .endm

        .section .text
        RPC_CALL 8
        RPC_CALL 10

        .section .rodata
        .balign 8
        .global rpc_arguments
rpc_arguments:
        .word   3, 5, 7, 11
