/*
 * Loops that are interrupted by messages, and one that polls for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"
#include "rows.h"
#include "section.h"
#include "sparcle.h"

#define CYCLES (FUGU_NI_USER_DISP + FUGU_U_CYCLES)

        .section .text
        .global watch, poll_null
        .global section, section_open, section_close, section_done
        .global library, library_open, library_close, library_done

/*
 * watch(gaps, count, usual): reads the clock until `count` messages have
 * interrupted it. For each it stores the cycles that the message took: by how
 * much two readings are further apart than `usual`. With `usual` 0 no message
 * needs to come: every distance is stored, and the last one is the usual one.
 *
 * On entry:  leaf routine, count above 0.
 * Uses:      %o0 to %o5, %g1.
 * Leaves to: its caller.
 */
        .align  16
watch:
1:      ldd     [%g0 + CYCLES], %o4
        mov     %o5, %o3                ! as far from the next reading as the
        nop                             ! readings in the loop
        ba      watch_loop
         nop                            ! delay slot: not filled
watch_loop:
        ldd     [%g0 + CYCLES], %o4
        sub     %o5, %o3, %g1
        subcc   %g1, %o2, %g1
        be      watch_loop
         mov    %o5, %o3                ! delay slot: the last reading
        st      %g1, [%o0]
        subcc   %o1, 1, %o1
        bne     1b
         add    %o0, 4, %o0             ! delay slot: the next gap's place
        retl
         nop                            ! delay slot: not filled

/*
 * poll_null(handler): polls, in an atomic section, for one type of message,
 * which it recognizes by the address of its handler.
 *
 * On entry:  leaf routine; no other message can arrive.
 * Uses:      %o0 to %o5, %g1.
 * Leaves to: its caller, with the cycles from the last reading of the flag to
 *            the end of the null handler, if the message was there already.
 */
        .align  16
poll_null:
        ldd     [%g0 + CYCLES], %o2
        ldd     [%g0 + CYCLES], %o4
        sub     %o5, %o3, %g1           ! what two readings take
        ldd     [%g0 + CYCLES], %o2
        ROW     poll
poll_loop:
        ld      [%g6 + FUGU_REC_AVAILABLE], %o1         ! 2
        tst     %o1                                     ! 1
        ROW     dispatch
        be      poll_loop                               ! 1
         ld     [%g6 + FUGU_REC_HANDLER], %o1           ! 2, delay slot: 0
                                                        !    without a message
        cmp     %o1, %o0                                ! 1
        be,a    poll_done                               ! 1
        ROW     null_handler_with_dispose
         DISPOSE                                        ! 1, delay slot: only
                                                        !    for this handler
        ROW     none
poll_done:
        ldd     [%g0 + CYCLES], %o4
        sub     %o5, %o3, %o0
        retl
         sub    %o0, %g1, %o0           ! delay slot: the result

/*
 * section(): an empty atomic section.
 *
 * On entry:  leaf routine, in no section.
 * Leaves to: its caller.
 */
        .align  16
section:
section_open:
        BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE)
section_close:
        ENDATOM(FUGU_UAC_USER)
section_done:
        retl
         nop                            ! delay slot: not filled

/*
 * library(): the same, as libraries open it where atomicity is soft.
 *
 * On entry:  leaf routine, in no section.
 * Uses:      %o0.
 * Leaves to: its caller.
 */
        .align  16
library:
library_open:
        mov     1, %o0
        SECTION_OPEN %o0
library_close:
        SECTION_CLOSE %o0
        SECTION_CLOSED
library_done:
        retl
         nop                            ! delay slot: not filled
