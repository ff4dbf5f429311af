/*
 * Single FPU operations (fpu.h).
 *
 * All are leaf routines with a struct fpu_operands in %o0 that return to their
 * caller. The operands are in %f0 and %f2, or in %f2 alone, and the result is
 * in %f4, as single or as double.
 */
        .macro  FPOP name, operands:vararg
        .global fpu_\name
fpu_\name:
        ldd     [%o0], %f0
        ldd     [%o0 + 8], %f2
        ldd     [%o0 + 16], %f4
        ld      [%o0 + 24], %fsr
        \name   \operands
        retl
         nop
        .endm

        .section .text
        FPOP    fadds, %f0, %f2, %f4
        FPOP    faddd, %f0, %f2, %f4
        FPOP    fsubd, %f0, %f2, %f4
        FPOP    fmuls, %f0, %f2, %f4
        FPOP    fmuld, %f0, %f2, %f4
        FPOP    fdivs, %f0, %f2, %f4
        FPOP    fdivd, %f0, %f2, %f4
        FPOP    fdtos, %f2, %f4
        FPOP    fstoi, %f2, %f4
        FPOP    fdtoi, %f2, %f4
        FPOP    fcmps, %f0, %f2
        FPOP    fcmpes, %f0, %f2
        FPOP    fcmpd, %f0, %f2
        FPOP    fcmped, %f0, %f2
