/*
 * Runs for ever: for timeouts, and for the speed of a loop that a third of
 * its instructions spends on memory. With turns=N it ends after N turns,
 * ten instructions each.
 */
#include "console.h"
#include "machine.h"

void spin_turns(uint32_t turns);        /* spin_code.S; 0: for ever */

int main(void)
{
    uint32_t turns = argument("turns", 0);

    spin_turns(turns);
    printf("spin: %'u turns, %'llu instructions\n", turns, turns * 10ull);
    return 0;
}
