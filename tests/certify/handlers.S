/*
 * Trusted handlers of the usual kinds, which are certified.
 */
#include "fugu-regs.h"
#include "mm-handler.h"

#define SEND(words, dest, handler, ack) \
        .word   FUGU_INSN(FUGU_OPC_SEND(ack), words, dest, handler)
#define AWAIT(mask)     .word FUGU_INSN(FUGU_OPC_AWAIT, mask, 0, 0)

! Numbers of registers.
#define G1      1
#define G2      2
#define G7      7

! Does nothing.
        MM_HANDLER null, 0
        MM_NEXT
        MM_HANDLER_END null

! Stores a word at DestAddr.
        MM_HANDLER word, 4
        mov     MSGBODY, %l0
        st      MSGBODY, [%l0]
        MM_NEXT
        MM_HANDLER_END word

! Sends an empty message back, to the address that is the body's word.
        MM_HANDLER reply, 0
        mov     0, %g1
        mov     MSGBODY, %g0
        SEND(0, G7, G1, 0)
        MM_NEXT
        MM_HANDLER_END reply

! Adds a word to the one at DestAddr, and sends back what was there. One slot alone
! does so, so it needs no atom.
        MM_HANDLER fetch_add, 4
        mov     MSGBODY, %l1
        ld      [%l1], %l0
        add     %l0, MSGBODY, %l2
        st      %l2, [%l1]
        mov     0, %g1
        SEND(1, G7, G1, 0)
        AWAIT(1)
        MM_NEXT
        MM_HANDLER_END fetch_add

! The same beside others that take the lock behind the word. Tries eight times, and
! then sends back nothing.
        MM_HANDLER locked_add, 8
        mov     MSGBODY, %l1
        mov     8, %l3
1:      ldstub  [%l1 + 4], %l2
        tst     %l2
        be      2f
         subcc  %l3, 1, %l3
        bne     1b
         nop
        MM_NEXT
2:      ld      [%l1], %l0
        add     %l0, MSGBODY, %l2
        st      %l2, [%l1]
        stb     %g0, [%l1 + 4]
        mov     0, %g1
        SEND(1, G7, G1, 0)
        MM_NEXT
        MM_HANDLER_END locked_add

! Takes the word at DestAddr, and leaves another one.
        MM_HANDLER swapped, 4
        mov     MSGBODY, %l1
        mov     MSGBODY, %l0
        swap    [%l1], %l0
        mov     0, %g1
        SEND(1, G7, G1, 0)
        MM_NEXT
        MM_HANDLER_END swapped

! Stores ten words.
        MM_HANDLER block, 40
        mov     MSGBODY, %l0
        .set    offset, 0
        .rept   10
        st      MSGBODY, [%l0 + offset]
        .set    offset, offset + 4
        .endr
        MM_NEXT
        MM_HANDLER_END block

! The same by a loop that counts.
        MM_HANDLER looped, 40
        mov     MSGBODY, %l0
        mov     10, %l1
1:      st      MSGBODY, [%l0]
        subcc   %l1, 1, %l1
        bne     1b
         add    %l0, 4, %l0
        MM_NEXT
        MM_HANDLER_END looped

! The same by a loop that compares pointers.
        MM_HANDLER pointed, 40
        mov     MSGBODY, %l0
        add     %l0, 40, %l1
1:      st      MSGBODY, [%l0]
        add     %l0, 4, %l0
        cmp     %l0, %l1
        bne     1b
         nop
        MM_NEXT
        MM_HANDLER_END pointed

! Stores so many words as the first one says, nine at most.
        MM_HANDLER counted, 36
        mov     MSGBODY, %l0
        mov     MSGBODY, %l1
        cmp     %l1, 9
        bgu     2f
         tst    %l1
        be      2f
         nop
1:      st      MSGBODY, [%l0]
        subcc   %l1, 1, %l1
        bne     1b
         add    %l0, 4, %l0
2:      MM_NEXT
        MM_HANDLER_END counted

! A barrier: counts down at DestAddr. The last one counts the rounds behind it.
        MM_HANDLER barrier, 8
        mov     MSGBODY, %l0
        ld      [%l0], %l1
        subcc   %l1, 1, %l1
        bne     1f
         st     %l1, [%l0]
        ld      [%l0 + 4], %l2
        inc     %l2
        st      %l2, [%l0 + 4]
1:      MM_NEXT
        MM_HANDLER_END barrier

! Puts two words into a queue: the tail, eight entries of two words.
        MM_HANDLER queue, 4 + 8 * 8
        mov     MSGBODY, %l0
        ld      [%l0], %l1
        and     %l1, 7, %l2
        sll     %l2, 3, %l2
        add     %l0, %l2, %l2
        st      MSGBODY, [%l2 + 4]
        st      MSGBODY, [%l2 + 8]
        inc     %l1
        st      %l1, [%l0]
        MM_NEXT
        MM_HANDLER_END queue

! The same for one in the program's data.
        MM_HANDLER own_queue, 0
        mov     MSGBODY, %g0
        sethi   %hi(own_ring), %l0
        or      %l0, %lo(own_ring), %l0
        ld      [%l0 + 64], %l1
        and     %l1, 15, %l2
        sll     %l2, 2, %l2
        st      MSGBODY, [%l0 + %l2]
        inc     %l1
        st      %l1, [%l0 + 64]
        MM_NEXT
        MM_HANDLER_END own_queue
        MM_STORES own_queue, own_ring, 68

! Starts a thread: eight arguments, and the mark that they are there.
        MM_HANDLER spawn, 36
        mov     MSGBODY, %l4
        .set    offset, 0
        .rept   8
        st      MSGBODY, [%l4 + offset]
        .set    offset, offset + 4
        .endr
        mov     1, %l5
        st      %l5, [%l4 + 32]
        MM_NEXT
        MM_HANDLER_END spawn

! Adds up and multiplies: instructions that the others do not have.
        MM_HANDLER sums, 16
        mov     MSGBODY, %i0
        wr      %g0, 13, %y
        mov     MSGBODY, %l1
        andcc   %g0, 0, %l2
        .rept   4
        mulscc  %l2, %l1, %l2
        .endr
        mulscc  %l2, %g0, %l2
        rd      %y, %l3
        std     %l2, [%i0]
        addcc   %l1, MSGBODY, %l4
        addx    %g0, %l3, %l5
        sub     %l5, %l4, %l5
        xnor    %l5, 5, %l5
        sra     %l5, 3, %l6
        stb     %l5, [%i0 + 9]
        sth     %l6, [%i0 + 10]
        ldsb    [%i0 + 9], %o0
        ldsh    [%i0 + 10], %o1
        subxcc  %o0, %o1, %o2
        bl,a    1f
         orn    %o2, %o1, %o2
1:      st      %o2, [%i0 + 12]
        MM_NEXT
        MM_HANDLER_END sums

        .section .data
        .balign 8
        .global own_ring
own_ring:
        .skip   72
