/*
 * A slot that sends to its own node, and never takes a message.
 */
#include "slots.h"

        .section .text
        .balign 32
        .global sending_code
sending_code:
        sethi   %hi(0x40000000), %o0    ! WINDOW
        clr     %o1
1:      SEND(10, O0, O1, 0)
        ba      1b
         nop
