/*
 * Code that apps for the M-Machine's interface share: it takes the time, and
 * makes messages as tests/guest/m-machine/designs_code.S does on the bare
 * machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MM_SEND_H
#define MM_SEND_H

#include "fugu-regs.h"
#include "mm-handler.h"

#define CYCLES          (FUGU_NI_USER_DISP + FUGU_U_CYCLES)
#define FRAME           96

/* Numbers of registers. */
#define O0              8
#define O1              9
#define L0              16
#define L1              17
#define L2              18

/* SEND with Ack bit 0, with numbers of registers. */
#define SEND(length, dest, handler) \
        .word   FUGU_INSN(FUGU_OPC_SEND(0), length, dest, handler)

/* In %g3, the time at which the next instruction begins. */
#define TIME_NEXT       ldd     [%g0 + CYCLES], %g2

/* In %g3, the time at which this begins. */
#define TIME_HERE \
        ldd     [%g0 + CYCLES], %g2;    \
        sub     %g3, 3, %g3

/* An RPC's arguments that stay: %l0 to %l3, from the words `name` on. */
#define ARGUMENTS(name) \
        sethi   %hi(name), %i5;         \
        or      %i5, %lo(name), %i5;    \
        ldd     [%i5], %l0;             \
        ldd     [%i5 + 8], %l2

/* Four more, for DestAddr in %o0: it is added to them. */
#define MORE_ARGUMENTS \
        add     %l0, %o0, %l4;          \
        add     %l1, %o0, %l5;          \
        add     %l2, %o0, %l6;          \
        add     %l3, %o0, %l7

/* Handler: stores eight arguments from DestAddr on, marks them ready, and notes
 * when it has done that. */
#define START_HANDLER(name) \
        MM_HANDLER name, 40;            \
        mov     MSGBODY, %l0;           \
        st      MSGBODY, [%l0];         \
        st      MSGBODY, [%l0 + 4];     \
        st      MSGBODY, [%l0 + 8];     \
        st      MSGBODY, [%l0 + 12];    \
        st      MSGBODY, [%l0 + 16];    \
        st      MSGBODY, [%l0 + 20];    \
        st      MSGBODY, [%l0 + 24];    \
        st      MSGBODY, [%l0 + 28];    \
        mov     1, %l1;                 \
        st      %l1, [%l0 + 32];        \
        TIME_HERE;                      \
        st      %g3, [%l0 + 36];        \
        MM_NEXT;                        \
        MM_HANDLER_END name

#endif /* MM_SEND_H */
