/*
 * A slot that waits for a message, and one that goes round in a loop.
 */
#include "slots.h"

        .section .text
        .balign 32
        .global waiting_code
waiting_code:
        NEXT_MESSAGE

        .balign 32
        .global busy_code
busy_code:
        ba      busy_code
         nop

! On entry: %o0 DestAddr, %o1 HandlerIP. Sends no words.
        .global send_none
send_none:
        retl
         SEND(0, O0, O1, 0)
