/*
 * A null request, and the reply that its handler sends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-handler.h"
#include "fugu-regs.h"

#define CYCLES  (FUGU_NI_USER_DISP + FUGU_U_CYCLES)
#define FRAME   96

/* Numbers of registers. */
#define G1      1
#define G7      7
#define I0      24
#define I1      25

! Its place in the list is HandlerIP 0, that of the reply 1.
        MM_HANDLER ping_request, 0
        mov     1, %g1
        mov     MSGBODY, %g0            ! DestAddr is not used
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 0, G7, G1)
        MM_NEXT
        MM_HANDLER_END ping_request

! Stores the time at which its first instruction begins to DestAddr.
        MM_HANDLER ping_reply, 4
        ldd     [%g0 + CYCLES], %g2
        sub     %g3, 3, %g3
        mov     MSGBODY, %l0
        st      %g3, [%l0]
        MM_NEXT
        MM_HANDLER_END ping_reply

! ping_send(dest, handler, word, until): sends a body of one word, and goes round in
! a loop until *until is not 0. Returns when the SEND began.
        .section .text
        .balign 32
        .global ping_send
        .type   ping_send, @function
ping_send:
        save    %sp, -FRAME, %sp
        mov     %i2, %l0
        ldd     [%g0 + CYCLES], %l2
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 1, I0, I1)
1:      ld      [%i3], %l4
        cmp     %l4, 0
        be      1b
         nop
        ret
         restore %l3, 0, %o0
        .size   ping_send, . - ping_send
