/*
 * The processor's registers: fields of the PSR, trap types, MMU accesses.
 * For C and assembly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PSR_H
#define GLAZE_PSR_H

#define NWINDOWS        8       /* register windows of a Sparcle */

#define PSR_CWP         0x1f    /* current window */
#define PSR_ET          0x20    /* traps enabled */
#define PSR_PS          0x40    /* S before the last trap */
#define PSR_S           0x80    /* supervisor mode */
#define PSR_PIL         0xf00   /* interrupts up to this level are masked */
#define PSR_PIL_HOLD    0xa00   /* users' messages, and below */
#define PSR_EF          0x1000  /* floating-point unit enabled */
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
#define TT_INSTRUCTION_ERROR    0x21
#define TT_CP_DISABLED          0x24
#define TT_DATA_ERROR           0x29
#define TT_SOFTWARE             0x80    /* ta 0; ta n is this plus n */

/* Alternate spaces (SPARC V8 manual, appendix H: reference MMU). */
#define ASI_PROBE               0x03    /* load: table entry; store: flush */
#define ASI_MMU                 0x04    /* the MMU's registers */

#define MMU_CONTROL             0x000
#define MMU_CONTEXT_TABLE       0x100
#define MMU_CONTEXT             0x200
#define MMU_FAULT_STATUS        0x300
#define MMU_FAULT_ADDRESS       0x400
#define MMU_FLUSH_PAGE          0x000   /* added to a page's address */
#define MMU_FLUSH_ALL           0x400

/* Fields of a page table entry. */
#define PTE_TYPE                0x03
#define PTE_POINTER             0x01    /* to the next table */
#define PTE_PAGE                0x02    /* maps */
#define PTE_ACCESS_SHIFT        2
#define PTE_ACCESS              0x1c
#define PTE_REFERENCED          0x20
#define PTE_MODIFIED            0x40
#define PTE_CACHEABLE           0x80    /* memory, and no device */

/* Access permissions: what the user may, what the kernel may. */
#define ACCESS_R_R              0
#define ACCESS_RW_RW            1
#define ACCESS_RX_RX            2
#define ACCESS_R_RW             5
#define ACCESS_NONE_RX          6
#define ACCESS_NONE_RWX         7

#endif /* GLAZE_PSR_H */
