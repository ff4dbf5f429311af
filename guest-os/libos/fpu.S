/*
 * The FPU's registers, of a context that was interrupted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
        .section .text
        .global fpu_save, fpu_load

/*
 * fpu_save(uint64_t *), fpu_load(const uint64_t *): %f0 to %f31, then the FSR.
 *
 * On entry:  leaf routines.
 * Uses:      nothing else; the kernel turns the FPU on.
 */
fpu_save:
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        std     %f\r, [%o0 + 4 * \r]
        .endr
        retl
         st     %fsr, [%o0 + 128]       ! delay slot

fpu_load:
        .irp    r, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        ldd     [%o0 + 4 * \r], %f\r
        .endr
        retl
         ld     [%o0 + 128], %fsr       ! delay slot
