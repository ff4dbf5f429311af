/*
 * The handler of packets of MBCF.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "entry/cfi.h"
#include "mbcf/wire/handler.h"

        .section .text
        .global message_mbcf

/*
 * message_mbcf: leaves a packet to C, which takes it as it takes any message
 * for another process (delivery_take_head()). C never calls this handler.
 *
 * On entry:  from message_of_kernel (insert.S).
 * Leaves to: C, as interrupt 11.
 */
        CFI_TRAP
message_mbcf:
        jmp     %l3 - MESSAGE_TO_C
         nop                            ! delay slot
        .cfi_endproc
