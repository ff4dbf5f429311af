/*
 * Where an external interrupt is taken: after the next instruction whose
 * successor is not pc + 4 or lies in another page. These places depend on the
 * guest's code only, not on how the simulator divides it into blocks.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "machine.h"
#include "trap.h"

#define DELAY   60              /* cycles: the timer fires in the first nops */

/* Pieces of code in places_code.S, and what each shows. */
#define PLACES(PLACE) \
    PLACE(branch, "a branch that is taken is a place") \
    PLACE(untaken, "one that is not taken is none") \
    PLACE(next, "one to the next instruction is none") \
    PLACE(device, "an access to a device is none") \
    PLACE(psr, "a write of the PSR that unmasks nothing is none") \
    PLACE(trap, "a trap is one") \
    PLACE(page, "the end of a page is one")

#define DECLARE(name, text) \
    void place_##name(void); \
    extern const char place_##name##_place[];
PLACES(DECLARE)

#define ENTRY(name, text) { text, place_##name, place_##name##_place },
static const struct {
    const char *name;
    void (*code)(void);
    const char *place;
} places[] = { PLACES(ENTRY) };

static uint32_t taken_pc;

static void fired(struct trap *t)
{
    taken_pc = t->pc;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
}

static void skip(struct trap *t)
{
    trap_skip(t);
}

static void run(void (*code)(void), uint32_t delay)
{
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + delay;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    code();
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
}

int main(void)
{
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), fired);
    trap_set(TT_SOFTWARE + 1, skip);
    pil_set(PIL_NONE);
    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        taken_pc = 0;
        run(places[i].code, 1000000);           /* loads the cache */
        run(places[i].code, DELAY);
        check(places[i].name, taken_pc, (uint32_t)places[i].place);
    }
    return check_result();
}
