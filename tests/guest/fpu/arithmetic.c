/*
 * Random arithmetic of the FPU, in all rounding modes and with traps, and what
 * it leaves in the FSR. The program checks nothing: tests compare runs whose
 * arithmetic is the host's with runs whose arithmetic is done in software.
 *
 * Arguments: ops=N operations on each node, seed=N. Each node prints a sum of
 * all results, traps and FSRs after every eighth of its operations, and how
 * many FSRs showed an inexact operation, none, or another exception.
 */
#include "console.h"
#include "fpu.h"
#include "machine.h"
#include "ni.h"
#include "random.h"
#include "trap.h"

#define LINES 8

/* ---- Operations ---------------------------------------------------------- */

enum size { SINGLE, DOUBLE };

#define OPS(X) \
    X(fadds, SINGLE) X(fsubs, SINGLE) X(fmuls, SINGLE) X(fdivs, SINGLE) \
    X(faddd, DOUBLE) X(fsubd, DOUBLE) X(fmuld, DOUBLE) X(fdivd, DOUBLE) \
    X(fsqrts, SINGLE) X(fsqrtd, DOUBLE) X(fitos, SINGLE) X(fitod, SINGLE) \
    X(fstod, SINGLE) X(fdtos, DOUBLE) X(fstoi, SINGLE) X(fdtoi, DOUBLE) \
    X(fmovs, SINGLE) X(fcmps, SINGLE) X(fcmpd, DOUBLE) X(fcmped, DOUBLE)

#define DECLARE(name, size) void fpu_##name(void *), fpu_next_##name(void *);
OPS(DECLARE)

#define ENTRY(name, size) { fpu_##name, fpu_next_##name, size },
static const struct operation {
    void (*with_fsr)(void *), (*next)(void *);
    enum size size;
} operations[] = { OPS(ENTRY) };
#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

/* ---- Random operands ----------------------------------------------------- */

static uint32_t state;

static uint32_t bits(unsigned n)
{
    return random_next(&state) >> (32 - n);
}

static const uint64_t doubles[] = {
    0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x0010000000000001, 0x0020000000000000,
    0x3690000000000000, 0x380fffffffffffff, 0x3810000000000000,
    0x3fefffffffffffff, 0x3ff0000000000000, 0x4008000000000000,
    0x41dfffffffffffff, 0x7fefffffffffffff, 0x7ff0000000000000,
    0x7ff8000000000001,
};

static const uint32_t singles[] = {
    0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x01000000,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x40400000, 0x4effffff, 0x4f000000,
    0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001,
};

/* Any exponent, or one near 0 in two of three cases. */
static uint32_t exponent(unsigned width)
{
    return random_below(&state, 3) == 0
        ? bits(width) : (1 << (width - 1)) - 9 + bits(4);
}

/* A third of the mantissas have few bits, so that some results are exact. */
static uint32_t mantissa(unsigned width)
{
    uint32_t m = bits(width);

    return random_below(&state, 3) == 0 ? m >> (width - 3) << (width - 3) : m;
}

static uint64_t random_single(void)
{
    uint32_t sign = bits(1) << 31;

    return (uint64_t)(random_below(&state, 4) == 0
                      ? singles[bits(4)] | sign
                      : sign | exponent(8) << 23 | mantissa(23)) << 32;
}

static uint64_t random_double(void)
{
    uint32_t sign = bits(1) << 31;
    uint32_t low = random_below(&state, 3) == 0 ? 0 : bits(32);

    return random_below(&state, 4) == 0
        ? doubles[bits(4)] | (uint64_t)sign << 32
        : (uint64_t)(sign | exponent(11) << 20 | mantissa(20)) << 32 | low;
}

/* Returns an operand. A quarter are the last result. */
static uint64_t random_operand(enum size size, uint64_t last)
{
    if (bits(2) == 0) {
        return last;
    }
    return size == SINGLE ? random_single() : random_double();
}

/* Mostly an FSR that lets the host compute: round to nearest, nothing traps,
 * and aexc has an inexact result. */
static uint32_t random_fsr(void)
{
    uint32_t rounding = bits(1) ? FPU_NEAREST : bits(2);
    uint32_t traps = bits(2) ? 0 : bits(5);
    uint32_t accrued = bits(5) | (bits(2) ? FPU_NX : 0);

    return fpu_fsr(rounding, traps) | accrued << 5;
}

/* ---- Runs of operations -------------------------------------------------- */

static uint32_t sum, inexact, exact, others;

static void add(uint32_t word)
{
    sum = (sum << 5 | sum >> 27) + word;
}

static void add_fsr(uint32_t fsr)
{
    add(fsr);
    switch (FSR_CEXC(fsr)) {
    case 0:
        exact++;
        break;
    case FPU_NX:
        inexact++;
        break;
    default:
        others++;
    }
}

static const struct operation *random_operation(void)
{
    uint32_t number;

    do {
        number = bits(5);
    } while (number >= OPERATIONS);
    return &operations[number];
}

/* Executes one operation that loads `fsr`, or leaves the FSR alone if it is
 * NULL. Returns the result. */
static uint64_t execute(uint64_t last, const uint32_t *fsr)
{
    const struct operation *op = random_operation();
    struct fpu_operands operands __attribute__((aligned(8))) = {
        random_operand(op->size, last), random_operand(op->size, last),
        FPU_OLD, fsr ? *fsr : 0,
    };

    if (fsr && *fsr & FPU_ALL << 23) {
        add(RUN(KERNEL, op->with_fsr, &operands, PIL_ALL));
    } else {
        (fsr ? op->with_fsr : op->next)(&operands);
    }
    asm volatile ("std %%f4, [%0]" : : "r" (&operands.result) : "memory");
    add(operands.result >> 32);
    add(operands.result);
    return operands.result;
}

/* Executes one to four operations, and looks at the FSR after the last. If
 * traps are enabled, it is one. Returns the number. */
static uint32_t execute_some(void)
{
    uint32_t fsr = random_fsr(), count = 1, queue[2];
    uint64_t last = execute(random_double(), &fsr);

    if (!(fsr & FPU_ALL << 23)) {
        for (uint32_t more = bits(2); more > 0; more--) {
            last = execute(last, NULL);
            count++;
        }
    }
    add_fsr(fpu_drain(queue));
    return count;
}

int main(void)
{
    uint32_t ops = argument("ops", 2000), done = 0;

    state = random_stream(argument("seed", 1), ni_node(), 0, 0);
    for (uint32_t line = 1; line <= LINES; line++) {
        while (done < ops / LINES * line) {
            done += execute_some();
        }
        printf("node %u, %u operations: 0x%08x\n", ni_node(), done, sum);
    }
    printf("node %u: %u inexact, %u exact, %u other\n", ni_node(), inexact,
           exact, others);
    return 0;
}
