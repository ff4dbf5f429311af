/*
 * The floating-point unit, which belongs to whoever uses it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FPU_H
#define GLAZE_FPU_H

#include "memory.h"
#include "process.h"

/* The current process has met an instruction of the FPU while it was off. */
void fpu_use(void);

/*
 * The current process has met an exception: its pc is that of the instruction
 * (the trap has come behind it), and the FPU can be used again.
 */
void fpu_exception(void);

/* Whether an upcall has put values of the interrupted code aside. */
bool fpu_put_aside(void);

/* A message upcall of the current process ends: they come back. */
void fpu_upcall_end(void);

/* To a process that is to run, from one that has ended. */
void fpu_switch(struct process *p);
void fpu_forget(struct process *p);

/* A word that the current process, which has the FPU on, has in it. */
uint32_t fpu_register(unsigned number);
uint32_t fpu_status(void);

/* Between the FPU and the current process's memory. */
enum memory_result fpu_save(uint32_t address);
enum memory_result fpu_load(uint32_t address);

#endif /* GLAZE_FPU_H */
