/*
 * NI operations, waits and stores that wait, in the delay slot of a branch:
 * pc is the slot, npc the branch's target.
 *
 * Leaf routines; operand in %o0; NAME_slot and NAME_target are what a trap
 * reports. They leave to their caller.
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
