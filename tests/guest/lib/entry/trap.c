/*
 * Dispatch of traps to their handlers; code under guard.
 */
#include "console.h"
#include "machine.h"
#include "trap.h"

_Static_assert(offsetof(struct trap, psr) == TRAP_PSR &&
               offsetof(struct trap, pc) == TRAP_PC &&
               offsetof(struct trap, npc) == TRAP_NPC &&
               offsetof(struct trap, y) == TRAP_Y &&
               offsetof(struct trap, type) == TRAP_TYPE &&
               offsetof(struct trap, g[0]) == TRAP_G1 &&
               offsetof(struct trap, g[1]) == TRAP_G2 &&
               offsetof(struct trap, g[3]) == TRAP_G4 &&
               offsetof(struct trap, g[5]) == TRAP_G6 &&
               offsetof(struct trap, o[0]) == TRAP_I0 &&
               sizeof(struct trap) == TRAP_SIZE, "trap.h and trap.S agree");
_Static_assert(TRAP_SIZE % 8 == 0, "the stack stays aligned");

struct trap caught;

static trap_handler *handlers[256];

/* The stack pointer and PSR that run_exit() returns to, while code runs
 * under guard. */
static struct { uint32_t sp, psr; } context;
static bool guarded;

/* Defined in trap.S. */
void run_enter(void (*fn)(void *), void *arg, uint32_t psr, void *context);
void run_exit(void *context) __attribute__((noreturn));
void trap_dispatch(struct trap *t);

void trap_set(unsigned type, trap_handler *handler)
{
    handlers[type] = handler;
}

void run_leave(struct trap *t)
{
    caught = *t;
    run_exit(&context);
}

unsigned run_as(enum mode mode, void (*fn)(void *), void *arg, unsigned pil)
{
    if (guarded) {
        panic("run_as() is not to be nested");
    }
    guarded = true;
    run_enter(fn, arg, (mode == KERNEL ? PSR_PS : 0) | pil << PSR_PIL_SHIFT,
              &context);
    guarded = false;
    return caught.type == TT_SOFTWARE + TRAP_LEAVE ? 0 : caught.type;
}

/* ta TRAP_KERNEL: user code under guard calls a function in kernel mode. */
static void kernel_call(struct trap *t)
{
    uint32_t (*fn)(uint32_t) = (uint32_t (*)(uint32_t))t->o[0];

    t->o[0] = fn(t->o[1]);
    trap_skip(t);
}

/* A trap that no handler expects: prints where the trap was, and ends
 * the machine. */
static void unexpected(struct trap *t)
{
    panic("trap %02x at pc %08x npc %08x psr %08x, called from %08x",
          t->type, t->pc, t->npc, t->psr, t->o[7]);
}

/* trap.S calls this for every trap except window overflow and underflow. */
void trap_dispatch(struct trap *t)
{
    if (handlers[t->type]) {
        handlers[t->type](t);
    } else if (guarded && t->type == TT_SOFTWARE + TRAP_KERNEL) {
        kernel_call(t);
    } else if (guarded) {
        run_leave(t);
    } else {
        unexpected(t);
    }
}
