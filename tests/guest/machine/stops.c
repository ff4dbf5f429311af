/*
 * Every node ends the machine with a status of its own, 10 and its number, at
 * local time `at` plus `gap` times the nodes that come after it. With `from`,
 * node 0 does so at the end of straight code of some 60,000 cycles that begins
 * there; with `fails` as well, it goes into error mode instead.
 */
#include "../network/ahead.h"
#include "machine.h"
#include "message.h"
#include "ni.h"
#include "trap.h"

#define STOP    ((uint32_t)FUGU_CONTROL_BASE + FUGU_CONTROL_STOP)

int main(void)
{
    uint32_t node = ni_node(), at = argument("at", 100000);
    uint32_t from = argument("from", 0);

    pil_set(PIL_ALL);
    if (node == 0 && from) {
        until(from);
        if (argument("fails", 0)) {
            psr_write(psr_read() & ~PSR_ET);
            ahead_stop(0, STOP + 1);    /* a misaligned store */
        }
        ahead_stop(10, STOP);
    }
    until(at + (ni_nodes() - 1 - node) * argument("gap", 0));
    machine_stop(10 + node);
}
