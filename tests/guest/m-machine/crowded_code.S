/*
 * A handler whose last word is the address of a load, which misses the cache.
 */
#include "slots.h"

        .section .text
        .balign 32

! Where a slot begins.
        .global slot_code
slot_code:
        NEXT_MESSAGE

! Drops DestAddr and three words.
        .balign 32
        .global loading_handler
loading_handler:
        mov     MSGBODY, %g0
        mov     MSGBODY, %g0
        mov     MSGBODY, %g0
        mov     MSGBODY, %g0
        ld      [MSGBODY], %l0
        NEXT_MESSAGE
