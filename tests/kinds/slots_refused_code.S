/*
 * A handler that stores a word beyond its extent.
 */
#include "mm-handler.h"

        MM_HANDLER beyond, 4
        mov     MSGBODY, %l0
        st      MSGBODY, [%l0 + 4]
        MM_NEXT
        MM_HANDLER_END beyond
