/*
 * Every node ends with a status of its own; the machine has the first that
 * is not zero.
 *
 * Arguments: status and node, which ends with it (all others with 0); stop,
 * with which node 0 ends the whole machine while the others still run.
 */
#include "machine.h"
#include "ni.h"

int main(void)
{
    uint32_t stop = argument("stop", UINT32_MAX);

    if (stop != UINT32_MAX) {
        if (ni_node() == 0) {
            machine_stop(stop);
        }
        for (;;) {
            /* until node 0 ends it */
        }
    }
    return ni_node() == argument("node", 0) ? argument("status", 7) : 0;
}
