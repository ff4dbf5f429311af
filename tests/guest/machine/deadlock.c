/*
 * Every node waits for a message that no node sends. With nothing in flight
 * and no timer set, the machine is deadlocked: it reports that and ends. With
 * `from`, node 0's wait is at the end of straight code of some 60,000 cycles
 * that begins there.
 */
#include "../network/ahead.h"
#include "am.h"
#include "message.h"
#include "trap.h"

static volatile uint32_t never;

int main(void)
{
    am_init();
    barrier();                          /* so that there was traffic before */
    if (ni_node() == 0 && argument("from", 0)) {
        until(argument("from", 0));
        pil_set(PIL_ALL);
        ahead_wait();
    }
    am_wait(&never, 1);
    return 1;
}
