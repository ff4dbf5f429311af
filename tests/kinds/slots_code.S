/*
 * A trusted handler that loads from the address in its message, and an alarm upcall that
 * stores its address to the word at alarm_stores.
 */
#include "glaze.h"
#include "mm-handler.h"

        MM_HANDLER load_there, 0
        mov     MSGBODY, %l0
        ld      [MSGBODY], %l1
        MM_NEXT
        MM_HANDLER_END load_there

        .section .text
        .global alarm_stub
alarm_stub:
        sethi   %hi(alarm_stores), %l3
        ld      [%l3 + %lo(alarm_stores)], %l3
        st      %l3, [%l3]
        ta      GLAZE_TRAP_RETURN
