/*
 * Code that changes itself without FLUSH: what is stored is executed, from the
 * next instruction on, whether the processor or DMA stores it.
 *
 * The pieces of code are in RAM. Each is first run unchanged, so that the
 * simulator has translated it as a whole before it changes.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "message.h"
#include "ops.h"
#include "trap.h"

#define CODE    0x40080000      /* RAM that nothing else uses */
#define FARTHEST 40     /* most instructions between a store and its target */
#define PIECE   (FARTHEST + 8)

#define INSN_NOP        0x01000000
#define INSN_RETL       0x81c3e008
#define INSN_MOV_O0     0x90102000      /* plus a value below 4096 */
#define INSN_MOV_O1     0x92102000
#define INSN_MOV_O5_5   0x9a102005      /* mov 5, %o5 */
#define INSN_ADD_O0_O1  0x90020009      /* %o0 += %o1 */
#define INSN_SUBCC_O5   0x9aa36001      /* %o5 -= 1 */
#define INSN_BNE        0x12800000      /* plus a displacement in words */
#define INSN_BA         0x10800000
#define INSN_LDD_O2     0xd41a0000      /* ldd [%o0], %o2: the operands */
#define INSN_ST         0xd422c000      /* st %o2, [%o3] */
#define INSN_STD        0xd43b0000      /* std %o2, [%o4] */
#define INSN_LD_O4      0xd8022008      /* ld [%o0 + 8], %o4 */
#define DISPLACEMENT(n) ((uint32_t)(n) & 0x3fffff)

static volatile uint32_t *const code = (volatile uint32_t *)CODE;

/* What a piece of code loads into %o2, %o3 and %o4. */
static struct { uint32_t o2, o3, o4, spare; } operands
    __attribute__((aligned(8)));

static uint32_t nowhere[2] __attribute__((aligned(8)));

static uint32_t at(unsigned index)
{
    return CODE + 4 * index;
}

/* Returns the piece's result, or 0x10000 plus the trap type if it trapped. */
static uint32_t run(enum mode mode)
{
    unsigned trap = RUN(mode, CODE, &operands, PIL_ALL);

    return trap ? 0x10000 | trap : caught.o[0];
}

/* Fills the rest of the piece: retl and its slot at `index`, then nops. */
static void finish(unsigned index)
{
    code[index++] = INSN_RETL;
    while (index < PIECE) {
        code[index++] = INSN_NOP;
    }
}

/*
 * Fills the rest of the piece with `distance` nops, an instruction whose
 * result is 1, and the return. Returns the length without the return.
 */
static unsigned finish_with_result(unsigned index, unsigned distance)
{
    while (distance--) {
        code[index++] = INSN_NOP;
    }
    code[index++] = INSN_MOV_O0 | 1;
    finish(index);
    return index;
}

/* Writes a piece with a store that precedes its target by `distance`
 * instructions. Returns the length without the return. */
static unsigned write_ahead(unsigned distance)
{
    code[0] = INSN_LDD_O2;
    code[1] = INSN_ST;
    return finish_with_result(2, distance);
}

/* Runs the piece with a harmless store, which must return `before`. Then
 * runs it with a store of `o2` to `o3`, which must return `after`. */
static void check_change(const char *name, uint32_t o2, uint32_t o3,
                         uint32_t before, uint32_t after)
{
    for (enum mode mode = USER; mode <= KERNEL; mode++) {
        uint32_t old = *(volatile uint32_t *)o3;

        operands.o2 = o2;
        operands.o3 = (uint32_t)nowhere;
        for (int i = 0; i < 3; i++) {
            check_quietly(name, run(mode), before);
        }
        operands.o3 = o3;
        check_quietly(name, run(mode), after);
        *(volatile uint32_t *)o3 = old;
    }
}

/* ---- Stores -------------------------------------------------------------- */

static void check_ahead(void)
{
    for (unsigned distance = 0; distance <= FARTHEST; distance++) {
        unsigned length = write_ahead(distance);

        check_change("ahead", INSN_MOV_O0 | 2, at(length - 1), 1, 2);
    }
    check_sum("a store ahead of itself");
}

struct piece {
    const char *name, *sum;
    uint32_t code[9];                   /* ends with a 0, or with the array */
    unsigned target;                    /* index of the word that is changed */
    uint32_t insn;                      /* the new word */
    uint32_t before, after;             /* results */
};

static const struct piece pieces[] = {
    /* The store is in the delay slot of a branch, and changes its target. */
    { "slot", "a store in a delay slot",
      { INSN_LDD_O2, INSN_BA | DISPLACEMENT(3), INSN_ST, INSN_NOP,
        INSN_MOV_O0 | 1 },
      4, INSN_MOV_O0 | 2, 1, 2 },

    /* The store is before a branch, and changes the branch's delay slot. */
    { "into a slot", "a store into a delay slot",
      { INSN_LDD_O2, INSN_MOV_O0, INSN_ST, INSN_BA | DISPLACEMENT(3),
        INSN_MOV_O0 | 1, INSN_MOV_O0 | 3 },
      4, INSN_MOV_O0 | 2, 1, 2 },

    /* The store changes a branch, which then jumps further. */
    { "branch", "a store to a branch",
      { INSN_LDD_O2, INSN_MOV_O0, INSN_ST, INSN_BA | DISPLACEMENT(2),
        INSN_NOP, INSN_MOV_O0 | 1 },
      3, INSN_BA | DISPLACEMENT(3), 1, 0 },

    /* A loop of five laps: the first executes the old code, the others the
     * new. */
    { "loop", "a store behind itself, in a loop",
      { INSN_LDD_O2, INSN_MOV_O0, INSN_MOV_O5_5, INSN_MOV_O1 | 1,
        INSN_ADD_O0_O1, INSN_ST, INSN_SUBCC_O5, INSN_BNE | DISPLACEMENT(-4),
        INSN_NOP },
      3, INSN_MOV_O1 | 100, 5, 401 },

    /* The store changes itself after it has been executed. */
    { "itself", "a store to itself",
      { INSN_LDD_O2, INSN_ST, INSN_MOV_O0 | 1 },
      1, INSN_NOP, 1, 1 },
};

static void check_piece(const struct piece *p)
{
    const unsigned most = sizeof(p->code) / sizeof(p->code[0]);
    unsigned length;

    for (length = 0; length < most && p->code[length]; length++) {
        code[length] = p->code[length];
    }
    finish(length);
    check_change(p->name, p->insn, at(p->target), p->before, p->after);
    check_sum(p->sum);
}

/* One double store changes itself and the next instruction. */
static void check_double(void)
{
    code[0] = INSN_LD_O4;
    code[1] = INSN_LDD_O2;
    code[2] = INSN_STD;
    code[3] = INSN_MOV_O0 | 1;
    finish(4);
    operands.o2 = INSN_NOP;
    operands.o3 = INSN_MOV_O0 | 2;
    operands.o4 = (uint32_t)nowhere;
    check_quietly("double", run(USER), 1);
    check_quietly("double", run(USER), 1);
    operands.o4 = at(2);
    check_quietly("double", run(USER), 2);
    check_sum("a double store to itself and its successor");
}

/* ---- DMA ----------------------------------------------------------------- */

/* Sends a copy of the piece to this node, with one word changed. */
static void send_changed(unsigned words, unsigned index, uint32_t insn)
{
    static uint32_t copy[PIECE];

    for (unsigned i = 0; i < words; i++) {
        copy[i] = code[i];
    }
    copy[index] = insn;
    ni_kernel_out(0, HEADER_GID(ni_node(), GID_OWN));
    ni_kernel_out(1, 0);
    ni_kernel_out(2, (uint32_t)copy);
    ni_kernel_out(3, 4 * words);
    NI_LAUNCH(4, 1);
    settle();
    settle();
}

/* A storeback over the whole piece. Only the last word of the piece
 * changes. */
static void check_storeback(void)
{
    for (unsigned distance = 0; distance <= FARTHEST; distance++) {
        unsigned length = write_ahead(distance);

        ni_fresh();
        send_changed(length, length - 1, INSN_MOV_O0 | 2);
        NI_U(FUGU_U_SB_ADDR) = (uint32_t)CODE;
        NI_U(FUGU_U_SB_OFFSET) = 0;
        operands.o2 = 0;                        /* a storeback of no bytes */
        operands.o3 = FUGU_NI_USER_BASE + FUGU_U_SB_COUNT;
        for (int k = 0; k < 3; k++) {
            check_quietly("storeback", run(USER), 1);
        }
        operands.o2 = 4 * length;
        check_quietly("storeback", run(USER), 2);
        check_quietly("storeback", drain(), 1);
    }
    check_sum("a storeback over running code");
}

/* The kernel's dispose writes the head message, words and body, over the
 * piece. */
static void check_dispose(void)
{
    for (unsigned distance = 0; distance <= FARTHEST; distance++) {
        unsigned length;

        code[0] = FUGU_INSN(FUGU_OPC_DISPOSE, 0, 0, 0);
        length = finish_with_result(1, distance);

        ni_fresh();
        for (int k = 0; k < 3; k++) {           /* DMA is not armed */
            message_send(ni_node(), 1, 2);
            settle();
            check_quietly("dispose", run(KERNEL), 1);
        }
        send_changed(length, length - 1, INSN_MOV_O0 | 2);
        NI_K(FUGU_K_DMA_ADDR) = (uint32_t)CODE - 8;   /* two words come first */
        NI_K(FUGU_K_DMA_ARM) = 1;
        check_quietly("dispose", run(KERNEL), 2);
    }
    ni_fresh();
    check_sum("a dispose with DMA over running code");
}

int main(void)
{
    check_ahead();
    for (unsigned i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        check_piece(&pieces[i]);
    }
    check_double();
    check_storeback();
    check_dispose();
    return check_result();
}
