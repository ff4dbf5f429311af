/*
 * SEND of each length. The main context sends, and its registers are the body.
 */
#include "slots.h"

        .section .text
        .balign 32

! Where a slot begins, and goes on after each message.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Counts the messages that have come.
        .balign 32
        .global counting_handler
counting_handler:
        set     messages, %l0
        ld      [%l0], %l1
        inc     %l1
        st      %l1, [%l0]
        NEXT_MESSAGE

! On entry: %o0 a struct forgery. Sends so many words to DestAddr and HandlerIP.
        .macro  ROUTINE words
        .balign 16
        ldd     [%o0], %o2
        retl
        SEND(\words, O2, O3, 0)         ! in the delay slot
        .endm

        .balign 16
        .global send_of
send_of:
        ROUTINE 0
        ROUTINE 1
        ROUTINE 2
        ROUTINE 3
        ROUTINE 4
        ROUTINE 5
        ROUTINE 6
        ROUTINE 7
        ROUTINE 8
        ROUTINE 9
        ROUTINE 10
        ROUTINE 11
        ROUTINE 12
        ROUTINE 13
        ROUTINE 14
        ROUTINE 15
