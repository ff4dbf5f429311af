/*
 * Eight calls to eight nodes: the handler, and the SENDs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-send.h"

! Eight arguments for a thread of this node: struct record.
        START_HANDLER(distribute_start)

! distribute_send(dest, step, handler): sends eight messages, to DestAddrs that
! differ by `step`. Returns when it began to make the first one.
        .section .text
        .balign 32
        .global distribute_send
        .type   distribute_send, @function
distribute_send:
        save    %sp, -FRAME, %sp
        mov     %i0, %o0
        mov     %i2, %o1
        TIME_NEXT
        ARGUMENTS(distribute_arguments)
        MORE_ARGUMENTS
        SEND(8, O0, O1)
        .rept   7
        add     %o0, %i1, %o0
        MORE_ARGUMENTS
        SEND(8, O0, O1)
        .endr
        ret
         restore %g3, 0, %o0
        .size   distribute_send, . - distribute_send

        .section .rodata
        .balign 8
        .global distribute_arguments
distribute_arguments:
        .word   3, 5, 7, 11
