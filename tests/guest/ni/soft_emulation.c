/*
 * Part of `soft`: a kernel emulates atomicity, by a trap for each operation
 * and with the cycle timer.
 */
#include "check.h"
#include "cycles.h"
#include "message.h"
#include "ops.h"
#include "soft.h"
#include "trap.h"

/* Defined in soft_code.S. */
void soft_section(void *turns);
extern const char soft_section_end[];

static uint32_t soft_uac;
static unsigned messages, timeouts;
static uint32_t taken_pc, turns_left;

/* Emulates beginatom and endatom with a constant mask: sets or clears UAC
 * bits, then the interrupt level that follows from them. */
static void emulate(struct trap *t)
{
    uint32_t insn = REG(t->pc);
    uint32_t mask = insn >> 25 & FUGU_UAC_USER;

    if ((insn >> 5 & 0x1ff) == FUGU_OPC_BEGINATOM) {
        soft_uac |= mask;
    } else {
        soft_uac &= ~mask;
    }
    t->psr &= ~PSR_PIL;
    t->psr |= (soft_uac & FUGU_UAC_INTERRUPT_DISABLE
               ? PIL_MESSAGE : PIL_MESSAGE - 1) << PSR_PIL_SHIFT;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = soft_uac != 0;
    trap_skip(t);
}

static void message(struct trap *t)
{
    messages++;
    taken_pc = t->pc;
    ni_dispose();
}

static void timeout(struct trap *t)
{
    timeouts++;
    turns_left = t->o[0];
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
}

/* Runs a section of `turns` turns, with a timeout `cycles_left` cycles from
 * now. */
static void section(uint32_t turns, uint32_t cycles_left)
{
    soft_uac = messages = timeouts = 0;
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + cycles_left;
    RUN(USER, soft_section, turns, PIL_ALL);
}

void check_emulation(uint32_t node)
{
    ni_fresh();
    trap_set(TT_CP_DISABLED, emulate);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), message);
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), timeout);
    message_send(node, 1, 2);
    settle();
    section(100, 1000000);
    check("an emulated section keeps a message out", messages, 1);
    check("until right behind its end", taken_pc, PC(soft_section_end));
    check("it is over", soft_uac, 0);
    check("in time", timeouts, 0);

    message_send(node, 2, 2);
    settle();
    section(100000, 20000);
    check("the cycle timer bounds it", timeouts, 1);
    check_true("in its midst", turns_left > 0 && turns_left < 100000);
    check("then it can go on to its end", messages, 1);
    trap_set(TT_CP_DISABLED, NULL);
}
