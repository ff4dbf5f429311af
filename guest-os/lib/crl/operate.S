/*
 * Operations that hit: the short way through rgn_start_read() and the like.
 *
 * Each function changes the region's word in an atomic section if the word says
 * that nothing else is to be done. Otherwise, or if the caller is in a handler
 * or in an atomic section, the function of operation.c does all of it, with
 * UAC as it was in %o1, and in the atomic section that was opened here.
 *
 * Numbers at the right are cycles, on machines with hard atomicity. The call
 * itself takes 2 more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "operations.h"
#include "region.h"

#define UAC             (FUGU_NI_USER_DISP + FUGU_U_UAC)
#define DISABLE         FUGU_UAC_INTERRUPT_DISABLE

        .section .text
        .global rgn_start_read, rgn_end_read, rgn_start_write, rgn_end_write

/* 21 */
        .align  16
        .type   rgn_start_read, #function
rgn_start_read:
        ld      [%g0 + UAC], %o1                ! 2
        BEGINATOM(DISABLE)                      ! 1
        ldd     [%o0 + R_WORD], %o2             ! 3: word, reads
        andcc   %o1, DISABLE, %g0               ! 1
        bne     crl_start_read                  ! 1
         sethi  %hi(WORD_FAST), %o4             ! 1, delay slot
        sub     %o2, %o4, %o4                   ! 1
        cmp     %o4, WORD_MOST - WORD_READER + WORD_ALONE       ! 1
        bgu     crl_start_read                  ! 1
         inc    %o3                             ! 1, delay slot
        add     %o2, WORD_READER, %o2           ! 1
        std     %o2, [%o0 + R_WORD]             ! 4
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
        .size   rgn_start_read, . - rgn_start_read

/* 19 */
        .align  16
        .type   rgn_end_read, #function
rgn_end_read:
        ld      [%g0 + UAC], %o1                ! 2
        BEGINATOM(DISABLE)                      ! 1
        ld      [%o0 + R_WORD], %o2             ! 2
        andcc   %o1, DISABLE, %g0               ! 1
        bne     crl_end_read                    ! 1
         sethi  %hi(WORD_FAST), %o4             ! 1, delay slot
        sub     %o2, WORD_READER, %o2           ! 1
        sub     %o2, %o4, %o4                   ! 1
        cmp     %o4, WORD_MOST - WORD_READER + WORD_ALONE       ! 1
        bgu     crl_end_read                    ! 1
         nop                                    ! 1, delay slot
        st      %o2, [%o0 + R_WORD]             ! 3
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
        .size   rgn_end_read, . - rgn_end_read

/* 24 */
        .align  16
        .type   rgn_start_write, #function
rgn_start_write:
        ld      [%g0 + UAC], %o1                ! 2
        BEGINATOM(DISABLE)                      ! 1
        ld      [%o0 + R_WORD], %o2             ! 2
        set     WORD_FAST + WORD_ALONE, %o3     ! 2
        andcc   %o1, DISABLE, %g0               ! 1
        bne     crl_start_write                 ! 1
         cmp    %o2, %o3                        ! 1, delay slot
        bne     crl_start_write                 ! 1
         sethi  %hi(WORD_WRITE), %o2            ! 1, delay slot
        ld      [%o0 + R_WRITES], %o3           ! 2
        st      %o2, [%o0 + R_WORD]             ! 3
        inc     %o3                             ! 1
        st      %o3, [%o0 + R_WRITES]           ! 3
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
        .size   rgn_start_write, . - rgn_start_write

/* 18 */
        .align  16
        .type   rgn_end_write, #function
rgn_end_write:
        ld      [%g0 + UAC], %o1                ! 2
        BEGINATOM(DISABLE)                      ! 1
        ld      [%o0 + R_WORD], %o2             ! 2
        sethi   %hi(WORD_WRITE), %o3            ! 1
        andcc   %o1, DISABLE, %g0               ! 1
        bne     crl_end_write                   ! 1
         cmp    %o2, %o3                        ! 1, delay slot
        bne     crl_end_write                   ! 1
         sethi  %hi(WORD_FAST), %o2             ! 1, delay slot
        or      %o2, WORD_ALONE, %o2            ! 1
        st      %o2, [%o0 + R_WORD]             ! 3
        retl                                    ! 2
         ENDATOM(DISABLE)                       ! 1, delay slot
        .size   rgn_end_write, . - rgn_end_write
