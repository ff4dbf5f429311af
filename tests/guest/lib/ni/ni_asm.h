/*
 * The network interface for assembly: its operations by name, and the user
 * page's registers as displacements from %g0.
 */
#ifndef GUEST_NI_ASM_H
#define GUEST_NI_ASM_H

#include "sparcle.h"

/* Operations that take N, or the mask, from %o0, which is register 8. */
#define LAUNCH_O0       .word FUGU_INSN(FUGU_OPC_LAUNCH, 0, 8, 0)
#define LAUNCH_O0_D1    .word FUGU_INSN(FUGU_OPC_LAUNCH, 0, 8, 1)
#define LAUNCH_O0_D2    .word FUGU_INSN(FUGU_OPC_LAUNCH, 0, 8, 2)
#define BEGINATOM_O0    .word FUGU_INSN(FUGU_OPC_BEGINATOM, 0, 8, 0)
#define ENDATOM_O0      .word FUGU_INSN(FUGU_OPC_ENDATOM, 0, 8, 0)

/* Displacements from %g0: [%g0 + OUT(k)]. */
#define NI(offset)      (FUGU_NI_USER_DISP + (offset))
#define OUT(k)          NI(FUGU_U_OUT + 4 * (k))
#define IN(k)           NI(FUGU_U_RECORD + FUGU_REC_WINDOW + 4 * (k))
#define AVAILABLE       NI(FUGU_U_RECORD + FUGU_REC_AVAILABLE)
#define CYCLES          NI(FUGU_U_CYCLES)

#endif
