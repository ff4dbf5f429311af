/*
 * Single accesses and straight code, timed for the cache.
 *
 * Leaf routines: address in %o0, cycles between two reads of the clock in
 * %o0 on return, less what the read takes; use %o1 to %o5. Each is laid out
 * so that no fetch of its own can miss between the reads.
 */
#include "ni_asm.h"

        .section .text
        .global probe_load, probe_store, probe_double, probe_swap
        .global probe_bypass
        .global fetch_lines, fetch_code, fetch_code_end

        .macro  PROBE name, insn
        .align  16                      ! one line: both reads and the access
\name:
        ldd     [%g0 + CYCLES], %o2
        \insn
        ldd     [%g0 + CYCLES], %o4
        ba,a    probe_result            ! annuls what follows
        .endm

        PROBE   probe_load, "ld [%o0], %g1"
        PROBE   probe_store, "st %g0, [%o0]"
        PROBE   probe_double, "ldd [%o0], %o0"
        PROBE   probe_swap, "swap [%o0], %g1"
        PROBE   probe_bypass, "lda [%o0] 0x20, %g1"

        .align  16
probe_result:
        sub     %o5, %o3, %o0
        retl
         sub    %o0, 3, %o0             ! delay slot: without the first read

/*
 * fetch_lines: runs through the straight code of fetch_code, FETCH_LINES
 * lines of four instructions, and back. The reads of the clock are in lines
 * of their own.
 */
        .align  16
fetch_lines:
        ldd     [%g0 + CYCLES], %o2
        ba,a    fetch_code
        .align  16
fetch_code:
        .rept   16 * 4 - 3
        nop
        .endr
        ldd     [%g0 + CYCLES], %o4
        ba,a    probe_result
        nop
fetch_code_end:
