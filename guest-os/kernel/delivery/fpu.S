/*
 * The registers of the floating-point unit, for fpu.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/psr.h"

        .section .text

/*
 * fp_save(struct glaze_fp *) stores the registers of the FPU, and
 * fp_load(const struct glaze_fp *) loads them. fp_queue(uint32_t [2]) stores
 * the instruction that has raised an exception: its address, then the
 * instruction. Until fp_queue() has been called, the FPU takes no other
 * instruction.
 *
 * On entry:  called from C, the FPU off; %o0 is a multiple of 8.
 * Uses:      %o1, %o2.
 * Leaves to: the caller, with the FPU off again.
 */
        .macro  FPU_ON
        rd      %psr, %o1
        set     PSR_EF, %o2
        wr      %o1, %o2, %psr          ! PSR: on (wr is xor, EF is 0)
        nop                             ! three instructions until it holds
        nop
        nop
        .endm

        .global fp_save, fp_load, fp_queue
        .cfi_startproc
fp_save:
        FPU_ON
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        std     %f\r, [%o0 + 8 + 4 * \r]
        .endr
        st      %fsr, [%o0 + 4]
        retl
         wr     %o1, 0, %psr            ! delay slot: PSR as it was
fp_load:
        FPU_ON
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        ldd     [%o0 + 8 + 4 * \r], %f\r
        .endr
        ld      [%o0 + 4], %fsr
        retl
         wr     %o1, 0, %psr            ! delay slot: PSR as it was
fp_queue:
        FPU_ON
        std     %fq, [%o0]
        retl
         wr     %o1, 0, %psr            ! delay slot: PSR as it was
        .cfi_endproc
