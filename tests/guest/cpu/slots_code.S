/*
 * NI operations, a wait, a write of the PSR and a load in the delay slot of a
 * branch: pc is the slot, npc the branch's target.
 *
 * All are leaf routines with an operand in %o0 that return to their caller.
 * NAME_slot and NAME_target are the pc and npc that a trap reports.
 */
#include "psr.h"
#include "ni_asm.h"

        .macro  SLOT name
        .global \name, \name\()_slot, \name\()_target
\name:
        ba      \name\()_target
\name\()_slot:
        .endm

        .macro  TARGET name
        mov     99, %o0                 ! never reached
\name\()_target:
        retl
         nop
        .endm

        .section .text
        SLOT    slot_launch
        LAUNCH_O0
        TARGET  slot_launch
        SLOT    slot_dispose
        DISPOSE
        TARGET  slot_dispose
        SLOT    slot_endatom
        ENDATOM_O0
        TARGET  slot_endatom
        SLOT    slot_wait
        wr      %g0, %asr19
        TARGET  slot_wait
        SLOT    slot_psr
        wr      %o0, %psr
        TARGET  slot_psr
        SLOT    slot_load
        ld      [%o0], %o1
        TARGET  slot_load
