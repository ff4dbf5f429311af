/*
 * Call frame information: what a debugger finds below a trap.
 *
 * The constants are GDB's numbers of registers. Numbers from 72 on stand for
 * the window that the last trap has entered, whatever the current window is
 * (docs/debugging.md): 72 to 79 its locals, 80 to 87 its ins.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CFI_H
#define GLAZE_CFI_H

#include "machine/process.h"

#define CFI_Y           64
#define CFI_PSR         65
#define CFI_PC          68
#define CFI_NPC         69
#define CFI_TRAP_L      72
#define CFI_TRAP_I      80

#define CFI_SP          (GLAZE_PROCESS + P_OUT + 24)

        .cfi_sections .debug_frame

/*
 * From here on, the interrupted code's registers are as the trap found them.
 */
        .macro  CFI_TRAP
        .cfi_startproc simple
        .cfi_signal_frame
        .cfi_def_cfa CFI_TRAP_I + 6, 0
        .irp    n, 0, 1, 2, 3, 4, 5, 7
        .cfi_register 8 + \n, CFI_TRAP_I + \n
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7       ! its window, at its %sp
        .cfi_offset 16 + \n, 4 * \n
        .cfi_offset 24 + \n, 4 * \n + 32
        .endr
        .cfi_register CFI_PSR, CFI_TRAP_L
        .cfi_register CFI_PC, CFI_TRAP_L + 1
        .cfi_register CFI_NPC, CFI_TRAP_L + 2
        .endm

/* The first instruction of a vector: until then, the PSR is in the processor
 * alone. */
        .macro  READ_PSR
        .cfi_same_value CFI_PSR
        rd      %psr, %l0
        .cfi_register CFI_PSR, CFI_TRAP_L
        .endm

/*
 * CFI_GLOBALS: from here on, the trap's locals hold globals of the interrupted
 * code: `first` to %l(3 + first), and so on up to `last`. CFI_GLOBALS_LIVE:
 * %g1 to %g4 are as the trap found them.
 */
        .macro  CFI_GLOBALS first=1, last=4
        .irp    n, 1, 2, 3, 4
        .if     \n >= \first && \n <= \last
        .cfi_register \n, CFI_TRAP_L + 3 + \n
        .endif
        .endr
        .endm

        .macro  CFI_GLOBALS_LIVE
        .irp    n, 1, 2, 3, 4
        .cfi_same_value \n
        .endr
        .endm

/* A register is in memory at an address: DW_CFA_expression, DW_OP_const4u. */
        .macro  CFI_AT register, address
        .cfi_escape 0x10, \register, 5, 0x0c, (\address >> 24) & 0xff, \
                    (\address >> 16) & 0xff, (\address >> 8) & 0xff, \
                    \address & 0xff
        .endm

/*
 * From here on, the interrupted code's registers are in the process's page. So
 * is its %sp, which identifies the frame: DW_CFA_def_cfa_expression,
 * DW_OP_const4u, DW_OP_deref.
 */
        .macro  CFI_SAVED
        .cfi_escape 0x0f, 6, 0x0c, (CFI_SP >> 24) & 0xff, \
                    (CFI_SP >> 16) & 0xff, (CFI_SP >> 8) & 0xff, \
                    CFI_SP & 0xff, 0x06
        .irp    n, 1, 2, 3, 4, 5, 6, 7
        CFI_AT  \n, (GLAZE_PROCESS + P_G + 4 * \n)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        CFI_AT  (8 + \n), (GLAZE_PROCESS + P_OUT + 4 * \n)
        CFI_AT  (16 + \n), (GLAZE_PROCESS + P_WINDOW + 4 * \n)
        CFI_AT  (24 + \n), (GLAZE_PROCESS + P_WINDOW + 32 + 4 * \n)
        .endr
        CFI_AT  CFI_Y, (GLAZE_PROCESS + P_Y)
        CFI_AT  CFI_PSR, (GLAZE_PROCESS + P_PSR)
        CFI_AT  CFI_PC, (GLAZE_PROCESS + P_PC)
        CFI_AT  CFI_NPC, (GLAZE_PROCESS + P_NPC)
        .endm

/*
 * From here on, the current window is the one that an upcall runs in, which is
 * about to return: the interrupted code's pc, npc and outs are in that window,
 * its windows on its stack, and all else is as the code has left it.
 */
        .macro  CFI_UPCALL_LEFT
        .cfi_def_cfa 30, 0
        .cfi_window_save
        .cfi_same_value CFI_PSR
        .cfi_register CFI_PC, 17
        .cfi_register CFI_NPC, 18
        .endm

/* The code that follows has no caller. */
        .macro  CFI_OUTERMOST
        .cfi_startproc
        .cfi_undefined 15
        .endm

#endif /* GLAZE_CFI_H */
