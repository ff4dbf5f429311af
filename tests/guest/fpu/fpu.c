#include "fpu.h"
#include "trap.h"

uint32_t fpu_drain(uint32_t queue[2])
{
    uint64_t entry __attribute__((aligned(8))) = 0;
    uint32_t fsr, first, zero = 0;

    asm volatile ("st %%fsr, [%0]" : : "r" (&first) : "memory");
    for (fsr = first; fsr & FSR_QNE;) {
        asm volatile ("std %%fq, [%0]" : : "r" (&entry) : "memory");
        asm volatile ("st %%fsr, [%0]" : : "r" (&fsr) : "memory");
    }
    asm volatile ("ld [%0], %%fsr" : : "r" (&zero) : "memory");
    queue[0] = entry >> 32;
    queue[1] = entry;
    return first;
}

struct fpu_done fpu_double(void (*op)(void *), uint32_t fsr, uint64_t a,
                           uint64_t b)
{
    struct fpu_operands operands __attribute__((aligned(8))) = {
        a, b, FPU_OLD, fsr,
    };
    struct fpu_done done;
    uint32_t queue[2];

    done.trap = RUN(KERNEL, op, &operands, PIL_ALL);
    asm volatile ("std %%f4, [%0]" : : "r" (&operands.result) : "memory");
    done.result = operands.result;
    done.fsr = fpu_drain(queue);
    return done;
}

struct fpu_done fpu_single(void (*op)(void *), uint32_t fsr, uint32_t a,
                           uint32_t b)
{
    return fpu_double(op, fsr, (uint64_t)a << 32, (uint64_t)b << 32);
}
