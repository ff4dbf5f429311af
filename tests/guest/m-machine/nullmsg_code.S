/*
 * The null round trip: a request, and the reply that its handler sends.
 */
#include "slots.h"

#define USER(reg)       (FUGU_NI_USER_DISP + (reg))

        .section .text
        .balign 32

! Where a slot begins.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Priority 0: replies to the address that is the first word of the body. HandlerIP of
! the reply is 1.
        .balign 32
        .global request_handler
request_handler:
        mov     1, %g1
        mov     MSGBODY, %g0            ! DestAddr
        SEND(0, G7, G1, 0)
        NEXT_MESSAGE

! Priority 1: stores the time at which its first instruction begins to DestAddr.
        .balign 32
        .global reply_handler
reply_handler:
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %g2
        sub     %g3, 3, %g3
        st      %g3, [MSGBODY]
        NEXT_MESSAGE

! On entry: %o0 DestAddr, %o1 HandlerIP, %o2 first word of the body. Sends, and waits
! until an interrupt is pending, which is masked. Returns when the SEND began.
        .balign 32
        .global send_and_wait
send_and_wait:
        save    %sp, -96, %sp
        mov     %i2, %l0
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %l2
        SEND(1, I0, I1, 0)
        wr      %g0, %asr19
        ret
         restore %l3, 0, %o0

! The same, but goes round in a loop until *%o3 is not 0.
        .balign 32
        .global send_and_spin
send_and_spin:
        save    %sp, -96, %sp
        mov     %i2, %l0
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %l2
        SEND(1, I0, I1, 0)
1:      ld      [%i3], %l4
        cmp     %l4, 0
        be      1b
         nop
        ret
         restore %l3, 0, %o0
