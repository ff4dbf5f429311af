/*
 * Every node ends with its own status; the machine's status is the first that
 * is not zero.
 *
 * Arguments: status, and node, the node that ends with it (all others end with
 * 0); stop, a status with which node 0 ends the whole machine while the others
 * still run.
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
            /* runs until node 0 ends the machine */
        }
    }
    return ni_node() == argument("node", 0) ? argument("status", 7) : 0;
}
