/*
 * Single FPU operations (fpu.h).
 *
 * All are leaf routines with a struct fpu_operands in %o0 that return to their
 * caller. The operands are in %f0 and %f2, or in %f2 alone, and the result is
 * in %f4, as single or as double. The entry fpu_next_NAME leaves the FSR as it
 * is.
 */
        .macro  FPOP name, operands:vararg
        .global fpu_\name, fpu_next_\name
fpu_\name:
        ld      [%o0 + 24], %fsr
fpu_next_\name:
        ldd     [%o0], %f0
        ldd     [%o0 + 8], %f2
        ldd     [%o0 + 16], %f4
        \name   \operands
        retl
         nop
        .endm

        .section .text
        FPOP    fadds, %f0, %f2, %f4
        FPOP    faddd, %f0, %f2, %f4
        FPOP    fsubs, %f0, %f2, %f4
        FPOP    fsubd, %f0, %f2, %f4
        FPOP    fmuls, %f0, %f2, %f4
        FPOP    fmuld, %f0, %f2, %f4
        FPOP    fdivs, %f0, %f2, %f4
        FPOP    fdivd, %f0, %f2, %f4
        FPOP    fsqrts, %f2, %f4
        FPOP    fsqrtd, %f2, %f4
        FPOP    fitos, %f2, %f4
        FPOP    fitod, %f2, %f4
        FPOP    fstod, %f2, %f4
        FPOP    fdtos, %f2, %f4
        FPOP    fstoi, %f2, %f4
        FPOP    fdtoi, %f2, %f4
        FPOP    fcmps, %f0, %f2
        FPOP    fcmpes, %f0, %f2
        FPOP    fcmpd, %f0, %f2
        FPOP    fcmped, %f0, %f2
        FPOP    fmovs, %f2, %f4
