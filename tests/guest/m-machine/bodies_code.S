/*
 * SENDs of each length, from both kinds of registers.
 */
#include "slots.h"

        .section .text
        .balign 32

! Where a slot begins.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Stores eleven words to DestAddr, of which the last one is beyond any tail, and a 1
! behind them.
        .balign 32
        .global store_handler
store_handler:
        mov     MSGBODY, %l0
        mov     1, %l1
        st      MSGBODY, [%l0]
        st      MSGBODY, [%l0 + 4]
        st      MSGBODY, [%l0 + 8]
        st      MSGBODY, [%l0 + 12]
        st      MSGBODY, [%l0 + 16]
        st      MSGBODY, [%l0 + 20]
        st      MSGBODY, [%l0 + 24]
        st      MSGBODY, [%l0 + 28]
        st      MSGBODY, [%l0 + 32]
        st      MSGBODY, [%l0 + 36]
        st      MSGBODY, [%l0 + 40]
        st      %l1, [%l0 + 44]
        NEXT_MESSAGE

! On entry: %o0 a struct message. Sends a body of so many words from %l0 and on, with
! Ack bit 3.
        .macro  FROM_INTEGERS words
        .balign 64
        save    %sp, -96, %sp
        ldd     [%i0], %o0
        ldd     [%i0 + 8], %l0
        ldd     [%i0 + 16], %l2
        ldd     [%i0 + 24], %l4
        ldd     [%i0 + 32], %l6
        ldd     [%i0 + 40], %i0
        SEND(\words, O0, O1, 3)
        ret
         restore
        .endm

! The same from %f0 and on.
        .macro  FROM_FLOATS words
        .balign 64
        ldd     [%o0 + 8], %f0
        ldd     [%o0 + 16], %f2
        ldd     [%o0 + 24], %f4
        ldd     [%o0 + 32], %f6
        ldd     [%o0 + 40], %f8
        ldd     [%o0], %o2
        SEND(16 + \words, O2, O3, 3)
        retl
         nop
        .endm

        .balign 64
        .global from_integers, from_floats, float_send
from_integers:
        FROM_INTEGERS 0
        FROM_INTEGERS 1
        FROM_INTEGERS 2
        FROM_INTEGERS 3
        FROM_INTEGERS 4
        FROM_INTEGERS 5
        FROM_INTEGERS 6
        FROM_INTEGERS 7
        FROM_INTEGERS 8
        FROM_INTEGERS 9
        FROM_INTEGERS 10
from_floats:
        FROM_FLOATS 0
        FROM_FLOATS 1
        FROM_FLOATS 2
        FROM_FLOATS 3
        FROM_FLOATS 4
        FROM_FLOATS 5
        FROM_FLOATS 6
        FROM_FLOATS 7
        FROM_FLOATS 8
        FROM_FLOATS 9
        FROM_FLOATS 10

! On entry: %o0 a struct message. Sends ten words from %f0 and on, whatever they are.
        .balign 16
float_send:
        ldd     [%o0], %o2
        retl
        SEND(16 + 10, O2, O3, 3)

! On entry: %o0 a struct message. Sends so many words, waits for the Ack, and returns the
! cycles from the first of SEND to the end of a load of the clock.
        .macro  TIMED words
        .balign 64
        save    %sp, -96, %sp
        ldd     [%i0], %o0
        ldd     [%g0 + FUGU_NI_USER_DISP + FUGU_U_CYCLES], %l2
        SEND(\words, O0, O1, 3)
        AWAIT(8)
        ldd     [%g0 + FUGU_NI_USER_DISP + FUGU_U_CYCLES], %l4
        sub     %l5, %l3, %i0
        ret
         restore
        .endm

        .balign 64
        .global timed
timed:
        .irp    words, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        TIMED   \words
        .endr

! Waits for Ack bit 3.
        .global await_ack
await_ack:
        retl
        AWAIT(8)
