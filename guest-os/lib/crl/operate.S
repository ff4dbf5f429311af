/*
 * Operations that hit: the fast path through rgn_start_read() and the like.
 *
 * Each function changes the region's word in an atomic section if the word says
 * that nothing else is to be done. Otherwise, or if the caller is in a handler
 * or in an atomic section, the function of operation.c does all of it, with
 * UAC as it was in %o1, and in the atomic section that was opened here.
 *
 * Where atomicity is soft, beginatom is a trap. There, each function goes on at
 * another place, with a section of section.h. It makes a section in UAC of it
 * before it leaves to operation.c.
 *
 * Numbers at the right are cycles, on machines with hard atomicity. The call
 * itself takes 2 more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "operations.h"
#include "region.h"
#include "section.h"

#define UAC             (FUGU_NI_USER_DISP + FUGU_U_UAC)
#define SOFT            (GLAZE_INFO - GLAZE_UPCALL + GLAZE_I_SOFT)
#define DISABLE         FUGU_UAC_INTERRUPT_DISABLE

/*
 * HIT slow, soft: opens the section, if the caller is in none, and sets %o1 to UAC
 * as it was. Leaves to `soft` with a section of section.h if atomicity is soft, and to
 * `slow` if the caller is in a section.
 */
        .macro  HIT slow, soft
        ld      [%g0 + UAC], %o1                ! 2
        ld      [%g7 + SOFT], %o2               ! 2: 0 or 1
        orcc    %o1, %o2, %g0                   ! 1
        be,a    1f                              ! 1
         BEGINATOM(DISABLE)                     ! 1, delay slot, if taken
        cmp     %o2, %o1
        bgu,a   \soft
         SECTION_OPEN %o2                       ! delay slot, if taken
        ba      \slow
         BEGINATOM(DISABLE)                     ! delay slot
1:
        .endm

/* LONG slow: leaves to `slow` from a section of section.h. */
        .macro  LONG slow
        BEGINATOM(DISABLE)
        ba      \slow
         stb    %g0, [%g7 + SECTION_BYTE]       ! delay slot
        .endm

/* IS_FAST word: sets V if the word is FAST. Its form is the highest number that
 * is positive. */
        .macro  IS_FAST word
        subcc   \word, -WORD_FORM_SIZE, %g0             ! 1
        .endm

        .section .text
        .global rgn_start_read, rgn_end_read, rgn_start_write, rgn_end_write

/* 21; soft 32 */
        .align  16
        .type   rgn_start_read, #function
rgn_start_read:
        HIT     crl_start_read, 2f              ! 7
        ldd     [%o0 + R_WORD], %o2             ! 3: word, reads
        add     %o2, WORD_READER, %o2           ! 1
        IS_FAST %o2                             ! 1
        bvc     crl_start_read                  ! 1
         inc    %o3                             ! 1, delay slot
        std     %o2, [%o0 + R_WORD]             ! 4
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
2:      ldd     [%o0 + R_WORD], %o2
        add     %o2, WORD_READER, %o2
        IS_FAST %o2
        bvc     3f
         inc    %o3                             ! delay slot
        std     %o2, [%o0 + R_WORD]
        SECTION_CLOSE %o1
        retl
         SECTION_CLOSED                         ! delay slot
3:      LONG    crl_start_read
        .size   rgn_start_read, . - rgn_start_read

/* 19; soft 30 */
        .align  16
        .type   rgn_end_read, #function
rgn_end_read:
        HIT     crl_end_read, 2f                ! 7
        ld      [%o0 + R_WORD], %o2             ! 2
        sub     %o2, WORD_READER, %o2           ! 1
        IS_FAST %o2                             ! 1
        bvc     crl_end_read                    ! 1
         nop                                    ! 1, delay slot
        st      %o2, [%o0 + R_WORD]             ! 3
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
2:      ld      [%o0 + R_WORD], %o2
        sub     %o2, WORD_READER, %o2
        IS_FAST %o2
        bvc     3f
         nop                                    ! delay slot
        st      %o2, [%o0 + R_WORD]
        SECTION_CLOSE %o1
        retl
         SECTION_CLOSED                         ! delay slot
3:      LONG    crl_end_read
        .size   rgn_end_read, . - rgn_end_read

/* 24; soft 35 */
        .align  16
        .type   rgn_start_write, #function
rgn_start_write:
        HIT     crl_start_write, 2f             ! 7
        ld      [%o0 + R_WORD], %o2             ! 2
        sethi   %hi(WORD_FAST), %o3             ! 1
        cmp     %o2, %o3                        ! 1
        bne     crl_start_write                 ! 1
         ld     [%o0 + R_WRITES], %o3           ! 2, delay slot
        st      %g7, [%o0 + R_WORD]             ! 3: WORD_WRITE
        inc     %o3                             ! 1
        st      %o3, [%o0 + R_WRITES]           ! 3
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
2:      ld      [%o0 + R_WORD], %o2
        sethi   %hi(WORD_FAST), %o3
        cmp     %o2, %o3
        bne     3f
         ld     [%o0 + R_WRITES], %o3           ! delay slot
        st      %g7, [%o0 + R_WORD]
        inc     %o3
        st      %o3, [%o0 + R_WRITES]
        SECTION_CLOSE %o1
        retl
         SECTION_CLOSED                         ! delay slot
3:      LONG    crl_start_write
        .size   rgn_start_write, . - rgn_start_write

/* 18; soft 29 */
        .align  16
        .type   rgn_end_write, #function
rgn_end_write:
        HIT     crl_end_write, 2f               ! 7
        ld      [%o0 + R_WORD], %o2             ! 2
        cmp     %o2, %g7                        ! 1
        bne     crl_end_write                   ! 1
         sethi  %hi(WORD_FAST), %o2             ! 1, delay slot
        st      %o2, [%o0 + R_WORD]             ! 3
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
2:      ld      [%o0 + R_WORD], %o2
        cmp     %o2, %g7
        bne     3f
         sethi  %hi(WORD_FAST), %o2             ! delay slot
        st      %o2, [%o0 + R_WORD]
        SECTION_CLOSE %o1
        retl
         SECTION_CLOSED                         ! delay slot
3:      LONG    crl_end_write
        .size   rgn_end_write, . - rgn_end_write
