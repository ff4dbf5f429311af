/*
 * SEND, for C (mm.h). The body is in %l0 to %l7, %i0 and %i1: where the arguments after
 * the first two come to, from registers and from the caller's frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fugu-regs.h"

#define FRAME           96
#define ARGUMENT(k)     (68 + 4 * (k))  /* from %fp: argument k, from 0 on */
#define G2              2
#define G3              3

/* The first words come from registers, the others from the caller's frame. */
.macro FROM_REGISTER count, word, from, to
    .if \word < \count
        mov     \from, \to
    .endif
.endm

.macro FROM_FRAME count, word, to
    .if \word < \count
        ld      [%fp + ARGUMENT(\word + 2)], \to
    .endif
.endm

/* mm_sendCOUNT: DestAddr, HandlerIP, and COUNT words. */
.macro MM_SEND count
        .balign 32
        .global mm_send\count
        .type   mm_send\count, @function
mm_send\count:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        FROM_REGISTER \count, 0, %i2, %l0
        FROM_REGISTER \count, 1, %i3, %l1
        FROM_REGISTER \count, 2, %i4, %l2
        FROM_REGISTER \count, 3, %i5, %l3
        FROM_FRAME \count, 4, %l4
        FROM_FRAME \count, 5, %l5
        FROM_FRAME \count, 6, %l6
        FROM_FRAME \count, 7, %l7
        FROM_FRAME \count, 8, %i0
        FROM_FRAME \count, 9, %i1
        .word   FUGU_INSN(FUGU_OPC_SEND(0), \count, G2, G3)
        ret
         restore
        .size   mm_send\count, . - mm_send\count
.endm

        .section .text

    .irp count, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        MM_SEND \count
    .endr
