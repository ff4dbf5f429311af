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

        .section .text

        .balign 32
        .global mm_send0
        .type   mm_send0, @function
mm_send0:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 0, G2, G3)
        ret
         restore
        .size   mm_send0, . - mm_send0

        .balign 32
        .global mm_send1
        .type   mm_send1, @function
mm_send1:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 1, G2, G3)
        ret
         restore
        .size   mm_send1, . - mm_send1

        .balign 32
        .global mm_send2
        .type   mm_send2, @function
mm_send2:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 2, G2, G3)
        ret
         restore
        .size   mm_send2, . - mm_send2

        .balign 32
        .global mm_send3
        .type   mm_send3, @function
mm_send3:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 3, G2, G3)
        ret
         restore
        .size   mm_send3, . - mm_send3

        .balign 32
        .global mm_send4
        .type   mm_send4, @function
mm_send4:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        mov     %i5, %l3
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 4, G2, G3)
        ret
         restore
        .size   mm_send4, . - mm_send4

        .balign 32
        .global mm_send5
        .type   mm_send5, @function
mm_send5:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        mov     %i5, %l3
        ld      [%fp + ARGUMENT(6)], %l4
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 5, G2, G3)
        ret
         restore
        .size   mm_send5, . - mm_send5

        .balign 32
        .global mm_send6
        .type   mm_send6, @function
mm_send6:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        mov     %i5, %l3
        ld      [%fp + ARGUMENT(6)], %l4
        ld      [%fp + ARGUMENT(7)], %l5
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 6, G2, G3)
        ret
         restore
        .size   mm_send6, . - mm_send6

        .balign 32
        .global mm_send7
        .type   mm_send7, @function
mm_send7:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        mov     %i5, %l3
        ld      [%fp + ARGUMENT(6)], %l4
        ld      [%fp + ARGUMENT(7)], %l5
        ld      [%fp + ARGUMENT(8)], %l6
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 7, G2, G3)
        ret
         restore
        .size   mm_send7, . - mm_send7

        .balign 32
        .global mm_send8
        .type   mm_send8, @function
mm_send8:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        mov     %i5, %l3
        ld      [%fp + ARGUMENT(6)], %l4
        ld      [%fp + ARGUMENT(7)], %l5
        ld      [%fp + ARGUMENT(8)], %l6
        ld      [%fp + ARGUMENT(9)], %l7
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 8, G2, G3)
        ret
         restore
        .size   mm_send8, . - mm_send8

        .balign 32
        .global mm_send9
        .type   mm_send9, @function
mm_send9:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        mov     %i5, %l3
        ld      [%fp + ARGUMENT(6)], %l4
        ld      [%fp + ARGUMENT(7)], %l5
        ld      [%fp + ARGUMENT(8)], %l6
        ld      [%fp + ARGUMENT(9)], %l7
        ld      [%fp + ARGUMENT(10)], %i0
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 9, G2, G3)
        ret
         restore
        .size   mm_send9, . - mm_send9

        .balign 32
        .global mm_send10
        .type   mm_send10, @function
mm_send10:
        save    %sp, -FRAME, %sp
        mov     %i0, %g2
        mov     %i1, %g3
        mov     %i2, %l0
        mov     %i3, %l1
        mov     %i4, %l2
        mov     %i5, %l3
        ld      [%fp + ARGUMENT(6)], %l4
        ld      [%fp + ARGUMENT(7)], %l5
        ld      [%fp + ARGUMENT(8)], %l6
        ld      [%fp + ARGUMENT(9)], %l7
        ld      [%fp + ARGUMENT(10)], %i0
        ld      [%fp + ARGUMENT(11)], %i1
        .word   FUGU_INSN(FUGU_OPC_SEND(0), 10, G2, G3)
        ret
         restore
        .size   mm_send10, . - mm_send10
