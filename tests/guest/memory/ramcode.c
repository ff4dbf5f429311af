/*
 * Code in RAM: every node writes a different program to the same address, runs
 * it, and changes it by stores and by DMA, with a flush each time.
 *
 * All nodes share the boot image, and also the simulator's translation of its
 * code. Code in RAM belongs to one node.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "am.h"
#include "check.h"
#include "message.h"
#include "trap.h"

#define CODE    0x40080000      /* RAM that nothing else uses */
#define ROUNDS  50

/* retl; mov VALUE, %o0: the smallest routine with a result. */
#define INSN_RETL       0x81c3e008
#define INSN_MOV_O0     0x90102000      /* plus a value below 4096 */

static void flush(uint32_t address)
{
    asm volatile ("flush %0" : : "r" (address) : "memory");
}

static void write_code(uint32_t value)
{
    REG(CODE) = INSN_RETL;
    REG(CODE + 4) = INSN_MOV_O0 | value;
    flush(CODE);
    flush(CODE + 4);
}

static uint32_t run_code(enum mode mode)
{
    RUN(mode, CODE, 0, PIL_ALL);
    return caught.o[0];
}

/* Writes the same code, as the body of a message from this node to itself. */
static void write_by_dma(uint32_t value)
{
    static uint32_t code[2];

    code[0] = INSN_RETL;
    code[1] = INSN_MOV_O0 | value;
    ni_kernel_out(0, ni_node());
    ni_kernel_out(1, 0);
    ni_kernel_out(2, (uint32_t)code);
    ni_kernel_out(3, sizeof(code));
    NI_LAUNCH(4, 1);
    while (ni_body() == 0) {
        if (ni_available() && ni_body() == 0) {
            am_poll();          /* another node is already in the barrier */
        }
    }
    NI_U(FUGU_U_SB_ADDR) = CODE;
    NI_U(FUGU_U_SB_OFFSET) = 0;
    NI_U(FUGU_U_SB_COUNT) = sizeof(code);
    ni_dispose();
    flush(CODE);
    flush(CODE + 4);
}

int main(void)
{
    uint32_t node = ni_node();

    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t value = (node + round * 7) & 0xfff;

        write_code(value);
        barrier();      /* all nodes have written, none has run its code */
        check_quietly("kernel", run_code(KERNEL), value);
        check_quietly("user", run_code(USER), value);
        write_by_dma(value ^ 0x800);
        check_quietly("by DMA", run_code(USER), value ^ 0x800);
        barrier();
    }
    check_sum("every node runs its own code");
    return check_result();
}
