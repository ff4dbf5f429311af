/*
 * WRTBR writes the trap base address. The type of the last trap and the zeroes
 * below it stay (V8, section 4.2).
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "ops.h"
#include "trap.h"

/* Writes a base and more bits, and checks what is read back. Then restores the
 * register. No trap is taken meanwhile: interrupts are masked. */
static void check_write(uint32_t base, uint32_t more)
{
    uint32_t before, read;

    asm volatile ("rd %%tbr, %0; "
                  "wr %2, %%tbr; nop; nop; nop; rd %%tbr, %1; "
                  "wr %0, %%tbr; nop; nop; nop"
                  : "=&r" (before), "=&r" (read) : "r" (base | more));
    check_quietly("type of the last trap", (before & 0xff0) != 0, true);
    check_quietly("base and type", read, base | (before & 0xff0));
}

static void check_tbr(void)
{
    static const uint32_t more[] = { 0, 0x001, 0x00f, 0x010, 0xabc, 0xff0,
                                     0xfff };

    RUN(KERNEL, op_load, 2, PIL_ALL);           /* traps */
    for (unsigned i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
        check_write(0, more[i]);
        check_write(0xfedcb000, more[i]);
        check_write(0xfffff000, more[i]);
    }
    check_sum("a write of the TBR changes the base alone");
    check("traps go on as before", RUN(KERNEL, op_load, 2, PIL_ALL),
          TT_MISALIGNED);
}

int main(void)
{
    check_tbr();
    return check_result();
}
