/*
 * Single instructions to run under guard, in user or kernel mode. Each is a
 * leaf routine that begins with the instruction, so that a precise trap
 * reports the routine's address as pc.
 */
#ifndef GUEST_OPS_H
#define GUEST_OPS_H

#include <stdint.h>

/* NI operations, with N or the mask in %o0. */
void op_launch(void *n);
void op_launch_d1(void *n);     /* with one piece of a body, and with two */
void op_launch_d2(void *n);
void op_dispose(void *unused);
void op_beginatom(void *mask);
void op_endatom(void *mask);

/* One access to an address. A store writes 0 from %g0. */
void op_load(void *address);
void op_load_double(void *address);
void op_load_byte(void *address);
void op_store(void *address);
void op_store_double(void *address);
void op_store_byte(void *address);
void op_load_float(void *address);   /* a word uses %f0, a double %f0 and %f1 */
void op_load_float_double(void *address);
void op_store_float(void *address);
void op_store_float_double(void *address);
void op_swap(void *address);
void op_ldstub(void *address);

/* Stores `value` at `address`. The pc of the store is op_store_value_pc. */
struct op_store { uint32_t address, value; };
void op_store_value(void *op_store);
extern const char op_store_value_pc[];

/* Only returns: shows what RUN costs by itself. */
void op_nothing(void *unused);

#define PC(op) ((uint32_t)(uintptr_t)(op))

#endif
