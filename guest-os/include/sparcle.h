/*
 * Registers, trap types and network operations of the Sparcle processor, for
 * kernels and for programs on the bare machine, in C and in assembly.
 * "V8" means The SPARC Architecture Manual, version 8.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SPARCLE_H
#define SPARCLE_H

#include "operations.h"

#define NWINDOWS        8       /* number of register windows */

/* Fields of the PSR (V8, section 4.2). */
#define PSR_CWP         0x1f    /* number of the current window */
#define PSR_ET          0x20    /* traps enabled */
#define PSR_PS          0x40    /* value of S before the last trap */
#define PSR_S           0x80    /* supervisor mode */
#define PSR_PIL         0xf00   /* masks interrupts of levels 1 to PIL */
#define PSR_PIL_SHIFT   8
#define PSR_EF          0x1000  /* floating-point unit enabled */
#define PSR_EC          0x2000  /* coprocessor enabled */
#define PSR_ICC         0xf00000        /* integer condition codes */
#define PSR_SPARCLE     0x11000000      /* implementation and version: constants */

/* Bytes of the smallest stack frame: 16 words for the window, 8 for
 * arguments. */
#define FRAME_MIN       96

/* Trap types (V8, table 7-1). */
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
#define TT_INSTRUCTION_ERROR    0x21    /* fetch from a physical address where
                                           there is no memory */
#define TT_CP_DISABLED          0x24
#define TT_DATA_ERROR           0x29
#define TT_SOFTWARE             0x80    /* type of `ta n` is TT_SOFTWARE + n */

#endif /* SPARCLE_H */
