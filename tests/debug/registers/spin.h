/*
 * Code with a known value in each register, to be interrupted.
 *
 *   spin.S             the code
 *   registers.c        messages interrupt it
 *   shared.c           accesses to shared memory and the library's alarm do
 *   signals.c          signals of MBCF do
 *   gdb_registers.py, test_debug_registers.py
 *                      compare what GDB shows of it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SPIN_H
#define SPIN_H

#define TURNS           200     /* of one call of spin() */

/* The value of a register, by GDB's number of it, before the exclusive or with the
 * call's salt; y is 64. */
#define VALUE(number)   (0x5a5a1000 + (number))

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Counts *counter up to TURNS, which takes some 4,000 cycles. Loads access[0]
 * and stores to access[1] in each turn. Calls that follow each other have
 * different `salt`: else what an earlier call has left would do as well. */
void hold(volatile uint32_t *counter, volatile uint32_t *access,
          uint32_t salt);

/* Changes all registers that a call may change. */
void clobber(void);
#endif

#endif /* SPIN_H */
