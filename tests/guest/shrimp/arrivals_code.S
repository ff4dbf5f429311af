/*
 * Straight code between two stores and a look at what they have sent.
 */
#include "fugu-regs.h"

#define USER(reg)       (FUGU_NI_USER_DISP + (reg))

        .section .text
        .balign 2048                    ! the sled is within a page

! On entry: %o0 where to store, %o1 where to enter the sled, %o2 struct look, %o3 where
! the second word arrives. Uses %g1, %o4, %o5.
        .global send_and_wait, wait_sled, wait_sled_end
send_and_wait:
        mov     1, %g1
        st      %g1, [%o0]
        st      %g1, [%o0 + 4]
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        jmp     %o1
         st     %o5, [%o2]              ! sent
wait_sled:
        .rept   300
        nop                             ! a cycle each
        .endr
wait_sled_end:
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        st      %o5, [%o2 + 4]          ! left
1:      ld      [%o3], %g1
        cmp     %g1, 0
        be      1b
         nop
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        retl
         st     %o5, [%o2 + 8]          ! seen
