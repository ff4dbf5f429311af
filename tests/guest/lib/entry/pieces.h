/*
 * Timed pieces of code that run with another trap table: macros for assembly.
 */
#ifndef GUEST_PIECES_H
#define GUEST_PIECES_H

#include "psr.h"
#include "ni_asm.h"

/*
 * WITH_TABLE: sets a trap table, which must be aligned to 4096 bytes. Leaves
 * the old TBR in %g1; uses %g2.
 */
        .macro  WITH_TABLE table
        rd      %tbr, %g1
        sethi   %hi(\table), %g2        ! aligned: no low bits to set
        wr      %g2, %tbr               ! TBR: for this piece only
        nop
        nop
        nop
        .endm

/*
 * END_TABLE: the end of a leaf routine that has used WITH_TABLE, then read the
 * clock into %o2 and %o3. Returns the cycles since then, in %o0.
 */
        .macro  END_TABLE
        ldd     [%g0 + CYCLES], %o4
        andn    %g1, 0xff0, %g1
        wr      %g1, %tbr               ! TBR: as it was, without the trap type
        nop
        nop
        nop
        retl
         sub    %o5, %o3, %o0           ! delay slot: the result
        .endm

/*
 * TRAP_PIECE: a leaf routine that executes `insn` `count` times, with a trap
 * table that skips it, between two reads of the clock.
 *
 * On entry:  called from C in kernel mode, interrupts masked.
 * Uses:      %o0 to %o5, %g1, %g2, and what insn uses.
 * Leaves to: its caller, cycles in %o0.
 */
        .macro  TRAP_PIECE name, table, count, insn
        .align  16
        .global \name
\name:
        WITH_TABLE \table
        ldd     [%g0 + CYCLES], %o2
        .rept   \count
        \insn
        .endr
        END_TABLE
        .endm

/* SKIP: the shortest trap handler: continues with the next instruction. */
        .macro  SKIP
        jmp     %l2
         rett   %l2 + 4
        .endm

#endif
