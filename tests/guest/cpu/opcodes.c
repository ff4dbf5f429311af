/*
 * Every value of op, op2 and op3: what a SPARC V7 has is executed, and all else
 * takes the trap that V8's chapter 7 gives it, in user and supervisor mode, with
 * and without the FPU. The values of opf are the subject of `unimplemented`.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "machine.h"
#include "message.h"
#include "mmu.h"
#include "trap.h"

#define CODE    0x40080000      /* RAM that nothing else uses */
#define RETL    0x81c3e008
#define NOP     0x01000000

/* What an instruction does in a mode: 0, a trap type, or SKIP if it would
 * upset the program and other programs execute it. */
#define SKIP    0xff
#define ILL     0x02
#define PRIV    0x03
#define NO_FPU  0x04
#define FP      0x08
#define NO_CP   0x24

struct expected {
    uint8_t user, kernel;
    bool fpu;                   /* fp_disabled without the FPU */
};

#define FINE            { 0, 0, false }
#define FPU             { 0, 0, true }
#define BOTH(trap)      { trap, trap, false }
#define KERNEL_ONLY     { PRIV, 0, false }

static const struct expected op0[8] = {         /* by op2 */
    [0] = BOTH(ILL), [1] = BOTH(ILL), [3] = BOTH(ILL), [5] = BOTH(ILL),
    [2] = FINE,                                 /* bn */
    [4] = FINE,                                 /* sethi */
    [6] = FPU,                                  /* fbn */
    [7] = BOTH(NO_CP),
};

static const struct expected op2[64] = {        /* by op3 */
    [0x09 ... 0x0b] = BOTH(ILL), [0x0d ... 0x0f] = BOTH(ILL),
    [0x19 ... 0x1b] = BOTH(ILL), [0x1d ... 0x1f] = BOTH(ILL),
    [0x29 ... 0x2b] = KERNEL_ONLY,              /* rd %psr, %wim, %tbr */
    [0x2c ... 0x2f] = BOTH(ILL),                /* V9: movcc, sdivx, popc */
    [0x31 ... 0x33] = { PRIV, SKIP, false },    /* wr */
    [0x34 ... 0x35] = FPU,
    [0x36 ... 0x37] = BOTH(NO_CP),
    [0x39] = { PRIV, ILL, false },              /* rett with ET = 1 */
    [0x3c ... 0x3d] = BOTH(SKIP),               /* save, restore */
    [0x3e ... 0x3f] = BOTH(ILL),
};

static const struct expected op3[64] = {
    [0x08] = BOTH(ILL), [0x0b ... 0x0c] = BOTH(ILL), [0x0e] = BOTH(ILL),
    [0x10 ... 0x17] = KERNEL_ONLY,
    [0x18] = BOTH(ILL),
    [0x19 ... 0x1a] = KERNEL_ONLY,
    [0x1b ... 0x1c] = BOTH(ILL),
    [0x1d] = KERNEL_ONLY,
    [0x1e] = BOTH(ILL),
    [0x1f] = KERNEL_ONLY,
    [0x20 ... 0x21] = FPU,
    [0x22] = BOTH(ILL),                         /* V9: ldqf */
    [0x23 ... 0x25] = FPU,
    [0x26] = { PRIV, FP, true },                /* std %fq; the queue is empty */
    [0x27] = FPU,
    [0x28 ... 0x2f] = BOTH(ILL),
    [0x30 ... 0x31] = BOTH(NO_CP),
    [0x32] = BOTH(ILL),                         /* V9: ldqfa */
    [0x33 ... 0x35] = BOTH(NO_CP),
    [0x36] = { PRIV, NO_CP, false },            /* std %cq */
    [0x37] = BOTH(NO_CP),
    [0x38 ... 0x3f] = BOTH(ILL),
};

/* Fields of an instruction. */
#define RD(r)           ((uint32_t)(r) << 25)
#define OP3(op3)        ((uint32_t)(op3) << 19)
#define RS1(r)          ((uint32_t)(r) << 14)
#define I               0x2000u
#define ASI(asi)        ((uint32_t)(asi) << 5)
#define OPF(opf)        ((uint32_t)(opf) << 5)
#define O0              8
#define O7              15
#define KERNEL_DATA     11      /* an ASI */

static uint64_t memory[2];

static bool fpu_on;

/* Executes an instruction with %o0 = memory and all integer condition codes
 * clear. Puts the FPU back into its normal state. */
static unsigned execute(uint32_t instruction, enum mode mode)
{
    static uint32_t none;
    unsigned trap;

    REG(CODE) = instruction;
    trap = RUN(mode, CODE, memory, PIL_ALL);
    if (fpu_on) {
        asm volatile ("ld [%0], %%fsr" : : "r" (&none) : "memory");
    }
    return trap;
}

static void check_one(uint32_t instruction, const struct expected *e)
{
    for (enum mode mode = USER; mode <= KERNEL; mode++) {
        unsigned want = mode == USER ? e->user : e->kernel;

        if (e->fpu && !fpu_on && want != PRIV) {
            want = NO_FPU;
        }
        if (want != SKIP &&
            !check_quietly("trap", execute(instruction, mode), want)) {
            printf("  of %08x, %s\n", instruction,
                   mode == USER ? "user" : "kernel");
        }
    }
}

/* Operands with which an instruction of op 2 does nothing. */
static uint32_t harmless(unsigned op3)
{
    switch (op3) {
    case 0x2c:                  /* movcc and movfcc, always */
        return RD(O0) | I | RS1(0x18);
    case 0x34:
        return OPF(0x001);      /* fmovs */
    case 0x35:
        return OPF(0x051);      /* fcmps */
    case 0x38:                  /* jmpl: returns */
    case 0x39:
        return RS1(O7) | I | 8;
    case 0x3a:                  /* tn */
        return I;
    default:
        return RS1(O0) | I;
    }
}

static void check_table(void)
{
    const struct expected refused_i = { PRIV, ILL, false };

    for (unsigned i = 0; i < 8; i++) {
        check_one(i << 22, &op0[i]);
    }
    for (unsigned i = 0; i < 64; i++) {
        check_one(2u << 30 | OP3(i) | harmless(i), &op2[i]);
    }
    for (unsigned i = 0; i < 64; i++) {
        bool fsr = i == 0x21 || i == 0x25, alternate = (i & 0x30) == 0x10;
        uint32_t instruction = 3u << 30 | OP3(i) | RS1(O0) |
                               RD(fsr ? 0 : O0);

        check_one(instruction | (alternate ? ASI(KERNEL_DATA) : I), &op3[i]);
        if (alternate && !op3[i].kernel) {
            check_one(instruction | I, &refused_i);
        }
    }
}

/* Instructions of V9 in all their forms: condition, codes and register. */
static void check_moves(void)
{
    const struct expected refused = BOTH(ILL);

    for (unsigned k = 0; k < 32 * 8; k++) {
        uint32_t rest = RS1(k >> 3) | (k & 7) << 10 | RD(O0) | I;

        check_one(2u << 30 | OP3(0x2c) | rest, &refused);
        check_one(2u << 30 | OP3(0x2f) | rest, &refused);
    }
    check_sum("V9's conditional moves are illegal");
}

static void check_doubles(void)
{
    const struct expected refused = BOTH(ILL), alternate = { PRIV, ILL, false };
    const uint32_t odd = 3u << 30 | RS1(O0) | RD(O0 + 1);

    check_one(odd | OP3(0x03) | I, &refused);
    check_one(odd | OP3(0x07) | I, &refused);
    check_one(odd | OP3(0x13) | ASI(KERNEL_DATA), &alternate);
    check_one(odd | OP3(0x17) | ASI(KERNEL_DATA), &alternate);
    check_sum("ldd and std of an odd register are illegal");
}

/* Fields that V8 reserves: ignored, or refused. */
static void check_reserved(void)
{
#define ALU(op3)        (2u << 30 | OP3(op3) | RD(O0) | RS1(O0))
#define BITS_5_TO_12    0x1fe0
    static const struct {
        uint32_t instruction;
        uint8_t trap;
    } table[] = {
        { 2u << 30 | OP3(0x28) | RD(O0) | BITS_5_TO_12, 0 },    /* rd %y */
        { 2u << 30 | OP3(0x30) | BITS_5_TO_12, 0 },             /* wr %y */
        { 2u << 30 | OP3(0x30) | RD(5) | RS1(O0) | O0, 0 },     /* wr %asr5 */
        { 2u << 30 | OP3(0x30) | RD(5) | BITS_5_TO_12, ILL },
        { ALU(0x00) | BITS_5_TO_12, 0 },                        /* add */
        { ALU(0x24) | BITS_5_TO_12, 0 },                        /* mulscc */
        { ALU(0x25) | 0x20, ILL },                              /* sll */
        { ALU(0x25) | 0x1000, ILL },
        { ALU(0x25) | I | 32, ILL },
        { ALU(0x25) | I | 31, 0 },
        { 2u << 30 | OP3(0x38) | RS1(O7) | I | 8, 0 },          /* retl */
        { 2u << 30 | OP3(0x3a) | I | 0x1f80, 0 },               /* tn */
        { 2u << 30 | OP3(0x3a) | 0x20, ILL },
        { 2u << 30 | OP3(0x3b) | RS1(O0), 0 },                  /* flush */
        { 2u << 30 | OP3(0x3b) | RD(O0) | RS1(O0), ILL },
        { 2u << 30 | OP3(0x3b) | RS1(O0) | 0x20, ILL },
        { 3u << 30 | OP3(0x00) | RD(O0) | RS1(O0) | BITS_5_TO_12, 0 },
        { 3u << 30 | OP3(0x21) | RD(2) | RS1(O0) | I, ILL },    /* ld %fsr */
    };

    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct expected e = BOTH(table[i].trap);

        check_one(table[i].instruction, &e);
    }
    check_sum("reserved fields are ignored or refused");
}

/* ---- RETT that traps in the delay slot of JMPL ---------------------------- */

void rett_in_slot(void *unused);
extern const char rett_pc[], rett_target[];

asm (".text\n"
     "rett_in_slot:\n"
     "  set     rett_target, %g1\n"
     "  set     rett_pc + 4, %g2\n"
     "  ba      1f\n"
     "   nop\n"
     "1: jmpl   %g1, %g0\n"
     "rett_pc:\n"
     "   rett   %g2\n"
     "  nop\n"
     "  nop\n"
     "rett_target:\n"
     "  retl\n"
     "   nop\n");

static void check_rett(void)
{
    check("rett with ET = 1 is illegal", RUN(KERNEL, rett_in_slot, 0, PIL_ALL),
          ILL);
    check("its pc is saved", caught.pc, (uint32_t)rett_pc);
    check("and its npc, the target of the jmpl before it", caught.npc,
          (uint32_t)rett_target);
}

int main(void)
{
    uint32_t psr = psr_read();

    REG(CODE + 4) = RETL;
    REG(CODE + 8) = NOP;
    mmu_on();
    ni_fresh();
    fpu_on = true;
    check_table();
    check_sum("each instruction is executed or traps");
    check_moves();
    check_doubles();
    check_reserved();
    fpu_on = false;
    psr_write(psr & ~PSR_EF);
    check_table();
    check_sum("without the FPU, its instructions are fp_disabled");
    check_moves();
    psr_write(psr);
    check_rett();
    return check_result();
}
