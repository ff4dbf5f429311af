/*
 * What soft atomicity costs a kernel: the pieces that docs/soft-kernel.md
 * counts, to the cycle, beside what the paper's table 4 has for them.
 */
#include "check.h"
#include "cycles.h"
#include "message.h"
#include "softcost.h"
#include "trap.h"

/* softcost_code.S */
typedef uint32_t piece(void);
piece c_gid_check, c_mode_test, c_timer_setup, c_timer_cleanup;
piece e_beginatom, e_endatom;
extern uint8_t softcost_process[P_SIZE];

#define TIMEOUT         5000
#define QUANTUM         0x300000123     /* with both halves */

#define WORD(offset)    (*(volatile uint32_t *)&softcost_process[offset])
#define COMPARE         REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE)

/* Docs' count, and the paper's. */
static const struct {
    const char *name;
    piece *piece;
    uint32_t cycles, paper;
} pieces[] = {
    { "gid check", c_gid_check, 8, 10 },
    { "mode test", c_mode_test, 6, 8 },
    { "timer setup", c_timer_setup, 13, 13 },
    { "timer cleanup", c_timer_cleanup, 9, 17 },
};

/* Cycles of a piece, warm. */
static uint32_t measure(piece *p)
{
    p();
    return p() - CYCLES_READ;
}

static void check_pieces(void)
{
    for (unsigned i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        check(pieces[i].name, measure(pieces[i].piece), pieces[i].cycles);
        check_true("which is no more than the paper's",
                   pieces[i].cycles <= pieces[i].paper);
    }
}

/* They do what they are for, and leave the fast path where they should. */
static void check_meaning(void)
{
    uint64_t before = cycles();

    c_timer_setup();
    check_true("the timer is set to the timeout from now",
               COMPARE > before + TIMEOUT && COMPARE < before + TIMEOUT + 100);
    c_timer_cleanup();
    check("and back to the quantum's end", COMPARE, QUANTUM);
    NI_K(FUGU_K_GID) = GID_OTHER;
    check("another's message is for the slow path", c_gid_check(), 0);
    NI_K(FUGU_K_GID) = GID_OWN;
    WORD(P_MODE) = 1;
    check("so is another mode", c_mode_test(), 0);
    WORD(P_MODE) = 0;
}

static void check_emulation(void)
{
    check("beginatom by trap", measure(e_beginatom) / P_COUNT, 29);
    check("it sets the bits", WORD(P_UAC), FUGU_UAC_USER);
    check("endatom by trap", measure(e_endatom) / P_COUNT, 35);
    check("it clears them", WORD(P_UAC), 0);
}

int main(void)
{
    ni_fresh();
    *(volatile uint64_t *)&softcost_process[P_QUANTUM] = QUANTUM;
    WORD(P_TIMEOUT) = TIMEOUT;
    message_send(ni_node(), 1, 2);
    settle();
    check_pieces();
    check_meaning();
    check_emulation();
    return check_result();
}
