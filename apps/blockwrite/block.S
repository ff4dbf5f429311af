/*
 * A block of words: handlers, and the SENDs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mm-send.h"
#include "block.h"

! Ten words from DestAddr on.
        MM_HANDLER block_body, 4 * BLOCK_BODY
        mov     MSGBODY, %l0
        .set    offset, 0
        .rept   BLOCK_BODY
        st      MSGBODY, [%l0 + offset]
        .set    offset, offset + 4
        .endr
        MM_NEXT
        MM_HANDLER_END block_body

! The last ones, and the time behind them.
        MM_HANDLER block_tail, 4 * BLOCK_TAIL + 4
        mov     MSGBODY, %l0
        .set    offset, 0
        .rept   BLOCK_TAIL
        st      MSGBODY, [%l0 + offset]
        .set    offset, offset + 4
        .endr
        TIME_HERE
        st      %g3, [%l0 + 4 * BLOCK_TAIL]
        MM_NEXT
        MM_HANDLER_END block_tail

! block_send(dest, words, body, tail): sends BLOCK_WORDS words to DestAddr, by
! handlers `body` and, for the last ones, `tail`. `words` are aligned to 8
! bytes. Returns when it began to make the first message.
        .section .text
        .balign 32
        .global block_send
        .type   block_send, @function
block_send:
        save    %sp, -FRAME, %sp
        mov     %i3, %i5                ! %i0 is a word of bodies
        mov     %i1, %i3
        TIME_NEXT
        mov     %i0, %o0
        mov     %i2, %o1
        mov     BLOCK_WORDS / BLOCK_BODY, %o2
1:      ldd     [%i3], %l0
        ldd     [%i3 + 8], %l2
        ldd     [%i3 + 16], %l4
        ldd     [%i3 + 24], %l6
        ldd     [%i3 + 32], %i0
        SEND(BLOCK_BODY, O0, O1)
        add     %i3, 4 * BLOCK_BODY, %i3
        add     %o0, 4 * BLOCK_BODY, %o0
        subcc   %o2, 1, %o2
        bne     1b
         nop
        mov     %i5, %o1
        ldd     [%i3], %l0
        ldd     [%i3 + 8], %l2
        SEND(BLOCK_TAIL, O0, O1)
        ret
         restore %g3, 0, %o0
        .size   block_send, . - block_send
