/*
 * Which accesses the MMU refuses, with which trap, and what the fault status
 * and fault address registers say of it (V8, appendix H): loads, stores and
 * fetches, and accesses to the instruction and data spaces (ASI 8 to 11), by
 * access rights and by level of the entry.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "machine.h"
#include "trap.h"
#include "walk.h"

#define CODE            0x100   /* offsets in the page */
#define DATA            0xa58
#define RETL            0x81c3e008
#define NOP             0x01000000
#define VALUE           0x600df00d

/* ---- Accesses ------------------------------------------------------------ */

/* Leaf routines: the instruction with its operand in %o0, and a result there.
 * Stores store VALUE, from %o1 and %o2. */
#define ACCESS(name, instruction) \
    void name(void *); \
    asm (".text; .global " #name "; " #name ": " \
         "set 0x600df00d, %o2; mov %o2, %o3; " instruction "; retl; nop")

ACCESS(load, "ld [%o0], %o0");
ACCESS(load_double, "ldd [%o0], %o0");
ACCESS(store, "st %o2, [%o0]");
ACCESS(store_byte, "stb %o2, [%o0]");
ACCESS(store_double, "std %o2, [%o0]");
ACCESS(load_user_text, "lda [%o0] 8, %o0");
ACCESS(load_user_text_double, "ldda [%o0] 8, %o0");
ACCESS(load_kernel_text, "lda [%o0] 9, %o0");
ACCESS(load_kernel_text_half, "lduha [%o0] 9, %o0");
ACCESS(load_user_data, "lda [%o0] 10, %o0");
ACCESS(load_kernel_data, "lda [%o0] 11, %o0");
ACCESS(store_user_text, "sta %o2, [%o0] 8");
ACCESS(store_user_text_half, "stha %o2, [%o0] 8");
ACCESS(store_kernel_text, "sta %o2, [%o0] 9");
ACCESS(store_kernel_text_byte, "stba %o2, [%o0] 9");
ACCESS(store_kernel_text_double, "stda %o2, [%o0] 9");
ACCESS(store_user_data, "sta %o2, [%o0] 10");
ACCESS(store_kernel_data, "sta %o2, [%o0] 11");

/* Access types of the fault status. */
enum { LOAD_DATA = 0, FETCH = 2, STORE_DATA = 4, STORE_TEXT = 6 };
#define OF_KERNEL 1

#define OWN     -1              /* the space of the mode that it runs in */

static const struct access {
    const char *name;
    void (*op)(void *);         /* NULL: a call of the code in the page */
    unsigned type;              /* access type of user mode */
    int space;                  /* USER, KERNEL or OWN */
} accesses[] = {
    { "ld", load, LOAD_DATA, OWN },
    { "ldd", load_double, LOAD_DATA, OWN },
    { "st", store, STORE_DATA, OWN },
    { "stb", store_byte, STORE_DATA, OWN },
    { "std", store_double, STORE_DATA, OWN },
    { "a fetch", NULL, FETCH, OWN },
    { "lda 8", load_user_text, FETCH, USER },
    { "ldda 8", load_user_text_double, FETCH, USER },
    { "lda 9", load_kernel_text, FETCH, KERNEL },
    { "lduha 9", load_kernel_text_half, FETCH, KERNEL },
    { "lda 10", load_user_data, LOAD_DATA, USER },
    { "lda 11", load_kernel_data, LOAD_DATA, KERNEL },
    { "sta 8", store_user_text, STORE_TEXT, USER },
    { "stha 8", store_user_text_half, STORE_TEXT, USER },
    { "sta 9", store_kernel_text, STORE_TEXT, KERNEL },
    { "stba 9", store_kernel_text_byte, STORE_TEXT, KERNEL },
    { "stda 9", store_kernel_text_double, STORE_TEXT, KERNEL },
    { "sta 10", store_user_data, STORE_DATA, USER },
    { "sta 11", store_kernel_data, STORE_DATA, KERNEL },
};
#define ACCESSES (sizeof(accesses) / sizeof(accesses[0]))

/* ---- What the manual says ------------------------------------------------ */

enum { READ = 1, WRITE = 2, EXEC = 4 };

/* The rights of user and kernel, by ACC. */
static const unsigned rights[8][2] = {
    { READ, READ }, { READ | WRITE, READ | WRITE },
    { READ | EXEC, READ | EXEC },
    { READ | WRITE | EXEC, READ | WRITE | EXEC }, { EXEC, EXEC },
    { READ, READ | WRITE }, { 0, READ | EXEC }, { 0, READ | WRITE | EXEC },
};

enum { NONE = 0, PROTECTION = 2, PRIVILEGE = 3 };

static unsigned needed(unsigned type)
{
    switch (type) {
    case LOAD_DATA:
        return READ;
    case FETCH:
        return EXEC;
    case STORE_DATA:
        return WRITE;
    default:                    /* to what is executed */
        return WRITE | EXEC;
    }
}

/* Fault type of an access with these rights (ACC), from USER or KERNEL space.
 * An access to a page that has nothing for the user is one of privilege. */
static unsigned fault(unsigned type, unsigned acc, int space)
{
    if (space == USER && rights[acc][USER] == 0) {
        return PRIVILEGE;
    }
    return needed(type) & ~rights[acc][space] ? PROTECTION : NONE;
}

#define ADDRESS_VALID 2

static uint32_t status(unsigned level, unsigned type, int space, unsigned fault)
{
    return level << 8 | (type + (space == KERNEL ? OF_KERNEL : 0)) << 5 |
           fault << 2 | ADDRESS_VALID;
}

/* ---- Checks -------------------------------------------------------------- */

static void check_access(const struct access *a, unsigned level, unsigned acc,
                         enum mode mode)
{
    uint32_t offset = a->op ? DATA : CODE;
    uint32_t at = walk_address(level) + offset;
    int space = a->space == OWN ? (int)mode : a->space;
    unsigned type = fault(a->type, acc, space), trap;
    unsigned want = a->op ? TT_DATA_ACCESS : TT_INSTRUCTION_ACCESS;
    bool good;

    walk_map(level, acc);
    mmu_fault_status();         /* clears it */
    REG(WALK_FRAMES + DATA) = REG(WALK_FRAMES + DATA + 4) = 0;
    trap = a->op ? RUN(mode, a->op, at, PIL_ALL) : RUN(mode, at, 0, PIL_ALL);
    good = check_quietly("trap", trap, type ? want : 0);
    if (type) {
        good &= check_quietly("fault address", mmu_fault_address(), at);
        good &= check_quietly("fault status", mmu_fault_status(),
                              status(level, a->type, space, type));
    } else {
        good &= check_quietly("no fault", mmu_fault_status(), 0);
    }
    if (a->type >= STORE_DATA) {
        good &= check_quietly("stored", REG(WALK_FRAMES + DATA) != 0, !type);
    }
    if (!good) {
        printf("  of %s in mode %u, level %u, ACC %u\n", a->name, mode, level,
               acc);
    }
}

static void check_rights(void)
{
    for (const struct access *a = accesses; a < accesses + ACCESSES; a++) {
        for (unsigned level = 1; level <= WALK_LEVELS; level++) {
            for (unsigned acc = 0; acc < 8; acc++) {
                check_access(a, level, acc, KERNEL);
                if (a->space == OWN) {
                    check_access(a, level, acc, USER);
                }
            }
        }
        check_sum(a->name);
    }
}

/* What is stored by ASI 8 and 9 is what is read and executed. */
static void check_text(void)
{
    uint32_t at = walk_address(WALK_LEVELS) + DATA;

    walk_map(WALK_LEVELS, MMU_ALL);
    REG(WALK_FRAMES + DATA) = 0;
    RUN(KERNEL, store_user_text, at, PIL_ALL);
    check("sta 8 stores its word", REG(WALK_FRAMES + DATA), VALUE);
    RUN(KERNEL, load_kernel_text, at, PIL_ALL);
    check("lda 9 loads it", caught.o[0], VALUE);
    check("sta 9 must be aligned",
          RUN(KERNEL, store_kernel_text, at + 2, PIL_ALL), TT_MISALIGNED);
    check("stda 9 to 8 bytes",
          RUN(KERNEL, store_kernel_text_double, at + 4, PIL_ALL),
          TT_MISALIGNED);
    check("the user has no ASIs", RUN(USER, store_user_text, at, PIL_ALL),
          TT_PRIVILEGED);
    mmu_off();
    REG(WALK_FRAMES + DATA) = 0;
    RUN(KERNEL, store_user_text, WALK_FRAMES + DATA, PIL_ALL);
    check("with the MMU off too", REG(WALK_FRAMES + DATA), VALUE);
    mmu_on_again();
}

/* A page that is mapped to nothing. */
static void check_bus_error(void)
{
    static const struct { const char *name; void (*op)(void *); } ops[] = {
        { "ld", load }, { "st", store }, { "lda 9", load_kernel_text },
        { "sta 9", store_kernel_text },
    };
    uint32_t at = MMU_TEST_WINDOW + DATA;

    check_group("mapped to nothing");
    mmu_map(MMU_TEST_WINDOW, 0x80000000, MMU_ALL);
    for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        mmu_fault_status();
        check_quietly("trap", RUN(KERNEL, ops[i].op, at, PIL_ALL),
                      TT_DATA_ERROR);
        check_quietly("fault address", mmu_fault_address(), at);
        check_sum(ops[i].name);
    }
    check("a fetch", RUN(KERNEL, at, 0, PIL_ALL), TT_INSTRUCTION_ERROR);
    check_group(NULL);
}

/* ---- ASIs that an instruction does not have ------------------------------ */

#define LDUBA   0xc0880000      /* opcodes, with %g0 as register */
#define STDA    0xc0b80000
#define LDA     0xc0800000
#define STA     0xc0a00000
#define LDSTUBA 0xc0e80000
#define SWAPA   0xc0f80000

static void check_no_asi(void)
{
    static const struct { uint32_t opcode; uint32_t asi; } none[] = {
        { LDA, 0x80 }, { LDUBA, 0x80 }, { STA, 0x80 }, { STDA, 0x80 },
        { LDA, 0x17 }, { STDA, 0x17 }, { LDA, 0x1f }, { STA, 0x1f },
        { LDSTUBA, 0x80 }, { LDSTUBA, 8 }, { LDSTUBA, 9 }, { SWAPA, 8 },
        { SWAPA, 9 }, { LDSTUBA, 0x17 },
    };

    walk_map(1, MMU_ALL);
    for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        /* rs1 is %o0 */
        REG(WALK_FRAMES + CODE) = none[i].opcode | 8 << 14 | none[i].asi << 5;
        mmu_fault_status();
        if (!check_quietly("trap", RUN(KERNEL, walk_address(1) + CODE, 0,
                                       PIL_ALL) == 0, false)) {
            printf("  of %08x\n", REG(WALK_FRAMES + CODE));
        }
    }
    check_sum("instructions without such an ASI trap");
}

int main(void)
{
    mmu_on();
    REG(WALK_FRAMES + CODE) = RETL;
    REG(WALK_FRAMES + CODE + 4) = NOP;
    check_rights();
    check_text();
    check_bus_error();
    check_no_asi();
    return check_result();
}
