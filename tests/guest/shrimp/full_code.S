/*
 * Stores in a loop, which an interrupt finds at the store while it waits; straight
 * code that stores.
 */
#include "fugu-regs.h"

        .section .text
        .balign 32

! On entry: %o0 where to store, %o1 flag. Returns in %o0 how many were stored. The
! next value is in %o2. Uses %o3.
        .global store_until, held_store
store_until:
        clr     %o2
held_store:
        st      %o2, [%o0]
        ld      [%o1], %o3
        cmp     %o3, 0
        be      held_store
         inc    %o2
        retl
         mov    %o2, %o0

/* Straight code, in which no event fires. It is warm when it has run once. */
#define USER(reg)       (FUGU_NI_USER_DISP + (reg))

        .balign 1024                    ! each routine is within a page

! On entry: %o0 a word of a page for blocked-write, %o1 one for single-write. Stores
! to both. Returns when the first store began. Uses %o4, %o5.
        .global store_merged
store_merged:
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        st      %g0, [%o0]
        .rept   24
        nop
        .endr
        st      %g0, [%o1]
        retl
         mov    %o5, %o0

! On entry: %o0 a word of a page for single-write, %o1 where to enter the sled, %o2
! struct look. Stores two words. Uses %o3 to %o5.
        .global store_and_look, look_sled, look_sled_end
store_and_look:
        set     FUGU_NI_KERNEL_BASE + FUGU_K_PENDING, %o3
        st      %g0, [%o0]              ! leaves at once
        st      %g0, [%o0]              ! leaves when the first has
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        jmp     %o1
         st     %o5, [%o2]              ! stored
look_sled:
        .rept   40
        nop                             ! a cycle each
        .endr
look_sled_end:
        ld      [%o3], %o3
        ldd     [%g0 + USER(FUGU_U_CYCLES)], %o4
        st      %o5, [%o2 + 4]          ! looked
        retl
         st     %o3, [%o2 + 8]          ! pending

! On entry: %o0 command word, %o1 where to enter the sled, %o2 another command word.
! Sends 16 words, and after a while one. Returns what the second swap has loaded. Uses
! %o3, %o4.
        .global send_twice, twice_sled, twice_sled_end
send_twice:
        mov     16, %o3
        mov     1, %o4
        swap    [%o0], %o3
        jmp     %o1
         nop
twice_sled:
        .rept   24
        nop
        .endr
twice_sled_end:
        swap    [%o2], %o4
        retl
         mov    %o4, %o0
