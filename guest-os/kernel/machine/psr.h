/*
 * The MMU of the processor, beside what sparcle.h defines. For C and assembly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PSR_H
#define GLAZE_PSR_H

#include "sparcle.h"

#define PSR_PIL_HOLD    0xa00   /* masks users' messages and what is below */
#define PSR_PIL_STARVED 0xb00   /* masks all messages of the first network */

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
#define PTE_PAGE                0x02    /* maps a page, or a larger part */
#define PTE_ACCESS_SHIFT        2
#define PTE_ACCESS              0x1c
#define PTE_REFERENCED          0x20
#define PTE_MODIFIED            0x40
#define PTE_CACHEABLE           0x80    /* memory, not a device */

/* Access permissions: the user's, then the kernel's. */
#define ACCESS_R_R              0
#define ACCESS_RW_RW            1
#define ACCESS_RX_RX            2
#define ACCESS_R_RW             5
#define ACCESS_NONE_RX          6
#define ACCESS_NONE_RWX         7

/*
 * A page of memory that the user may write: access 1 (3 is not used). One that
 * the user may read: 0 to 3.
 */
#define PTE_WRITABLE_MASK (PTE_CACHEABLE | PTE_ACCESS | PTE_TYPE)
#define PTE_WRITABLE    (PTE_CACHEABLE | ACCESS_RW_RW << PTE_ACCESS_SHIFT | \
                         PTE_PAGE)
#define PTE_READABLE_MASK (PTE_CACHEABLE | 4 << PTE_ACCESS_SHIFT | PTE_TYPE)
#define PTE_READABLE    (PTE_CACHEABLE | PTE_PAGE)

#endif /* GLAZE_PSR_H */
