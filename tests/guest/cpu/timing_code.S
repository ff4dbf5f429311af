/*
 * The rows of the instruction timing table: each piece repeats one instruction
 * PIECE_COUNT times between two reads of the clock.
 *
 * All are leaf routines: %o0 points to 64 aligned bytes on entry and holds the
 * cycles on return. They use %o1 to %o5, %g1 to %g4, %y and %f0 to %f31, and
 * no register window. The caller executes each twice: the second time all
 * lines are in the cache.
 */
#include "pieces.h"
#include "timing.h"

        .macro  BEGIN name
        .align  16
        .global \name
\name:
        ldd     [%g0 + CYCLES], %o2
        .endm

        .macro  END
        ldd     [%g0 + CYCLES], %o4
        retl
         sub    %o5, %o3, %o0           ! delay slot: the result
        .endm

/* PIECE: one or two instructions, repeated PIECE_COUNT times. */
        .macro  PIECE name, first, second=
        BEGIN   \name
        .rept   PIECE_COUNT
        \first
        \second
        .endr
        END
        .endm

        .section .text

/* ---- One cycle ----------------------------------------------------------- */

        PIECE   t_nothing, ""
        PIECE   t_nop, "nop"
        PIECE   t_add, "add %o1, 1, %o1"
        PIECE   t_sethi, "sethi %hi(0x12345400), %o1"
        PIECE   t_mulscc, "mulscc %o1, 3, %o1"
        PIECE   t_read_y, "rd %y, %o1"
        PIECE   t_write_y, "wr %g0, 3, %y"
        PIECE   t_save_restore, "save", "restore"

/* ---- Branches ------------------------------------------------------------ */

/* Each branch has a delay slot: two instructions. */
        BEGIN   t_untaken
        .rept   PIECE_COUNT
        bn      1f
         nop                            ! delay slot: executed
        .endr
1:      END

        BEGIN   t_taken
        .rept   PIECE_COUNT
        ba      1f
         nop                            ! delay slot: executed
1:
        .endr
        END

/* bn,a and ba,a annul their delay slots. */
        BEGIN   t_untaken_annulled
        .rept   PIECE_COUNT
        bn,a    1f
         unimp  0                       ! delay slot: annulled
        .endr
1:      END

        BEGIN   t_taken_annulled
        .rept   PIECE_COUNT
        ba,a    1f
         unimp  0                       ! delay slot: annulled
1:
        .endr
        END

/* Conditional branches that are not taken. */
        BEGIN   t_condition_untaken
        cmp     %g0, %g0                ! 1 cycle, once (timing.c)
        .rept   PIECE_COUNT
        bne     1f
         nop                            ! delay slot: executed
        .endr
1:      END

        BEGIN   t_condition_annulled
        cmp     %g0, %g0                ! 1 cycle, once (timing.c)
        .rept   PIECE_COUNT
        bne,a   1f
         unimp  0                       ! delay slot: annulled
        .endr
1:      END

/* A taken conditional branch executes its slot, even with the annul bit. */
        BEGIN   t_condition_taken
        cmp     %g0, %g0                ! 1 cycle, once (timing.c)
        .rept   PIECE_COUNT
        be,a    1f
         nop                            ! delay slot: executed
1:
        .endr
        END

        BEGIN   t_call
        mov     %o7, %g1                ! 1 cycle, once (timing.c)
        .rept   PIECE_COUNT
        call    1f
         nop                            ! delay slot: executed
1:
        .endr
        ldd     [%g0 + CYCLES], %o4
        jmp     %g1 + 8
         sub    %o5, %o3, %o0           ! delay slot: the result

        BEGIN   t_jmpl
        .rept   PIECE_COUNT
        sethi   %hi(1f), %g1            ! 1 cycle
        jmp     %g1 + %lo(1f)
         nop                            ! delay slot: executed
1:
        .endr
        END

/* ---- Memory -------------------------------------------------------------- */

        PIECE   t_ld, "ld [%o0], %g1"
        PIECE   t_lduh, "lduh [%o0], %g1"
        PIECE   t_ldsh, "ldsh [%o0], %g1"
        PIECE   t_ldub, "ldub [%o0], %g1"
        PIECE   t_ldsb, "ldsb [%o0], %g1"
        PIECE   t_ldd, "ldd [%o0], %g2"
        PIECE   t_st, "st %g0, [%o0]"
        PIECE   t_sth, "sth %g0, [%o0]"
        PIECE   t_stb, "stb %g0, [%o0]"
        PIECE   t_std, "std %g2, [%o0]"
        PIECE   t_ldstub, "ldstub [%o0], %g1"
        PIECE   t_swap, "swap [%o0], %g1"
        PIECE   t_ldf, "ld [%o0], %f0"
        PIECE   t_lddf, "ldd [%o0], %f0"
        PIECE   t_stf, "st %f0, [%o0]"
        PIECE   t_stdf, "std %f0, [%o0]"

/* ---- NI operations ------------------------------------------------------- */

/* A launch with nothing described has no effect. traps.c tests dispose, and
 * `latency` measures it. */
        BEGIN   t_launch
        .rept   PIECE_COUNT
        LAUNCH(2, 0)
        .endr
        END
        BEGIN   t_beginatom
        .rept   PIECE_COUNT
        BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE)
        .endr
        END
        BEGIN   t_endatom
        .rept   PIECE_COUNT
        ENDATOM(FUGU_UAC_INTERRUPT_DISABLE)
        .endr
        END

/* ---- Floating point ------------------------------------------------------ */

        PIECE   t_fmovs, "fmovs %f2, %f0"
        PIECE   t_fabss, "fabss %f2, %f0"
        PIECE   t_fnegs, "fnegs %f2, %f0"
        PIECE   t_fadds, "fadds %f2, %f3, %f0"
        PIECE   t_faddd, "faddd %f2, %f4, %f0"
        PIECE   t_fsubs, "fsubs %f2, %f3, %f0"
        PIECE   t_fsubd, "fsubd %f2, %f4, %f0"
        PIECE   t_fcmps, "fcmps %f2, %f3"
        PIECE   t_fcmpd, "fcmpd %f2, %f4"
        PIECE   t_fmuls, "fmuls %f2, %f3, %f0"
        PIECE   t_fmuld, "fmuld %f2, %f4, %f0"
        PIECE   t_fdivs, "fdivs %f2, %f3, %f0"
        PIECE   t_fdivd, "fdivd %f2, %f4, %f0"
        PIECE   t_fsqrts, "fsqrts %f2, %f0"
        PIECE   t_fsqrtd, "fsqrtd %f2, %f0"
        PIECE   t_fdtoi, "fdtoi %f2, %f0"
        PIECE   t_fitos, "fitos %f2, %f0"
        PIECE   t_fitod, "fitod %f2, %f0"
        PIECE   t_fstoi, "fstoi %f2, %f0"
        PIECE   t_fdtos, "fdtos %f2, %f0"
        PIECE   t_fstod, "fstod %f2, %f0"

/* Sets %f2 to %f5 so that no operation above has a special case: each word
 * is 0x3ff00000, the upper half of 1.0. */
        .global t_set_fp
t_set_fp:
        set     0x3ff00000, %g1
        st      %g1, [%o0]
        ld      [%o0], %f2
        ld      [%o0], %f3
        ld      [%o0], %f4
        retl
         ld     [%o0], %f5              ! delay slot: the last one

/* ---- Traps --------------------------------------------------------------- */

        .macro  TIMING_PIECE name, insn
        TRAP_PIECE \name, timing_table, PIECE_COUNT, "\insn"
        .endm

        TIMING_PIECE t_ticc, "ta 0"
        TIMING_PIECE t_illegal, "unimp 0"
        TIMING_PIECE t_misaligned, "ld [%o0 + 2], %g3"
        TIMING_PIECE t_ni_trap, DISPOSE         ! without a message: bad-dispose

/*
 * t_interrupt: unmasks interrupts and masks them again. The caller runs it
 * with an interrupt pending and without; the difference is the interrupt.
 */
        .align  16
        .global t_interrupt
t_interrupt:
        WITH_TABLE timing_table
        rd      %psr, %g3
        andn    %g3, PSR_PIL, %g4
        ldd     [%g0 + CYCLES], %o2
        wr      %g4, %psr               ! PSR: no level masked; the interrupt
        nop                             ! is taken after the wr
        nop
        nop
        wr      %g3, %psr               ! PSR: as it was
        nop
        nop
        nop
        END_TABLE

/*
 * A trap table whose handlers do as little as possible: 2 cycles for the jmp
 * and 2 for the rett, and 1 more for the dispose after an interrupt. Any other
 * trap puts the node into error mode.
 */
        .align  4096
timing_table:
        .org    timing_table + 16 * TT_ILLEGAL
        SKIP
        .org    timing_table + 16 * TT_MISALIGNED
        SKIP
        .org    timing_table + 16 * FUGU_TT_IRQ(FUGU_IRQ_MESSAGE)
        DISPOSE                         ! 1 cycle: drop the message
        jmp     %l1                     ! to the interrupted instruction
         rett   %l2
        .org    timing_table + 16 * FUGU_TT_BAD_DISPOSE
        SKIP
        .org    timing_table + 16 * TT_SOFTWARE
        SKIP
        .org    timing_table + 4096
