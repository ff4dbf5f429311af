/*
 * Single accesses and straight code, timed for `cache`.
 *
 * All are leaf routines with an address in %o0. They return the cycles between
 * two reads of the clock, less what the read takes, and use %o1 to %o5. The
 * code of each is placed so that none of its fetches can miss between the
 * reads.
 */
#include "ni_asm.h"

        .section .text
        .global probe_load, probe_store, probe_double, probe_swap
        .global probe_bypass
        .global fetch_lines, fetch_code, fetch_code_end

        .macro  PROBE name, insn
        .align  16                      ! both reads and the access lie in one
                                        ! line
\name:
        ldd     [%g0 + CYCLES], %o2
        \insn
        ldd     [%g0 + CYCLES], %o4
        ba,a    probe_result            ! annuls its delay slot
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
         sub    %o0, 3, %o0             ! delay slot: less the first read

/*
 * fetch_lines: runs the straight code of fetch_code, FETCH_LINES lines of four
 * instructions, and returns. The reads of the clock lie in other lines.
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
