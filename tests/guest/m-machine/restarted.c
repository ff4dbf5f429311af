/*
 * The M-Machine's message interface (--ni m-machine): slots that are started while they
 * wait, or get a message after a long time. They start level with the main context, on
 * the bare machine. The node sends to itself.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "pass.h"
#include "console.h"
#include "slots.h"
#include "trap.h"

#define LONG    200000          /* cycles for which a slot has waited */
#define TURNS   1000            /* of the main context's loop */

/* restarted_code.S */
void waiting_code(void);
void busy_code(void);
void send_none(uint32_t dest, uint32_t handler);

/* Cycles that the main context's loop takes. */
static uint32_t loop(void)
{
    uint32_t start = cycles32();

    for (volatile unsigned i = 0; i < TURNS; i++) {
    }
    return cycles32() - start;
}

/* The slot is busy from now on: it and the main context have half of the cycles each. */
static void check_half(const char *what, uint32_t alone)
{
    uint32_t beside = loop();

    check_true(what, beside > 2 * alone - 200 && beside < 2 * alone + 200);
}

static void check_priority(unsigned priority, uint32_t alone)
{
    start_slot(priority, busy_code);
    check_half("a slot that is started has half", alone);

    start_slot(priority, waiting_code);
    pass(LONG);
    start_slot(priority, busy_code);
    check_half("one that is started while it waits has half", alone);

    start_slot(priority, waiting_code);
    pass(LONG);
    NI_K(FUGU_K_MM_PRIORITY) = priority;
    send_none(at(NI_U(FUGU_U_NODE), 0), 0);
    check_half("one that has waited for a message has half", alone);
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_OFF;
}

int main(void)
{
    uint32_t alone;

    pil_set(PIL_ALL);
    set_segment(0, 0);
    set_handler(0, busy_code, 0);
    loop();
    alone = loop();
    printf("alone %lu\n", (unsigned long)alone);
    for (unsigned priority = 0; priority < FUGU_MM_PRIORITIES; priority++) {
        check_priority(priority, alone);
    }
    return check_result();
}
