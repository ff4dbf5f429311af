/*
 * Straight code that sends a word and looks whether its credit has come.
 */
#include "fugu-regs.h"

#define USER(reg)       (FUGU_NI_USER_DISP + (reg))

        .section .text
        .balign 1024                    ! the sled is within a page

! On entry: %o0 command word to swap, %o1 where to enter the sled,
! %o2 struct look. Leaves to its caller. Uses %o3 to %o5.
        .global send_and_look
send_and_look:
        mov     1, %o3
        swap    [%o0], %o3              ! sends a word
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        jmp     %o1
         std    %o4, [%o2]              ! sent
        .global look_sled, look_sled_end
look_sled:
        .rept   160
        nop                             ! a cycle each
        .endr
look_sled_end:
        ld      [%g0 + USER(FUGU_U_CREDITED)], %o3
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        std     %o4, [%o2 + 8]          ! looked
        retl
         st     %o3, [%o2 + 16]         ! credited
