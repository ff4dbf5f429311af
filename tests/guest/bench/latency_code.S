/*
 * The instruction sequences that `latency` measures.
 *
 * Each piece is executed twice and measured the second time, when all its
 * lines are in the cache. Two reads of the clock cost CYCLES_READ themselves,
 * which the caller subtracts.
 */
#include "ni_asm.h"
#include "rows.h"

        .section .text
        .global user_send_null, kernel_send_null, receive_null

/*
 * user_send_null(header): table 4, message send: 7 cycles.
 *
 * On entry:  leaf routine; the second word of the message is 0, which is no
 *            handler.
 * Uses:      %o1 to %o5.
 * Leaves to: its caller, with the cycles between two reads of the clock.
 */
        .align  16
user_send_null:
        ldd     [%g0 + CYCLES], %o2
        st      %o0, [%g0 + OUT(0)]             ! descriptor construction: 3
        st      %g0, [%g0 + OUT(1)]             ! 3
        LAUNCH(2, 0)                            ! launch: 1
        ldd     [%g0 + CYCLES], %o4
        retl
         sub    %o5, %o3, %o0                   ! delay slot: the result

/*
 * kernel_send_null(header): sends from the kernel's window, whose page needs a
 * base register; otherwise like user_send_null.
 */
        .align  16
kernel_send_null:
        set     FUGU_NI_KERNEL_BASE, %o1
        ldd     [%g0 + CYCLES], %o2
        st      %o0, [%o1 + FUGU_K_OUT]         ! descriptor construction: 3
        st      %g0, [%o1 + FUGU_K_OUT + 4]     ! 3
        LAUNCH(2, 0)                            ! launch: 1
        ldd     [%g0 + CYCLES], %o4
        retl
         sub    %o5, %o3, %o0                   ! delay slot: the result

/*
 * receive_null: table 4, message receive by polling, if the null message is
 * the only type of message: 9 cycles.
 *
 * On entry:  leaf routine; a message has arrived, so that the loop makes one
 *            turn.
 * Uses:      %o0 to %o5.
 * Leaves to: its caller, with the cycles between two reads of the clock.
 */
        .align  16
receive_null:
        ldd     [%g0 + CYCLES], %o2
        ROW     poll
receive_poll:
        ld      [%g0 + AVAILABLE], %o0          ! poll: 2
        tst     %o0                             ! 1
        ROW     dispatch
        be      receive_poll                    ! dispatch: 1
         ld     [%g0 + IN(1)], %o1              ! 2, delay slot: 0 if there
                                                ! is no message
        cmp     %o1, %g0                        ! 1: which handler?
        be,a    receive_done                    ! 1
        ROW     null_handler_with_dispose
         DISPOSE                                ! null handler: 1; annulled if
                                                ! the message has another
                                                ! handler
        ROW     none
receive_done:
        ldd     [%g0 + CYCLES], %o4
        retl
         sub    %o5, %o3, %o0                   ! delay slot: the result
