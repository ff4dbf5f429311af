/*
 * Handlers of two GIDs, whose memory differs in the test window.
 */
#include "slots.h"

        .section .text
        .balign 32

! Where a slot begins.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Stores the word at the address that is in the body.
        .balign 32
        .global load_handler
load_handler:
        mov     MSGBODY, %l0
        ld      [MSGBODY], %l1
        st      %l1, [%l0]
        NEXT_MESSAGE

! Stores the word that was there, and leaves its address there.
        .balign 32
        .global swap_handler
swap_handler:
        mov     MSGBODY, %l0
        mov     MSGBODY, %l2
        mov     %l2, %l1
        swap    [%l2], %l1
        st      %l1, [%l0]
        NEXT_MESSAGE

        .balign 32
        .global ldstub_handler
ldstub_handler:
        mov     MSGBODY, %l0
        ldstub  [MSGBODY], %l1
        st      %l1, [%l0]
        NEXT_MESSAGE

! The same handlers in two pages, one for each GID. Each stores the page's number.
        .macro  HANDLERS number, own, move, branch
\own:
        mov     \number, %l1
        mov     MSGBODY, %l0
        st      %l1, [%l0]
        NEXT_MESSAGE

! The next message is of the other GID: so are the instructions after this one.
\move:
        mov     MSGBODY, %l0
        mov     MSGHEAD, %l2
        mov     \number, %l1
        st      %l1, [%l0]
        jmp     %l2
         nop

\branch:
        mov     MSGBODY, %l0
        cmp     %g0, 0
        be      1f
         mov    MSGHEAD, %l2
        unimp
1:      mov     \number, %l1
        st      %l1, [%l0]
        jmp     %l2
         nop
        .endm

        .balign 4096
        .global code_pages, own_handler, move_handler, branch_handler
code_pages:
        HANDLERS 'A', own_handler, move_handler, branch_handler
        .balign 4096
        HANDLERS 'B', own_b, move_b, branch_b
        .balign 4096

! On entry: %o0 DestAddr, %o1 HandlerIP, %o2 the word of the body.
        .global send_one
send_one:
        save    %sp, -96, %sp
        mov     %i0, %o0
        mov     %i1, %o1
        mov     %i2, %l0
        SEND(1, O0, O1, 0)
        ret
         restore
