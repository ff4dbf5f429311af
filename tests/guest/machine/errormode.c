/*
 * A trap while traps are disabled: the node enters error mode, which ends the
 * machine. Argument: node, the one on which it happens, 0 if not given. All
 * others wait forever.
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
