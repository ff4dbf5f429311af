/*
 * Every node waits for a message that no node sends. With nothing in flight
 * and no timer set, the machine is deadlocked: it reports that and ends.
 */
#include "am.h"

static volatile uint32_t never;

int main(void)
{
    am_init();
    barrier();                          /* so that there was traffic before */
    am_wait(&never, 1);
    return 1;
}
