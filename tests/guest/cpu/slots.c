/*
 * Delay slots: an instruction in a delay slot that traps, waits or lets an
 * interrupt in must be resumed in the slot, or continue at the branch's
 * target.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "message.h"
#include "trap.h"

/* Defined in slots_code.S. */
#define SLOT(name) \
    void slot_##name(void *); \
    extern const char slot_##name##_slot[], slot_##name##_target[]
SLOT(launch);
SLOT(dispose);
SLOT(endatom);
SLOT(wait);
SLOT(psr);
SLOT(load);

#define AT(symbol) ((uint32_t)(symbol))

/* The last trap's pc and npc, and the number of traps. */
static struct { uint32_t pc, npc; unsigned count; } met;

static void note(struct trap *t)
{
    met.pc = t->pc;
    met.npc = t->npc;
    met.count++;
}

static void note_and_skip(struct trap *t)
{
    note(t);
    trap_skip(t);
}

static void note_and_dispose(struct trap *t)
{
    note(t);
    ni_dispose();
}

static void note_and_mask(struct trap *t)
{
    note(t);
    if (met.count == 2) {
        t->psr |= PSR_PIL;      /* then the wait completes */
    } else {
        REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + 1000;
    }
}

static void check_met(const char *name, const char *pc, const char *npc)
{
    check_quietly(name, met.pc, AT(pc));
    check_quietly(name, met.npc, AT(npc));
    check_sum(name);
}

/* ---- Traps --------------------------------------------------------------- */

#define CHECK_TRAP(name, text, mode, operand, type) \
    do { \
        trap_set(type, note_and_skip); \
        RUN(mode, slot_##name, operand, PIL_ALL); \
        trap_set(type, NULL); \
        check_met(text, slot_##name##_slot, slot_##name##_target); \
    } while (0)

static void check_traps(void)
{
    ni_fresh();
    ni_out(0, 0xffff);
    CHECK_TRAP(launch, "launch in a slot traps there", USER, 1,
               FUGU_TT_PROTECTION_VIOLATION);
    CHECK_TRAP(dispose, "dispose in a slot traps there", USER, 0,
               FUGU_TT_BAD_DISPOSE);
    NI_K(FUGU_K_UAC) = FUGU_UAC_ALL;
    CHECK_TRAP(endatom, "endatom in a slot traps there", USER, 1,
               FUGU_TT_DISPOSE_FAILURE);
    NI_K(FUGU_K_UAC) = 0;
    CHECK_TRAP(load, "a load from a register that is not there", USER,
               FUGU_NI_USER_BASE + 0x800, FUGU_TT_PROTECTION_VIOLATION);
    CHECK_TRAP(wait, "a user's wait", USER, 0, TT_PRIVILEGED);
}

/* ---- Interrupts that the slot lets in ------------------------------------ */

static void message_waits(void)
{
    ni_fresh();
    message_send(ni_node(), 1, 2);
    settle();
    met.count = 0;
}

static void check_unmasking(void)
{
    uint32_t psr = psr_read() & ~PSR_PIL;

    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), note_and_dispose);
    message_waits();
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE;
    RUN(USER, slot_endatom, FUGU_UAC_INTERRUPT_DISABLE, PIL_NONE);
    check("endatom in a slot lets a message in", met.count, 1);
    check_quietly("pc", met.pc, AT(slot_endatom_target));
    check_quietly("npc", met.npc, AT(slot_endatom_target) + 4);
    check_sum("at the branch's target");

    message_waits();
    slot_psr((void *)psr);
    pil_set(PIL_ALL);
    check("a write of the PSR in a slot does", met.count, 1);
    check("at the branch's target too", met.pc, AT(slot_psr_target));
}

/* ---- Waiting ------------------------------------------------------------- */

static void check_waiting(void)
{
    ni_fresh();
    met.count = 0;
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), note_and_mask);
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + 1000;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    check("a wait in a slot ends", RUN(KERNEL, slot_wait, 0, PIL_NONE), 0);
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
    check("after it was tried again", met.count, 2);
    check_met("in the slot", slot_wait_slot, slot_wait_target);
    check("and the branch is taken", caught.o[0], 0);
}

int main(void)
{
    check_traps();
    check_unmasking();
    check_waiting();
    return check_result();
}
