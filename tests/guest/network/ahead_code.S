/*
 * Straight code: no place in it where a node's turn can end. Each routine is a
 * leaf, for kernel mode, and begins a page.
 */
#include "ni_asm.h"

#define PAGE    .align 4096

/* Some 60,000 cycles in a page: 900 square roots of 65 cycles. */
        .macro  LONG
        .rept   900
        fsqrtd  %f0, %f2
        .endr
        .endm

        .section .text
        .global ahead_send, ahead_look, ahead_look_soon, ahead_dispose
        .global ahead_stop, ahead_store, ahead_wait

/*
 * Sends a message of three words, %o0 and %o1 first, from the kernel's window,
 * at the end. Returns the time of the launch, which is the third word.
 */
        PAGE
ahead_send:
        set     FUGU_NI_KERNEL_BASE, %o5
        LONG
        st      %o0, [%o5 + FUGU_K_OUT]
        st      %o1, [%o5 + FUGU_K_OUT + 4]
        mov     3, %o0
        ldd     [%g0 + CYCLES], %o2
        add     %o3, 1 + 3 + 1, %o3             ! cycles of this add, the store
                                                ! and the launch
        st      %o3, [%o5 + FUGU_K_OUT + 8]
        LAUNCH_O0
        retl
         mov    %o3, %o0                        ! delay slot: the result

/* Stores to %o0[0] whether there is a message, and to %o0[1] when it looked. */
        .macro  LOOK
        ld      [%g0 + AVAILABLE], %o1
        ldd     [%g0 + CYCLES], %o2
        sub     %o3, 3, %o3                     ! less the ldd
        st      %o1, [%o0]
        retl
         st     %o3, [%o0 + 4]
        .endm

        PAGE
ahead_look:
        LONG
        LOOK

        PAGE
ahead_look_soon:
        .rept   200
        nop
        .endr
        LOOK

/* Disposes of a message at the end. Returns when. */
        PAGE
ahead_dispose:
        LONG
        .word   FUGU_INSN(FUGU_OPC_DISPOSE, 0, 0, 0)
        ldd     [%g0 + CYCLES], %o2
        retl
         sub    %o3, 3, %o0                     ! delay slot: less the ldd

/* Stores %o0 to the register %o1 at the end. */
        PAGE
ahead_stop:
        LONG
        retl
         st     %o0, [%o1]
        .size   ahead_stop, . - ahead_stop      /* for tests that look it up */

        PAGE
ahead_store:
        LONG
        st      %o0, [%o1]
        retl
         nop                                    ! delay slot: not filled

/* Waits for an interrupt at the end. */
        PAGE
ahead_wait:
        LONG
        wr      %g0, %asr19
        retl
         nop                                    ! delay slot: not filled
        .align  4096
