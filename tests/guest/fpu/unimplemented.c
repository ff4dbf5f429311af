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

int main(void)
{
    REG(CODE + 4) = RETL;
    REG(CODE + 8) = NOP;
    check_fpops("FPop1", FPOP1, fpop1);
    check_fpops("FPop2", FPOP2, fpop2);
    check_disabled();
    return check_result();
}
