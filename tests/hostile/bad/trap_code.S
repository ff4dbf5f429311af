/*
 * Instructions that users may not execute, or that do not exist: each is a
 * case with a name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze.h"

        .section .rodata
        .align  4
        .global instructions
instructions:                           ! pairs of name and code; ends with 0

/*
 * Called from C. A breakpoint follows the instruction: the program gets there
 * if the instruction has no effect.
 */
        .macro  CASE name, instruction
        .section .rodata.names, "a"
name_\@: .asciz "\name"
        .section .rodata
        .word   name_\@, code_\@
        .section .text
        .type   instruction_\@, #function
code_\@: \instruction
        ta      GLAZE_TRAP_BREAK
        .endm

        .section .text
        .type   privileged, #function
privileged:
        CASE    rd-psr, "rd %psr, %g1"
        CASE    rd-wim, "rd %wim, %g1"
        CASE    rd-tbr, "rd %tbr, %g1"
        CASE    wr-psr, "wr %g0, 0xe0, %psr"
        CASE    wr-wim, "wr %g0, 0, %wim"
        CASE    wr-tbr, "wr %g0, 0, %tbr"
        CASE    wr-asr19, "wr %g0, %asr19"
        CASE    rett, "rett %g0"
        CASE    lda, "lda [%g0] 0x1c, %g1"
        CASE    ldda, "ldda [%g0] 4, %g2"
        CASE    lduba, "lduba [%g0] 0x0b, %g1"
        CASE    sta, "sta %g0, [%g0] 4"
        CASE    stda, "stda %g2, [%g0] 0x20"
        CASE    swapa, "swapa [%g0] 0x0b, %g1"
        CASE    ldstuba, "ldstuba [%g0] 0x0b, %g1"
        .size   privileged, . - privileged

        .type   illegal, #function
illegal:
        CASE    unimp, "unimp 0"
        CASE    umul, ".word 0x82500001" ! umul %g0, %g1, %g1
        CASE    sdiv, ".word 0x82780001" ! sdiv %g0, %g1, %g1
        CASE    odd-ldd, ".word 0xc2180000" ! ldd [%g0], %g1
        CASE    op3-2f, ".word 0x81780000" ! no such operation
        CASE    flush, ".word 0x81d80000" ! flush %g0: not in V7
        .size   illegal, . - illegal

        .type   operations, #function
operations:
        CASE    no-operation, ".word 0x81b000a0" ! not defined yet
        CASE    cpop2, ".word 0x81b80000"
        CASE    tagged, "taddcctv %sp, 1, %g1"
        CASE    faddq, ".word 0x81a00860" ! faddq %f0, %f0, %f0
        CASE    stdfq, ".word 0xc1300000" ! std %fq, [%g0]
        CASE    ldc, ".word 0xc1800000" ! ld [%g0], %c0
        .size   operations, . - operations

/* The first instruction behind a function is in none. */
beyond:
        CASE    behind, "unimp 0"

        .section .rodata
        .word   0, 0
