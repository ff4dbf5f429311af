/* A loop that takes three cycles a turn: a macro for assembly. */
#ifndef TURNS_H
#define TURNS_H

        .macro  TURNS register
1:      subcc   \register, 1, \register
        bne     1b
         nop                            ! delay slot: the third cycle
        .endm

#endif
