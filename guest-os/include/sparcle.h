/*
 * The processor's registers, trap types and network operations: for kernels
 * and programs on the bare machine, in C and in assembly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SPARCLE_H
#define SPARCLE_H

#include "fugu-regs.h"

#define NWINDOWS        8       /* register windows of a Sparcle */

#define PSR_CWP         0x1f    /* current window */
#define PSR_ET          0x20    /* traps enabled */
#define PSR_PS          0x40    /* S before the last trap */
#define PSR_S           0x80    /* supervisor mode */
#define PSR_PIL         0xf00   /* interrupts up to this level are masked */
#define PSR_PIL_SHIFT   8
#define PSR_EF          0x1000  /* floating-point unit enabled */
#define PSR_EC          0x2000  /* coprocessor enabled */
#define PSR_ICC         0xf00000        /* condition codes */

/* Smallest stack frame: 16 words for the window, 8 for arguments. */
#define FRAME_MIN       96

/* Trap types (SPARC V8 manual, table 7-1). */
#define TT_RESET                0x00
#define TT_INSTRUCTION_ACCESS   0x01
#define TT_ILLEGAL              0x02
#define TT_PRIVILEGED           0x03
#define TT_FP_DISABLED          0x04
#define TT_WINDOW_OVERFLOW      0x05
#define TT_WINDOW_UNDERFLOW     0x06
#define TT_MISALIGNED           0x07
#define TT_FP_EXCEPTION         0x08
#define TT_DATA_ACCESS          0x09
#define TT_TAG_OVERFLOW         0x0a
#define TT_INSTRUCTION_ERROR    0x21    /* physically, nothing is there */
#define TT_CP_DISABLED          0x24
#define TT_DATA_ERROR           0x29
#define TT_SOFTWARE             0x80    /* ta 0; ta n is this plus n */

#ifdef __ASSEMBLER__
/* Operations of the network interface (docs/machine.md). */
#define LAUNCH(n, d)    .word FUGU_INSN(FUGU_OPC_LAUNCH, n, 0, d)
#define DISPOSE         .word FUGU_INSN(FUGU_OPC_DISPOSE, 0, 0, 0)
#define BEGINATOM(mask) .word FUGU_INSN(FUGU_OPC_BEGINATOM, mask, 0, 0)
#define ENDATOM(mask)   .word FUGU_INSN(FUGU_OPC_ENDATOM, mask, 0, 0)
#endif

#endif /* SPARCLE_H */
