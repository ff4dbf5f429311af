/*
 * A trusted handler that loads from the address in its message.
 */
#include "mm-handler.h"

        MM_HANDLER load_there, 0
        mov     MSGBODY, %l0
        ld      [MSGBODY], %l1
        MM_NEXT
        MM_HANDLER_END load_there
