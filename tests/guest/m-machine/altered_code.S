/*
 * Room for handlers and trials, and SENDs of each length.
 */
#include "altered.h"
#include "slots.h"

        .section .text
        .balign 32
        .global slot_code
slot_code:
        NEXT_MESSAGE

        .balign 128
        .global code_slots
code_slots:
        .skip   4 * ALTERED_WORDS * ALTERED_SLOTS

! On entry: %o0 a struct trial, %o1 DestAddr, %o2 HandlerIP. Sends a body of so many
! words.
        .macro  SEND_TRIAL words
        .balign 64
        .global send_\words
send_\words:
        save    %sp, -96, %sp
        mov     %i1, %o0
        mov     %i2, %o1
        ldd     [%i0 + 24], %l0
        ldd     [%i0 + 32], %l2
        ldd     [%i0 + 40], %l4
        ldd     [%i0 + 48], %l6
        ldd     [%i0 + 56], %i0
        SEND(\words, O0, O1, 0)
        ret
         restore
        .endm

        .irp    words, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        SEND_TRIAL \words
        .endr

        .section .rodata
        .balign 8
        .global trials
trials: .skip   64 * ALTERED_TRIALS

        .section .bss
        .balign 8
        .global area
area:   .skip   4 * ALTERED_AREA
