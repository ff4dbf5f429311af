/*
 * Exact times (stamp.h).
 *
 * All are leaf routines for kernel mode. They use %o0 to %o5 and return a time
 * in %o0. A read of the clock returns the time at the end of the ldd, which
 * takes 3 cycles; the lower half is in the odd register.
 */
#include "ni_asm.h"

#define LINE    .align 16       /* the next four instructions lie in one line */

        .section .text
        .global stamp_send, stamp_launch_body, stamp_launch_body_waits
        .global stamp_second_send
        .global stamp_wait, stamp_dispose, stamp_store

/*
 * DESCRIBE out: stores the words of a message, except for the stamp, in the
 * window at %o5 + out. On entry and on leaving, the registers are as in
 * stamp_send.
 */
        .macro  DESCRIBE out
        st      %o0, [%o5 + \out]
        st      %o1, [%o5 + \out + 4]
        sub     %o2, 1, %o4
        sll     %o4, 2, %o4
        add     %o4, %o5, %o4
        st      %o3, [%o4 + \out]               ! last word; this makes the
                                                ! length N
        .endm

stamp_send:
        set     FUGU_NI_KERNEL_BASE, %o5
        DESCRIBE FUGU_K_OUT
        mov     %o2, %o0                        ! N, for the launch
        mov     %o5, %o1
        ba      1f
         nop                                    ! delay slot: not filled
        LINE
1:      ldd     [%g0 + CYCLES], %o2
        add     %o3, 1 + 3 + 1, %o3             ! cycles of this add, the store
                                                ! and the launch
        st      %o3, [%o1 + FUGU_K_OUT + 8]
        LAUNCH_O0
        retl
         mov    %o3, %o0                        ! delay slot: the result

        LINE
stamp_launch_body:
        ldd     [%g0 + CYCLES], %o2
        LAUNCH_O0_D1
        retl
         add    %o3, 1, %o0                     ! delay slot: plus the cycle of
                                                ! the launch

        LINE
stamp_launch_body_waits:
        LAUNCH_O0_D1
        ldd     [%g0 + CYCLES], %o0
        retl
         sub    %o1, 3, %o0                     ! delay slot: less the ldd

stamp_second_send:
        set     FUGU_NI_KERNEL_BASE, %o5
        DESCRIBE FUGU_K_SECOND_OUT
        mov     %o2, %o0
        mov     %o5, %o1
        ba      1f
         nop                                    ! delay slot: not filled
        LINE
1:      ldd     [%g0 + CYCLES], %o2
        add     %o3, 1 + 3 + 3, %o3             ! cycles of this add and two
                                                ! stores
        st      %o3, [%o1 + FUGU_K_SECOND_OUT + 8]
        st      %o0, [%o1 + FUGU_K_SECOND_LAUNCH]
        retl
         mov    %o3, %o0                        ! delay slot: the result

        LINE
stamp_wait:
        wr      %g0, %asr19                     ! waits, then takes 1 cycle
        ldd     [%g0 + CYCLES], %o0
        retl
         sub    %o1, 1 + 3, %o0                 ! delay slot: less these two

        LINE
stamp_dispose:
        ldd     [%g0 + CYCLES], %o2
        DISPOSE
        retl
         add    %o3, 1, %o0                     ! delay slot: plus the cycle of
                                                ! the dispose

        LINE
stamp_store:
        st      %o1, [%o0]
        ldd     [%g0 + CYCLES], %o0
        retl
         sub    %o1, 3, %o0                     ! delay slot: less the ldd
