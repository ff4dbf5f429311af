/*
 * Runs for ever: for tests of timeouts, and to measure the speed of a loop in
 * which a third of the instructions access memory.
 *
 * With turns=N each node ends after N turns of ten instructions, prints how
 * many instructions that was, and exits with status 0. With waiters=1 only
 * node 0 runs the loop, all other nodes wait for an interrupt that never
 * comes, and node 0 ends the machine: this measures what a round costs for a
 * node that does nothing.
 */
#include "console.h"
#include "machine.h"
#include "ni.h"
#include "trap.h"

void spin_turns(uint32_t turns);        /* spin_code.S; 0 turns: for ever */

int main(void)
{
    uint32_t turns = argument("turns", 0);
    bool waiters = argument("waiters", 0);

    while (waiters && ni_node() != 0) {
        cpu_wait();
    }
    spin_turns(turns);
    printf("spin: %'u turns, %'llu instructions\n", turns, turns * 10ull);
    if (waiters) {
        machine_stop(0);
    }
    return 0;
}
