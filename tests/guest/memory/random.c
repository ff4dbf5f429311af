/*
 * Random programs that change themselves: instructions that load and store
 * instructions, through two addresses of the same page, and branch. Arguments:
 * seed=1, programs=300.
 *
 * No result is right or wrong in itself: the result must be the same however
 * the simulator divides, keeps and drops its translations of the code. To show
 * this, the program prints a checksum of every sixteenth program's state. It
 * also checks that enough programs ran long, trapped or ended; the exit status
 * is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "cycles.h"
#include "mmu.h"
#include "random.h"
#include "trap.h"

#define PAGE    4096
#define WORDS   (PAGE / 4)
#define FIRST   480             /* the program's first word within its page */
#define LENGTH  48
#define REACH   32              /* range of a branch, in words */
#define LIMIT   3000            /* cycles of a program */

/* The two addresses of the page: HERE is executed. */
#define HERE    MMU_TEST_WINDOW
#define THERE   (MMU_TEST_WINDOW + 5 * PAGE)

#define INSN_LEAVE      (0x91d02000 | TRAP_LEAVE)       /* ta TRAP_LEAVE */
#define FORMAT3(op, rd, op3, rs1, simm) \
    ((uint32_t)(op) << 30 | (uint32_t)(rd) << 25 | (op3) << 19 | \
     (rs1) << 14 | 0x2000 | ((simm) & 0x1fff))

static uint32_t frame[WORDS] __attribute__((aligned(PAGE)));
static uint32_t state;

static uint32_t below(uint32_t limit)
{
    return random_below(&state, limit);
}

/* A random word of the program, as displacement from the middle of the page. */
static uint32_t place(void)
{
    return 4 * (FIRST + below(16) + below(16) + below(16)) - PAGE / 2;
}

/* Returns a random instruction. %o2 to %o5 hold numbers, %g1 to %g4
 * instructions, %o0 and %o1 the two addresses of the page. */
static uint32_t insn(void)
{
    static const uint8_t alu[] = {
        0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x13, 0x14, 0x24, 0x25, 0x26,
    };
    uint32_t number = 10 + below(4), word = 1 + below(4);
    uint32_t base = 8 + below(2), at = place();

    switch (below(16)) {
    case 0: case 1: case 2:
        return FORMAT3(2, number, alu[below(12)], 10 + below(4),
                       random_next(&state));
    case 3:
        return FORMAT3(3, number, 0x00, base, at);              /* ld */
    case 4:
        return FORMAT3(3, number & ~1, 0x03, base, at & ~4);    /* ldd */
    case 5: case 6: case 7:
        return FORMAT3(3, word, 0x04, base, at);                /* st */
    case 8:
        return FORMAT3(3, 2, 0x07, base, at & ~4);              /* std */
    case 9:
        return FORMAT3(3, word, 0x0f, base, at);                /* swap */
    case 10:
        return FORMAT3(3, 2 * below(4), 0x23, base, at);        /* ldd, FPU */
    case 11:
        return FORMAT3(3, 2 * below(4), 0x27, base, at);        /* std, FPU */
    case 12:
        return FORMAT3(3, below(8), 0x24, base, at);            /* st, FPU */
    case 13:
        return FORMAT3(2, 0, 0x3b, base, at);                   /* flush */
    default:                                                    /* bicc */
        return below(2) << 29 | below(16) << 25 | 2 << 22 |
               ((below(16) + below(16) + 2 - REACH / 2) & 0x3fffff);
    }
}

static void build(void)
{
    for (unsigned i = 0; i < WORDS; i++) {
        frame[i] = INSN_LEAVE;
    }
    for (unsigned i = FIRST; i < FIRST + LENGTH; i++) {
        frame[i] = insn();
    }
}

static void expired(struct trap *t)
{
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
    run_leave(t);
}

/* Loads the registers and jumps to the program. */
extern const char random_enter[];
asm ("random_enter:\n"
     "  ldd     [%o0 + 8], %g2\n"
     "  ldd     [%o0 + 16], %f0\n"
     "  ldd     [%o0 + 24], %f2\n"
     "  ldd     [%o0 + 32], %f4\n"
     "  ldd     [%o0 + 40], %f6\n"
     "  ld      [%o0 + 48], %g1\n"
     "  ld      [%o0 + 52], %g4\n"
     "  ld      [%o0 + 56], %o5\n"
     "  mov     1, %o2\n"
     "  mov     2, %o3\n"
     "  mov     3, %o4\n"
     "  ldd     [%o0], %o0\n"           /* both addresses of the page */
     "  jmp     %o5\n"
     "   subcc  %o2, %o3, %o5\n");      /* delay slot: condition codes */

static uint32_t hash(uint32_t sum, uint32_t word)
{
    return (sum << 5 | sum >> 27) ^ word;
}

static uint32_t run_one(void)
{
    static uint32_t loaded[16] __attribute__((aligned(8)));
    uint32_t sum;

    build();
    loaded[0] = HERE + PAGE / 2;
    loaded[1] = THERE + PAGE / 2;
    for (unsigned i = 2; i < 14; i++) {
        loaded[i] = insn();
    }
    loaded[14] = HERE + 4 * FIRST;
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + LIMIT;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    sum = RUN(USER, random_enter, loaded, PIL_NONE);
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;

    sum = hash(hash(sum, caught.pc), caught.npc);
    for (unsigned i = 0; i < 8; i++) {
        sum = hash(sum, caught.o[i]);
    }
    for (unsigned i = 0; i < WORDS; i++) {
        sum = hash(sum, frame[i]);
    }
    return hash(sum, cycles32());
}

int main(void)
{
    uint32_t seed = argument("seed", 1), programs = argument("programs", 300);
    uint32_t trapped = 0, timed = 0;

    mmu_on();
    mmu_map(HERE, (uint32_t)frame, MMU_ALL);
    mmu_map(THERE, (uint32_t)frame, MMU_ALL);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), expired);
    for (uint32_t i = 0; i < programs; i++) {
        uint32_t sum;

        state = random_stream(seed, i >> 8, i & 0xff, 0);
        sum = run_one();
        timed += caught.type == FUGU_TT_IRQ(FUGU_IRQ_TIMER);
        trapped += caught.type == TT_MISALIGNED;
        if (i % 16 == 0) {
            printf("%u: %08x\n", (unsigned)i, (unsigned)sum);
        }
    }
    mmu_off();
    printf("%u ran on, %u trapped\n", (unsigned)timed, (unsigned)trapped);
    check_true("some ran until they were stopped", timed > programs / 32);
    check_true("some trapped", trapped > programs / 32);
    check_true("some ended", timed + trapped < programs - programs / 32);
    return check_result();
}
