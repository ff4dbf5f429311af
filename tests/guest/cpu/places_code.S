/*
 * Straight code in which a timer fires, and the places at which its interrupt
 * may be taken.
 *
 * All are leaf routines that use %o0 and the condition codes and return to
 * their caller. The timer fires in the first NOPS. The timer's interrupt must
 * be taken at NAME_place.
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
        .align  2048                    /* so that the piece lies in one page */
        .global \name, \name\()_place
\name:
        NOPS
        .endm

/*
 * END: a branch to somewhere else, and the return. If `name` is given, the
 * branch's target is where its interrupt is taken.
 */
        .macro  END name=
        ba      1f
         nop                            ! delay slot: its successor is 1
        nop                             ! never reached
1:
        .ifnb   \name
\name\()_place:
        .endif
        retl
         nop
        .endm

        .section .text
        BEGIN   place_branch
        END     place_branch

/* A branch that is not taken is no place: its successor is pc + 4. */
        BEGIN   place_untaken
        cmp     %g0, %g0
        bne     1f
         nop                            ! delay slot: executed
        NOPS
1:      END     place_untaken

/* A branch to the instruction after its delay slot is no place either. */
        BEGIN   place_next
        ba      1f
         nop                            ! delay slot: its successor is pc + 4
1:      NOPS
        END     place_next

/* An access to a device is no place, although QEMU ends a block with it. */
        BEGIN   place_device
        ld      [%g0 + NI(FUGU_U_NODE)], %o0
        NOPS
        ldd     [%g0 + CYCLES], %o0
        NOPS
        END     place_device

/* A trap is a place: the interrupt is taken when the handler's rett allows
 * it. */
        BEGIN   place_trap
        ta      1
place_trap_place:
        NOPS
        END

/* A write of the PSR is no place if it unmasks nothing. */
        BEGIN   place_psr
        rd      %psr, %o0
        wr      %o0, %psr               ! PSR: nothing changes
        NOPS
        END     place_psr

/* The end of a page is a place, within straight code too. */
        .align  4096
        .skip   4096 - 4 * MANY
        .global place_page, place_page_place
place_page:
        NOPS
place_page_place:
        NOPS
        END
