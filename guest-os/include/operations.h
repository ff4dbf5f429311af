/*
 * The operations of the network interface (docs/machine.md; paper, table 1), as
 * instructions, for C and for assembly. All operands are constants, except in
 * NI_LAUNCH_MORE.
 *
 *   n     words to launch, 2 to 16, the pairs of address and length included
 *   d     pieces of the body: so many pairs are the last words; 2 * d is below n
 *   mask  bits of UAC: FUGU_UAC_INTERRUPT_DISABLE, FUGU_UAC_TIMER_FORCE
 *
 * docs/machine.md says when each operation traps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "fugu-regs.h"

#ifdef __ASSEMBLER__
/* In assembly: LAUNCH(n, d), DISPOSE, BEGINATOM(mask) and ENDATOM(mask), an instruction
 * each. Errors: as for those below. */
#define LAUNCH(n, d)    .word FUGU_INSN(FUGU_OPC_LAUNCH, n, 0, d)
#define DISPOSE         .word FUGU_INSN(FUGU_OPC_DISPOSE, 0, 0, 0)
#define BEGINATOM(mask) .word FUGU_INSN(FUGU_OPC_BEGINATOM, mask, 0, 0)
#define ENDATOM(mask)   .word FUGU_INSN(FUGU_OPC_ENDATOM, mask, 0, 0)
#else
/*
 * NI_NOTED(instruction) is an instruction, as a string. Programs define it anew, and so
 * leave a note with each launch and dispose (note.h). Errors: none.
 */
#ifndef NI_NOTED
#define NI_NOTED(instruction) instruction
#endif

#define NI_OPERATION_(word, opc, operand, d) \
    asm volatile (word : : "i" (FUGU_INSN(opc, operand, 0, d)) : "memory")

/* Launches n described words, the last 2 * d of which are pieces of a body. Errors:
 * ends the job (protection-violation) if n, d or the node are wrong. */
#define NI_LAUNCH(n, d) \
    NI_OPERATION_(NI_NOTED(".word %0"), FUGU_OPC_LAUNCH, n, d)

/*
 * Launches n + `more` words. Only `more` need not be a constant. Errors: as for
 * NI_LAUNCH().
 */
#define NI_LAUNCH_MORE(n, more) \
    do { \
        register uint32_t ni_more_ asm ("g1") = (more); \
        asm volatile (NI_NOTED(".word %0") \
                      : : "i" (FUGU_INSN(FUGU_OPC_LAUNCH, n, 1, 0)), \
                          "r" (ni_more_) : "memory"); \
    } while (0)
/* Frees the current message. Errors: ends the job (bad-dispose) if there is none. */
#define NI_DISPOSE() \
    NI_OPERATION_(NI_NOTED(".word %0"), FUGU_OPC_DISPOSE, 0, 0)
/* Sets or clears the bits of `mask` in UAC. Errors: NI_ENDATOM() ends the job
 * (dispose-failure) in a handler that has not disposed of its message. */
#define NI_BEGINATOM(mask) \
    NI_OPERATION_(".word %0", FUGU_OPC_BEGINATOM, mask, 0)
#define NI_ENDATOM(mask) \
    NI_OPERATION_(".word %0", FUGU_OPC_ENDATOM, mask, 0)
#endif

#endif /* OPERATIONS_H */
