/*
 * Long straight code: pages of nops in RAM, with a return at their end.
 * Arguments: pages=64, laps=2.
 *
 * The program consists of fetches only, in pieces as long as the simulator can
 * translate at once. When a test gives the simulator a small code buffer, the
 * code does not fit.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "machine.h"

#define CODE    0x40100000      /* RAM that nothing else uses */
#define PAGE    4096

#define INSN_NOP        0x01000000
#define INSN_RETL       0x81c3e008
#define INSN_ADD_O0     0x90022001      /* add %o0, 1, %o0 */

int main(void)
{
    uint32_t pages = argument("pages", 64), laps = argument("laps", 2);
    uint32_t end = CODE + pages * PAGE, count = 0;

    for (uint32_t at = CODE; at < end; at += 4) {
        REG(at) = INSN_NOP;
    }
    /* Each page counts itself. */
    for (uint32_t at = CODE + PAGE / 2; at < end; at += PAGE) {
        REG(at) = INSN_ADD_O0;
    }
    REG(end) = INSN_RETL;
    REG(end + 4) = INSN_NOP;
    for (uint32_t at = CODE; at < end + 8; at += 8) {
        asm volatile ("flush %0" : : "r" (at) : "memory");
    }
    for (uint32_t lap = 0; lap < laps; lap++) {
        count = ((uint32_t (*)(uint32_t))CODE)(count);
    }
    check("every page was run through", count, laps * pages);
    return check_result();
}
