/*
 * Atomic sections by a store, where atomicity is soft (glaze.h,
 * GLAZE_U_SECTION; docs/soft-kernel.md). For libraries.
 *
 * There, beginatom and endatom are traps, 68 cycles together. These take 11, and
 * 89 if a message comes meanwhile. The caller must be in no section, and the
 * section must be short: it may not wait, nor call what asks whether a section is
 * open. Where atomicity is hard they open no section; glaze_info(GLAZE_I_SOFT)
 * says how it is.
 *
 * The library's entry for messages is a multiple of 256 (libos/upcall.S): its
 * lowest byte is 0 but for the bit of the section.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SECTION_H
#define SECTION_H

#include "glaze.h"

#define SECTION_BYTE    (GLAZE_U_MESSAGE + 7)   /* in the page, and so from %g7 */
#define SECTION_UAC     (FUGU_NI_USER_DISP + FUGU_U_UAC)

#ifdef __ASSEMBLER__

/* `one` is a register that holds 1. */
        .macro  SECTION_OPEN one
        stb     \one, [%g7 + SECTION_BYTE]              ! 3
        .endm

/*
 * SECTION_CLOSE uac: sets `uac`, a register, to UAC, and the condition codes. An
 * instruction SECTION_CLOSED has to follow, at once or in a delay slot.
 */
        .macro  SECTION_CLOSE uac
        stb     %g0, [%g7 + SECTION_BYTE]               ! 3
        ld      [%g0 + SECTION_UAC], \uac               ! 2
        andcc   \uac, FUGU_UAC_INTERRUPT_DISABLE, %g0   ! 1
        .endm
#define SECTION_CLOSED  tne GLAZE_TRAP_CLOSE            /* 1 */

#else

#include <stdint.h>

static inline void quick_section_open(void)
{
    asm volatile ("stb %1, [%%g7 + %0]"
                  : : "i" (SECTION_BYTE), "r" (1) : "memory");
}

static inline void quick_section_close(void)
{
    uint32_t uac;

    asm volatile ("stb %%g0, [%%g7 + %1]\n"
                  "\tld [%%g0 + %2], %0\n"
                  "\tandcc %0, %3, %%g0\n"
                  "\ttne %4"
                  : "=r" (uac)
                  : "i" (SECTION_BYTE), "i" (SECTION_UAC),
                    "i" (FUGU_UAC_INTERRUPT_DISABLE), "i" (GLAZE_TRAP_CLOSE)
                  : "memory", "cc");
}

#endif /* __ASSEMBLER__ */

#endif /* SECTION_H */
