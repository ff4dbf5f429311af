/*
 * An FPop whose opf is reserved, or names quad precision, is an unimplemented
 * FPop (V8, section 4.4): it traps, and stands in the floating-point queue.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "fpu.h"
#include "machine.h"
#include "trap.h"

#define CODE    0x40080000      /* RAM that nothing else uses */
#define FPOP1   0x81a00000      /* of %f0, %f0 and %f0, with opf 0 */
#define FPOP2   0x81a80000
#define STDFQ   0xc1322000      /* std %fq, [%o0] */
#define RETL    0x81c3e008
#define NOP     0x01000000

#define OPFS    512

/* The operations of Sparcle's FPU: singles and doubles of V7. */
static const uint16_t fpop1[] = {
    0x001, 0x005, 0x009, 0x029, 0x02a, 0x041, 0x042, 0x045, 0x046, 0x049,
    0x04a, 0x04d, 0x04e, 0x0c4, 0x0c6, 0x0c8, 0x0c9, 0x0d1, 0x0d2, 0,
}, fpop2[] = {
    0x051, 0x052, 0x055, 0x056, 0,
};

static bool among(const uint16_t *list, uint16_t opf)
{
    while (*list && *list != opf) {
        list++;
    }
    return *list;
}

static void check_fpop(uint32_t instruction, bool defined, enum mode mode)
{
    uint32_t queue[2], fsr;
    bool good;

    REG(CODE) = instruction;
    good = check_quietly("trap", RUN(mode, CODE, 0, PIL_ALL),
                         defined ? 0 : TT_FP_EXCEPTION);
    fsr = fpu_drain(queue);
    good &= check_quietly("cause", FSR_FTT(fsr),
                          defined ? 0 : FTT_UNIMPLEMENTED);
    if (!defined) {
        good &= check_quietly("address in the queue", queue[0], CODE);
        good &= check_quietly("instruction in the queue", queue[1],
                              instruction);
    }
    if (!good) {
        printf("  of %08x\n", instruction);
    }
}

static void check_fpops(const char *name, uint32_t instruction,
                        const uint16_t *list)
{
    for (enum mode mode = USER; mode <= KERNEL; mode++) {
        for (uint32_t opf = 0; opf < OPFS; opf++) {
            check_fpop(instruction | opf << 5, among(list, opf), mode);
        }
    }
    check_sum(name);
}

static void check_disabled(void)
{
    uint32_t psr = psr_read();

    psr_write(psr & ~PSR_EF);
    for (uint32_t opf = 0; opf < OPFS; opf++) {
        REG(CODE) = FPOP1 | opf << 5;
        check_quietly("trap", RUN(KERNEL, CODE, 0, PIL_ALL), TT_FP_DISABLED);
    }
    psr_write(psr);
    check_sum("without an FPU, each is fp_disabled");
}

/* A division has left 1/3 inexact. Then an FPop that does not exist leaves cexc
 * as it is, and so does `std %fq` with an empty queue, which stays empty. */
static void check_cexc(void)
{
    static uint32_t words[4] __attribute__((aligned(8))) = {
        0x3f800000, 0x40400000,
    };
    uint32_t queue[2], fsr;
    static const uint32_t traps[] = { FPOP1 | 0x043 << 5, STDFQ };

    for (unsigned i = 0; i < 2; i++) {
        asm volatile ("ld [%0], %%f2; ld [%0 + 4], %%f3; ld [%0 + 8], %%fsr;"
                      "fdivs %%f2, %%f3, %%f4" : : "r" (words) : "memory");
        REG(CODE) = traps[i];
        check_quietly("trap", RUN(KERNEL, CODE, words + 2, PIL_ALL),
                      TT_FP_EXCEPTION);
        asm volatile ("st %%fsr, [%0]" : : "r" (&fsr) : "memory");
        check(i ? "std %fq with an empty queue leaves cexc alone"
                : "an unimplemented FPop leaves cexc alone",
              FSR_CEXC(fsr), FPU_NX);
        if (i) {
            check("and the queue is empty", fsr & FSR_QNE, 0);
            check("it is a sequence error", FSR_FTT(fsr), FTT_SEQUENCE);
        }
        words[2] = words[3] = 0;
        fpu_drain(queue);
    }
}

int main(void)
{
    REG(CODE + 4) = RETL;
    REG(CODE + 8) = NOP;
    check_fpops("FPop1", FPOP1, fpop1);
    check_fpops("FPop2", FPOP2, fpop2);
    check_disabled();
    check_cexc();
    return check_result();
}
