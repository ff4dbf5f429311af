/*
 * A handler that takes as many cycles as its message says.
 */
#include "slots.h"

        .section .text
        .balign 32

! Where a slot begins.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! The body is a number: goes so many times round in a loop.
        .balign 32
        .global looping_handler
looping_handler:
        mov     MSGBODY, %g0            ! DestAddr
        mov     MSGBODY, %l0
1:      subcc   %l0, 1, %l0
        bne     1b
         nop
        NEXT_MESSAGE

! On entry: %o0 DestAddr, %o1 HandlerIP, %o2 the word of the body.
        .global send_one
send_one:
        save    %sp, -96, %sp
        mov     %i0, %o0
        mov     %i1, %o1
        mov     %i2, %l0
        SEND(1, O0, O1, 0)
        ret
         restore
