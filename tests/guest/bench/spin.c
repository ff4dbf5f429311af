/*
 * Runs for ever: for timeouts, and for the speed of a loop that a third of
 * its instructions spends on memory. With turns=N it ends after N turns,
 * ten instructions each. With waiters=1 node 0 alone does so, while all
 * others wait for what never comes, and then it ends the machine: for what a
 * round costs a node that does nothing.
 */
#include "console.h"
#include "machine.h"
#include "ni.h"
#include "trap.h"

void spin_turns(uint32_t turns);        /* spin_code.S; 0: for ever */

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
