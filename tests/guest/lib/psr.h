/*
 * Fields of the processor state register and the like, for C and assembly.
 */
#ifndef GUEST_PSR_H
#define GUEST_PSR_H

#define NWINDOWS        8       /* register windows of the Sparcle */

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

/* Trap types of SPARC V7 that programs here look at. */
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

/* Software traps of this library. */
#define TRAP_FLUSH      3       /* flush windows to the stack, as ever */
#define TRAP_LEAVE      16      /* back to the caller of run_as() */
#define TRAP_KERNEL     17      /* call %o0(%o1) in supervisor mode */

#endif
