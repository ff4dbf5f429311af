/*
 * Random messages: SENDs of each length, and handlers that reply.
 */
#include "slots.h"

#define REPLY   5               /* HandlerIP, as in storm.c */

        .section .text
        .balign 32

! Where a slot begins.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Replies with a body of one word, %l0, to the address in %g2, and goes on.
        .macro  REPLY_SUM
        mov     REPLY, %g1
        SEND(1, G2, G1, 7)
        .endm

! Of all: the first word of the body is the sender's address. This one adds up the others,
! of which those beyond the tail are null.
        .balign 32
        .global sum_handler
sum_handler:
        mov     MSGBODY, %g0            ! DestAddr
        mov     MSGBODY, %g2
        clr     %l0
        .rept   9
        add     %l0, MSGBODY, %l0
        .endr
        REPLY_SUM
        NEXT_MESSAGE

! Two of them.
        .balign 32
        .global few_handler
few_handler:
        mov     MSGBODY, %g0
        mov     MSGBODY, %g2
        mov     MSGBODY, %l0
        add     %l0, MSGBODY, %l0
        REPLY_SUM
        NEXT_MESSAGE

! Many more than there are.
        .balign 32
        .global many_handler
many_handler:
        mov     MSGBODY, %g0
        mov     MSGBODY, %g2
        clr     %l0
        .rept   18
        add     %l0, MSGBODY, %l0
        .endr
        REPLY_SUM
        NEXT_MESSAGE

! None, with an atom in memory that the message points to.
        .balign 32
        .global atom_handler
atom_handler:
        mov     MSGBODY, %l1
        add     %l1, 12, %l1
        mov     MSGBODY, %g2
        mov     1, %l2
        swap    [%l1], %l2
        ldstub  [%l1], %l2
        clr     %l0
        REPLY_SUM
        NEXT_MESSAGE

! All, but with an instruction for each that no slot may execute at the end: the program
! starts the slot again.
        .balign 32
        .global stop_handler
stop_handler:
        mov     MSGBODY, %g0
        mov     MSGBODY, %g2
        clr     %l0
        .rept   9
        add     %l0, MSGBODY, %l0
        .endr
        REPLY_SUM
        ta      0

! Counts the reply at DestAddr, and adds its word up behind.
        .balign 32
        .global reply_handler
reply_handler:
        mov     MSGBODY, %l0
        ldd     [%l0], %l2
        inc     %l2
        add     %l3, MSGBODY, %l3
        std     %l2, [%l0]
        NEXT_MESSAGE

! Counts at DestAddr + 8.
        .balign 32
        .global done_handler
done_handler:
        mov     MSGBODY, %l0
        ld      [%l0 + 8], %l1
        inc     %l1
        st      %l1, [%l0 + 8]
        NEXT_MESSAGE

! On entry: %o0 a struct message. Sends a body of so many words from %l0 and on.
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
        SEND(16 + \words, O2, O3, 5)
        retl
         nop
        .endm

        .balign 64
        .global from_integers, from_floats
from_integers:
        .irp    words, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        FROM_INTEGERS \words
        .endr
        .balign 64
from_floats:
        .irp    words, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        FROM_FLOATS \words
        .endr

! Waits for all Ack bits.
        .balign 16
        .global await_all
await_all:
        set     0xffff, %o0
        retl
        .word   FUGU_INSN(FUGU_OPC_AWAIT, 0, O0, 0)
