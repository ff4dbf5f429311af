/*
 * A SEND, and slots that stop.
 */
#include "slots.h"

        .section .text
        .balign 32

! On entry: %o0 DestAddr, %o1 HandlerIP, %o2 the words of the body. Sends four of them.
        .global send_four
send_four:
        save    %sp, -96, %sp
        mov     %i0, %o0
        mov     %i1, %o1
        ldd     [%i2], %l0
        ldd     [%i2 + 8], %l2
        SEND(4, O0, O1, 0)
        ret
         restore

! Where a slot begins that has some work, and then does what no slot may.
        .balign 32
        .global stopping_code
stopping_code:
        mov     50, %l0
1:      subcc   %l0, 1, %l0
        bne     1b
         nop
        ta      0
