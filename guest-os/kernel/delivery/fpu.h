/*
 * The floating-point unit: which process has it, and its registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FPU_H
#define GLAZE_FPU_H

#include "machine/process.h"
#include "memory/memory.h"

/* Handles an FPU instruction of the current process while the FPU was off. */
void fpu_use(void);

/*
 * Handles an FPU exception of the current process. Sets its pc to the
 * instruction that has raised the exception (the trap comes later), and makes
 * the FPU usable again.
 */
void fpu_exception(void);

/* Returns whether an upcall has put the interrupted code's values aside. */
bool fpu_put_aside(void);

/*
 * Loads those values again, if the code that goes on at the end of an upcall is
 * the one that they belong to. Call this after upcall_leave().
 */
void fpu_upcall_end(void);

/* Gives the FPU to a process that is to run; takes it from one that ends. */
void fpu_switch(struct process *p);
void fpu_forget(struct process *p);

/*
 * Return an FPU register, and the FSR, of the current process, whose FPU is
 * on.
 */
uint32_t fpu_register(unsigned number);
uint32_t fpu_status(void);

/* Copy the FPU's registers to the current process's memory, and from there. */
enum memory_result fpu_save(uint32_t address);
enum memory_result fpu_load(uint32_t address);

#endif /* GLAZE_FPU_H */
