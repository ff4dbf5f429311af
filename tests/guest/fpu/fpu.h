/*
 * Single FPU operations, from bit patterns to bit patterns, and the trap and
 * FSR that they leave.
 */
#ifndef GUEST_FPU_H
#define GUEST_FPU_H

#include <stdbool.h>
#include <stdint.h>

/* Exceptions, as in the FSR's fields cexc, aexc and TEM (V8, section 4.4). */
#define FPU_NX          0x01
#define FPU_DZ          0x02
#define FPU_UF          0x04
#define FPU_OF          0x08
#define FPU_NV          0x10
#define FPU_ALL         0x1f

#define FSR_CEXC(fsr)   ((fsr) & 31)
#define FSR_AEXC(fsr)   ((fsr) >> 5 & 31)
#define FSR_FCC(fsr)    ((fsr) >> 10 & 3)
#define FSR_FTT(fsr)    ((fsr) >> 14 & 7)
#define FSR_QNE         0x2000          /* the floating-point queue has an
                                           entry */
#define FTT_IEEE        1
#define FTT_UNIMPLEMENTED 3
#define FTT_SEQUENCE    4

enum fpu_rounding { FPU_NEAREST, FPU_ZERO, FPU_UP, FPU_DOWN, FPU_ROUNDINGS };

/* An FSR with these traps enabled. */
static inline uint32_t fpu_fsr(enum fpu_rounding rounding, uint32_t traps)
{
    return (uint32_t)rounding << 30 | traps << 23;
}

/*
 * Leaf routines of fpu_code.S with a pointer to a struct fpu_operands: each
 * loads the FSR and the operands, and executes the instruction of its name.
 */
struct fpu_operands { uint64_t a, b, result; uint32_t fsr; };

void fpu_fadds(void *), fpu_faddd(void *), fpu_fsubd(void *);
void fpu_fmuls(void *), fpu_fmuld(void *), fpu_fdivs(void *), fpu_fdivd(void *);
void fpu_fdtos(void *), fpu_fstoi(void *), fpu_fdtoi(void *);
void fpu_fcmps(void *), fpu_fcmpes(void *), fpu_fcmpd(void *);
void fpu_fcmped(void *);

struct fpu_done {
    unsigned trap;              /* trap type, or 0 */
    uint64_t result;            /* FPU_OLD if nothing was written */
    uint32_t fsr;
};
#define FPU_OLD 0x0123456789abcdefull

/* Executes an operation of doubles. */
struct fpu_done fpu_double(void (*op)(void *), uint32_t fsr, uint64_t a,
                           uint64_t b);

/* The same for singles. The upper half of the result is the single. */
struct fpu_done fpu_single(void (*op)(void *), uint32_t fsr, uint32_t a,
                           uint32_t b);
#define FPU_SINGLE(done) ((uint32_t)((done).result >> 32))
#define FPU_OLD_SINGLE   ((uint32_t)(FPU_OLD >> 32))

/*
 * Reads the FSR, then takes the entries out of the floating-point queue, and
 * clears the FSR. Returns the FSR read. queue[] is the last entry: address and
 * instruction.
 */
uint32_t fpu_drain(uint32_t queue[2]);

#endif
