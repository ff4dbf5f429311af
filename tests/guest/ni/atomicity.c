/*
 * Revocable interrupt disable: the UAC's bits and the atomicity timer.
 *
 * How many cycles the timer counts for a piece of user code is not known
 * exactly, since the kernel's way there and back counts too. What additional turns of the code's loop add is known: three
 * cycles each.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "message.h"
#include "ops.h"
#include "trap.h"

/* Defined in atomicity_code.S. */
void spin_user(void *turns);
void spin_section(void *turns);
void spin_dispose_spin(void *turns);

#define TURN    3               /* cycles of one turn of a loop */
#define PRESET  10000           /* more than any of the pieces takes */
#define SOME    50              /* cycles: more than a few instructions take */
#define WAY     500             /* more than the way from the kernel to a piece */

#define ID      FUGU_UAC_INTERRUPT_DISABLE
#define TF      FUGU_UAC_TIMER_FORCE

static uint32_t node;

static uint32_t timer(void)
{
    return NI_K(FUGU_K_TIMER);
}

/* Returns whether the timer is at `cycles`, or has counted for a moment. */
static bool is_about(uint32_t cycles)
{
    return cycles - timer() < SOME;
}

/* Returns what the timer counts while `piece` runs in user mode with `uac`. */
static uint32_t counted(void (*piece)(void *), uint32_t argument, uint32_t uac)
{
    NI_K(FUGU_K_UAC) = 0;       /* disabled: the timer is preset */
    NI_K(FUGU_K_UAC) = uac;
    RUN(USER, piece, argument, PIL_ALL);
    return PRESET - timer();
}

/* Returns what a hundred more turns add. The first run loads the cache. */
static uint32_t hundred_turns(uint32_t uac)
{
    uint32_t fewer;

    counted(spin_user, 1, uac);
    fewer = counted(spin_user, 100, uac);
    return counted(spin_user, 200, uac) - fewer;
}

/* ---- When the timer is enabled ------------------------------------------- */

static void check_enabled(const char *name, uint32_t uac, bool enabled)
{
    NI_K(FUGU_K_TIMEOUT) = PRESET;
    check_quietly(name, hundred_turns(uac), enabled ? 100 * TURN : 0);
    check_quietly(name, counted(spin_user, 100, uac) > 0, enabled);
    check_sum(name);
}

static void check_rules(void)
{
    ni_fresh();
    check_group("no message");
    check_enabled("neither bit: disabled", 0, false);
    check_enabled("interrupt-disable: disabled", ID, false);
    check_enabled("timer-force: enabled", TF, true);
    check_enabled("both: enabled", ID | TF, true);
    check_enabled("the kernel's bits have no say",
                  FUGU_UAC_ALL & ~FUGU_UAC_USER, false);

    message_send(node, 1, 2);
    settle();
    check_group("a message");
    check_enabled("neither bit: disabled", 0, false);
    check_enabled("interrupt-disable: enabled", ID, true);
    check_enabled("timer-force: enabled", TF, true);

    NI_K(FUGU_K_DIVERT) = 1;
    check_group("a message, divert-mode");
    check_enabled("interrupt-disable: disabled", ID, false);
    check_enabled("timer-force: enabled", TF, true);
    NI_K(FUGU_K_DIVERT) = 0;
    NI_K(FUGU_K_GID) = GID_OTHER;
    check_group("another's message");
    check_enabled("interrupt-disable: disabled", ID, false);
    check_group(NULL);
}

/* ---- What sets the timer, and what holds it ------------------------------ */

static void check_preset(void)
{
    ni_fresh();
    NI_K(FUGU_K_TIMEOUT) = PRESET;
    check("disabled, the timer holds the preset", timer(), PRESET);
    NI_K(FUGU_K_TIMER) = 5;
    check("disabled, it cannot be written", timer(), PRESET);
    NI_K(FUGU_K_UAC) = TF;
    NI_K(FUGU_K_TIMEOUT) = PRESET + 1;
    check_true("enabled, a new preset is for later", is_about(PRESET));
    NI_K(FUGU_K_TIMER) = 5000;
    check_true("enabled, it can be written", is_about(5000));
    NI_K(FUGU_K_UAC) = 0;
    check("disabled, it is preset", timer(), PRESET + 1);
}

/* Returns what the timer counts while `spin_user` runs in kernel mode. */
static uint32_t counted_there(uint32_t turns)
{
    NI_K(FUGU_K_UAC) = 0;
    NI_K(FUGU_K_UAC) = TF;
    RUN(KERNEL, spin_user, turns, PIL_ALL);
    return PRESET - timer();
}

static void check_counts(void)
{
    uint32_t before, fewer;

    ni_fresh();
    NI_K(FUGU_K_TIMEOUT) = PRESET;
    counted(spin_user, 100, TF);
    before = timer();
    settle();
    check_true("it counts in kernel mode", timer() < before);
    counted_there(1);           /* loads the cache */
    fewer = counted_there(100);
    check("as in user mode", counted_there(200) - fewer, 100 * TURN);
}

static void check_section(void)
{
    ni_fresh();
    NI_K(FUGU_K_TIMEOUT) = PRESET;
    counted(spin_section, 100, 0);
    check("an atomic section leaves the timer preset", timer(), PRESET);
    check("and the UAC as it was", ni_uac(), 0);
}

static void check_dispose(void)
{
    uint32_t few, many, before;

    ni_fresh();
    NI_K(FUGU_K_TIMEOUT) = PRESET;
    for (uint32_t i = 0; i < 6; i++) {
        message_send(node, i, 2);
    }
    settle();
    counted(spin_dispose_spin, 1 << 16 | 1, ID);        /* loads the cache */
    few = counted(spin_dispose_spin, 50 << 16 | 100, ID);
    many = counted(spin_dispose_spin, 500 << 16 | 100, ID);
    check("a user's dispose presets the timer", many, few);
    few = counted(spin_dispose_spin, 50 << 16 | 200, ID) - few;
    check("which counts on for the next message", few, 100 * TURN);

    counted(spin_user, 100, ID);
    before = timer();
    ni_dispose();
    check_true("a kernel's dispose leaves it", is_about(before));
    check_true("though it had counted", before < PRESET);
}

/* ---- Timeout ------------------------------------------------------------- */

static struct { unsigned count; uint32_t left, timer, pending; bool user; } out;

static void timeout(struct trap *t)
{
    out.count++;
    out.left = t->o[0];
    out.timer = timer();
    out.pending = NI_K(FUGU_K_PENDING);
    out.user = trap_from_user(t);
    NI_K(FUGU_K_UAC) = 0;
}

/* Returns the number of turns before the timeout, with this preset. */
static uint32_t turns_until(uint32_t preset)
{
    NI_K(FUGU_K_UAC) = 0;
    NI_K(FUGU_K_TIMEOUT) = preset;
    NI_K(FUGU_K_UAC) = TF;
    RUN(USER, spin_user, 10000, PIL_NONE);
    return 10000 - out.left;
}

static void check_timeout(void)
{
    uint32_t early, turns;

    ni_fresh();
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT), timeout);
    turns_until(600);                           /* loads the cache */
    out.count = 0;
    early = turns_until(600);
    check("atomicity-timeout interrupts once", out.count, 1);
    check("at zero", out.timer, 0);
    check("as it says", out.pending, FUGU_PEND_TIMEOUT);
    check("from user mode", out.user, true);
    check("with the timer disabled it is gone", NI_K(FUGU_K_PENDING), 0);
    turns = turns_until(900);
    check("300 cycles more are a hundred turns more", turns - early, 100);
    check_true("it comes no earlier than the preset says",
               early * TURN <= 600);
    check_true("and not much later", early * TURN > 600 - WAY);

    out.count = 0;
    NI_K(FUGU_K_UAC) = 0;
    NI_K(FUGU_K_TIMEOUT) = 100000;
    NI_K(FUGU_K_UAC) = TF;
    RUN(USER, spin_user, 10000, PIL_NONE);
    check("a section that is short enough has none", out.count, 0);
}

/* If no handler disables the timer, its interrupt line stays up. */
static void check_line(void)
{
    ni_fresh();
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT), NULL);
    NI_K(FUGU_K_TIMEOUT) = 30;
    NI_K(FUGU_K_UAC) = TF;
    check("masked, it does not end the user's code",
          RUN(USER, spin_user, 100, PIL_ALL), 0);
    check("but is pending", NI_K(FUGU_K_PENDING), FUGU_PEND_TIMEOUT);
    check("the timer stays at zero", timer(), 0);
    NI_K(FUGU_K_TIMER) = WAY;
    check("written, it is not", NI_K(FUGU_K_PENDING), 0);
    NI_K(FUGU_K_TIMER) = 0;
    check("it counts down or is written to zero, all the same",
          NI_K(FUGU_K_PENDING), FUGU_PEND_TIMEOUT);
    check("then the user does not get far",
          RUN(USER, spin_user, 100, PIL_NONE), FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT));
    check("not even to its first instruction", caught.pc, PC(spin_user));

    NI_K(FUGU_K_TIMEOUT) = 0;
    check("a preset of 0 turns it off", NI_K(FUGU_K_PENDING), 0);
    check("for good", RUN(USER, spin_user, 10000, PIL_NONE), 0);
    check("it reads 0 then", timer(), 0);
}

/* ---- Message interrupts -------------------------------------------------- */

static unsigned messages;
static uint32_t message_pc;

static void message(struct trap *t)
{
    messages++;
    message_pc = t->pc;
    ni_dispose();
}

static void check_message_interrupt(void)
{
    ni_fresh();
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), message);
    message_send(node, 1, 2);
    settle();
    NI_K(FUGU_K_UAC) = ID;
    check("interrupt-disable keeps the flag", ni_available(), true);
    check("and no interrupt is asked for", NI_K(FUGU_K_PENDING), 0);
    RUN(USER, spin_user, 100, PIL_NONE);
    check("nor taken", messages, 0);
    RUN(USER, op_endatom, ID, PIL_NONE);
    check("endatom lets it in", messages, 1);
    check("right behind the instruction", message_pc, PC(op_endatom) + 4);

    NI_K(FUGU_K_UAC) = TF;
    message_send(node, 2, 2);
    settle();
    RUN(USER, op_beginatom, ID, PIL_NONE);
    check("timer-force keeps none out", messages, 2);
    check("it comes before the first instruction", message_pc,
          PC(op_beginatom));

    message_send(node, 3, 2);
    settle();
    RUN(USER, op_dispose, 0, PIL_NONE);
    check("a user that polls has no interrupt", messages, 2);
    check("and can dispose by itself", ni_head_present(), false);
}

static void check_reads(void)
{
    ni_fresh();
    for (uint32_t uac = 0; uac <= FUGU_UAC_ALL; uac++) {
        NI_K(FUGU_K_UAC) = uac;
        check_quietly("kernel page", NI_K(FUGU_K_UAC), uac);
        RUN(USER, op_load, FUGU_NI_USER_BASE + FUGU_U_UAC, PIL_ALL);
        check_quietly("user page", caught.o[0], uac);
    }
    NI_K(FUGU_K_UAC) = ~0u;
    check_quietly("four bits", NI_K(FUGU_K_UAC), FUGU_UAC_ALL);
    check_sum("uac reads the same in both pages");
}

int main(void)
{
    node = ni_node();
    check_reads();
    check_rules();
    check_preset();
    check_counts();
    check_section();
    check_dispose();
    check_timeout();
    check_line();
    check_message_interrupt();
    return check_result();
}
