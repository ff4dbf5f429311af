/*
 * Requests, and the replies that their handlers send, of ten words and nine.
 */
#include "slots.h"

        .section .text
        .balign 32

! Where a slot begins.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Sends the words behind the first back to the address that is the first. HandlerIP of
! the reply is 1.
        .balign 32
        .global request_handler
request_handler:
        mov     1, %g1
        mov     MSGBODY, %g0            ! DestAddr
        mov     MSGBODY, %g2
        mov     MSGBODY, %l0
        mov     MSGBODY, %l1
        mov     MSGBODY, %l2
        mov     MSGBODY, %l3
        mov     MSGBODY, %l4
        mov     MSGBODY, %l5
        mov     MSGBODY, %l6
        mov     MSGBODY, %l7
        mov     MSGBODY, %i0
        SEND(9, G2, G1, 0)
        NEXT_MESSAGE

! Counts the reply at DestAddr, and adds its words up in the word behind.
        .balign 32
        .global reply_handler
reply_handler:
        mov     MSGBODY, %l0
        ldd     [%l0], %l2
        .rept   9
        add     %l3, MSGBODY, %l3
        .endr
        inc     %l2
        std     %l2, [%l0]
        NEXT_MESSAGE

! Counts at DestAddr.
        .balign 32
        .global count_handler
count_handler:
        mov     MSGBODY, %l0
        ld      [%l0], %l1
        inc     %l1
        st      %l1, [%l0]
        NEXT_MESSAGE

! On entry: %o0 DestAddr, %o1 HandlerIP, %o2 the words of the body. Sends ten words.
        .balign 32
        .global send_ten
send_ten:
        save    %sp, -96, %sp
        mov     %i0, %o0
        mov     %i1, %o1
        ldd     [%i2], %l0
        ldd     [%i2 + 8], %l2
        ldd     [%i2 + 16], %l4
        ldd     [%i2 + 24], %l6
        ldd     [%i2 + 32], %i0
        SEND(10, O0, O1, 0)
        ret
         restore

! On entry: %o0 DestAddr, %o1 HandlerIP. Sends no words.
        .global send_none
send_none:
        retl
         SEND(0, O0, O1, 0)
