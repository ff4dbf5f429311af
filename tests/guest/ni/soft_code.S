/*
 * The operations that a soft machine does not execute, timed, and user code
 * that contains them.
 */
#include "pieces.h"
#include "turns.h"
#include "soft.h"

/* An encoding that no machine executes. */
#define UNKNOWN .word FUGU_INSN(0x1ff, 0, 0, 0)

        .section .text

/*
 * t_*(): SOFT_COUNT operations that trap and are skipped. The caller executes
 * each twice: the second time all lines are in the cache.
 */
        .macro  SOFT_PIECE name, insn
        TRAP_PIECE \name, soft_table, SOFT_COUNT, "\insn"
        .endm

        SOFT_PIECE t_beginatom_soft, BEGINATOM(FUGU_UAC_USER)
        SOFT_PIECE t_endatom_soft, ENDATOM(FUGU_UAC_USER)
        SOFT_PIECE t_unknown, UNKNOWN

/* The only vector in use: it returns to the next instruction. */
        .align  4096
soft_table:
        .org    soft_table + 16 * TT_CP_DISABLED
        SKIP
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
 * soft_section(turns): soft_spin in an atomic section, which a kernel must
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
