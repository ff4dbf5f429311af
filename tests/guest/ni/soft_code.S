/*
 * The operations that a soft machine does not execute, timed, and user code
 * that contains them.
 */
#include "psr.h"
#include "ni_asm.h"
#include "turns.h"
#include "soft.h"

/* An encoding that no machine executes. */
#define UNKNOWN .word FUGU_INSN(0x1ff, 0, 0, 0)

        .section .text

/*
 * t_*(): SOFT_COUNT operations that trap and are skipped, between two reads
 * of the clock. The caller executes it twice: the second time all lines are
 * in the cache.
 *
 * On entry:  called from C in kernel mode, interrupts masked.
 * Uses:      %o0 to %o5, %g1; sets another trap table while it runs.
 * Leaves to: its caller, cycles in %o0.
 */
        .macro  TRAP_PIECE name, operation
        .align  16
        .global \name
\name:
        rd      %tbr, %g1
        sethi   %hi(soft_table), %o1    ! aligned: no low bits to set
        wr      %o1, %tbr               ! TBR: for this piece only
        nop
        nop
        nop
        ldd     [%g0 + CYCLES], %o2
        .rept   SOFT_COUNT
        \operation
        .endr
        ldd     [%g0 + CYCLES], %o4
        andn    %g1, 0xff0, %g1
        wr      %g1, %tbr               ! TBR: as it was, without the trap type
        nop
        nop
        nop
        retl
         sub    %o5, %o3, %o0           ! delay slot: the result
        .endm

        TRAP_PIECE t_beginatom_soft, BEGINATOM(FUGU_UAC_USER)
        TRAP_PIECE t_endatom_soft, ENDATOM(FUGU_UAC_USER)
        TRAP_PIECE t_unknown, UNKNOWN

/* The only vector in use: it returns to the next instruction. */
        .align  4096
soft_table:
        .org    soft_table + 16 * TT_CP_DISABLED
        jmp     %l2
         rett   %l2 + 4
        .org    soft_table + 4096

/* op_unknown(): the unknown operation, as a routine like those in lib/ops.S. */
        .global op_unknown
op_unknown:
        UNKNOWN
        retl
         nop

/* soft_spin(turns): on entry turns in %o0; uses %o0; returns to its caller. */
        .align  16
        .global soft_spin
soft_spin:
        TURNS   %o0
        retl
         nop

/*
 * soft_section(turns): the same loop in an atomic section, which a kernel must
 * emulate. When an interrupt is taken, %o0 has the number of turns that
 * remain.
 */
        .align  16
        .global soft_section
soft_section:
        BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE)
        TURNS   %o0
        ENDATOM(FUGU_UAC_INTERRUPT_DISABLE)
        .global soft_section_end
soft_section_end:
        retl
         nop
