/*
 * PUT and GET of each index, and a slot that takes messages.
 */
#include "slots.h"

        .section .text

! Where a slot begins.
        .balign 32
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Stores eleven words to DestAddr, of which the last one is beyond any tail, and a 1
! behind them.
        .balign 32
        .global eleven_handler
eleven_handler:
        mov     MSGBODY, %l0
        .set    offset, 0
        .rept   11
        st      MSGBODY, [%l0 + offset]
        .set    offset, offset + 4
        .endr
        mov     1, %l1
        st      %l1, [%l0 + 44]
        NEXT_MESSAGE

! Adds 1 to the word at DestAddr.
        .balign 32
        .global count_handler
count_handler:
        mov     MSGBODY, %l0
        ld      [%l0], %l1
        add     %l1, 1, %l1
        st      %l1, [%l0]
        NEXT_MESSAGE

! Sends an empty message to the address in the body, with handler 1.
        .balign 32
        .global relay_handler
relay_handler:
        mov     1, %g1
        mov     MSGBODY, %g0            ! DestAddr
        SEND(0, G7, G1, 0)
        NEXT_MESSAGE

! Routines of 8 bytes: copies %o0 to word 0, 1 and so on, and to each as the last one.
        .balign 32
        .global put_routines
put_routines:
        .set    index, 0
        .rept   32
        retl
        .word   FUGU_INSN(FUGU_OPC_PUT, 0, O0, index)
        .set    index, index + 1
        .endr

! Routines of 8 bytes: return MsgBody and MsgHead of priority 0, of 1, and of none.
        .global get_routines
get_routines:
        .set    index, 0
        .rept   6
        retl
        .word   FUGU_INSN(FUGU_OPC_GET, O0, 0, index)
        .set    index, index + 1
        .endr

! Routines of 32 bytes: return what an access takes, and a load of the clock.
#define USER(reg)       (FUGU_NI_USER_DISP + (reg))
        .macro  TIMED stores, reg
        .balign 32
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o2
        .if     \stores
        st      %g0, [%g0 + USER(\reg)]
        .else
        ld      [%g0 + USER(\reg)], %o0
        .endif
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        retl
         sub    %o5, %o3, %o0
        .endm
        .balign 32
        .global timed_routines
timed_routines:
        TIMED   0, FUGU_U_MM_ACK
        TIMED   0, FUGU_U_MM_HEAD
        TIMED   0, FUGU_U_MM_BODY
        TIMED   1, FUGU_U_SB_ADDR
        TIMED   1, FUGU_U_MM_PUT

! A SEND of an empty message to %o0, with handler %o1.
        .global send_none
send_none:
        retl
        SEND(0, O0, O1, 0)

! Where a slot begins that loads what is of priority 0, and stops.
        .macro  LOADS   insn
        set     slot_saw, %l2
        \insn   [%g0 + USER(FUGU_U_MM_HEAD)], %l0
        st      %l0, [%l2]
        \insn   [%g0 + USER(FUGU_U_MM_BODY)], %l1
        st      %l1, [%l2 + 4]
        ta      0
        .endm
        .balign 32
        .global other_code
other_code:
        LOADS   ld
        .balign 32
        .global swap_code
swap_code:
        LOADS   swap

! Swaps %o0 with MsgBody of priority 0.
        .global swap_body
swap_body:
        retl
         swap   [%g0 + USER(FUGU_U_MM_BODY)], %o0
