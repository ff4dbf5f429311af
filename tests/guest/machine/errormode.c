/*
 * A trap with traps disabled: error mode, the end of the machine. Argument:
 * node, on which it happens, 0 unless given; the others wait for ever.
 */
#include "machine.h"
#include "ni.h"
#include "trap.h"

int main(void)
{
    if (ni_node() == argument("node", 0)) {
        psr_write(psr_read() & ~PSR_ET);
        asm volatile ("unimp 0");
    }
    for (;;) {
        cpu_wait();
    }
}
