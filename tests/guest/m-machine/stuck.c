/*
 * The M-Machine's message interface (--ni m-machine): a slot that sends until there is
 * no space, and a main context that waits for an interrupt, on the bare machine. The
 * machine comes to a deadlock.
 */
#include "slots.h"
#include "trap.h"

/* stuck_code.S */
void sending_code(void);

int main(void)
{
    pil_set(PIL_ALL);
    set_segment(0, 0);
    set_handler(0, sending_code, 0);
    NI_K(FUGU_K_MM_RULES) = 0;
    NI_K(FUGU_K_MM_WATCHDOG) = argument("watchdog", 0);
    start_slot(0, sending_code);
    cpu_wait();
    return 0;
}
