/*
 * Straight code in which a timer fires, and the places where the interrupt
 * may be taken.
 *
 * Leaf routines that use %o0 and the condition codes, and leave to their
 * caller. The timer fires in the first NOPS; NAME_place is where its
 * interrupt must come.
 */
#include "psr.h"
#include "ni_asm.h"

#define MANY    150

        .macro  NOPS
        .rept   MANY
        nop
        .endr
        .endm

        .macro  BEGIN name
        .align  2048                    /* none of these crosses a page */
        .global \name, \name\()_place
\name:
        NOPS
        .endm

/* A branch that goes somewhere else: the first such place. */
        .macro  END name
        ba      1f
         nop                            ! delay slot: its successor is 1
        nop                             ! never reached
1:
\name\()_place:
        retl
         nop
        .endm

        .section .text
        BEGIN   place_branch
        END     place_branch

/* A branch that is not taken is no place: its successors are pc + 4. */
        BEGIN   place_untaken
        cmp     %g0, %g0
        bne     1f
         nop                            ! delay slot: executed
        NOPS
1:      END     place_untaken

/* Nor is one to the instruction behind its slot. */
        BEGIN   place_next
        ba      1f
         nop                            ! delay slot: its successor is pc + 4
1:      NOPS
        END     place_next

/* Nor is an access to a device, which QEMU ends a block for. */
        BEGIN   place_device
        ld      [%g0 + NI(FUGU_U_NODE)], %o0
        NOPS
        ldd     [%g0 + CYCLES], %o0
        NOPS
        END     place_device

/* A trap is one: the interrupt comes when its rett lets it. */
        BEGIN   place_trap
        ta      1
place_trap_place:
        NOPS
        ba      1f
         nop                            ! delay slot
        nop
1:      retl
         nop

/* A write of the PSR is none, when it unmasks nothing. */
        BEGIN   place_psr
        rd      %psr, %o0
        wr      %o0, %psr               ! PSR: nothing changes
        NOPS
        END     place_psr

/* And the end of a page, in the midst of straight code. */
        .align  4096
        .skip   4096 - 4 * MANY
        .global place_page, place_page_place
place_page:
        NOPS
place_page_place:
        NOPS
        ba      1f
         nop                            ! delay slot
        nop
1:      retl
         nop
