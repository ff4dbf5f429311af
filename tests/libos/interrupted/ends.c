/*
 * A handler has ended its atomic section and returns; another handler
 * interrupts its stub. Wherever that happens, the code below both must continue
 * as if the second handler had come earlier.
 *
 *      ends LOOK TRAP          addresses in the stub: where it looks whether
 *                              something is wanted, and its TRAP_RETURN
 *
 * The first handler sends the second one's message to its own node, then spends
 * some cycles, one more in each turn. So the message arrives at each cycle of
 * the first one's end. This machine takes an interrupt only where control is
 * transferred or a page ends (docs/machine.md). Therefore the second handler
 * also pretends that it has interrupted the stub at each of the instructions
 * from LOOK to TRAP.
 *
 * Prints one line per check; the exit status is 1 if a check failed, or 2 for
 * wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "../check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

/* Flags: what happens in a turn. */
enum {
    FIRST_USES = 1,             /* the first handler uses the FPU */
    SECOND_USES = 2,            /* the second handler uses the FPU */
    WAKES = 4,                  /* the second handler wakes a thread */
    BUFFER = 8,                 /* the first handler's message is buffered */
};

static const struct {
    const char *name;
    unsigned kind;
} kinds[] = {
    { "first uses the FPU", FIRST_USES },
    { "second uses the FPU", SECOND_USES },
    { "both use the FPU", FIRST_USES | SECOND_USES },
    { "both use the FPU, first from the buffer",
      FIRST_USES | SECOND_USES | BUFFER },
    { "second wakes a thread", WAKES },
    { "second wakes a thread, first from the buffer", WAKES | BUFFER },
    { "both, second wakes a thread", FIRST_USES | SECOND_USES | WAKES },
};

#define DELAYS          128     /* cycles; at most SLED of ends_code.S */
#define KEPT            0x3fc00000      /* values for the FPU */
#define FIRST_VALUE     0x40490000
#define SECOND_VALUE    0x402d0000

/* Defined in ends_code.S. */
uint32_t float_until(uint32_t value, const volatile uint32_t *flag);
void float_use(uint32_t value);
void spend(uint32_t cycles);

#define PSR_ICC         0xf00000        /* condition codes */
#define PSR_Z           0x400000

/* A window in memory, at the stack pointer of its frame. */
struct window {
    uint32_t l[8], i[6];
    struct window *fp;
    uint32_t i7;
};

static uint32_t look, trap;
static unsigned kind, delay;
/* Where the first stub is to seem interrupted; 0: where it really was. */
static uint32_t pretend;
static volatile uint32_t came_at, second_done, woken;
static udm_thread_t *thread;

/*
 * Changes the window of the second handler's stub so that the stub returns to
 * `pc` in the first handler's stub. The first stub then seems to have done all
 * that it does between its look, which found nothing, and TRAP_RETURN. The
 * stub may execute the instructions in between twice, so it could have been
 * interrupted in this state at any of them.
 *
 * Caller must have flushed the windows, and the first stub must not be before
 * its look.
 */
static void pretend_at(struct window *stub, uint32_t pc)
{
    const struct window *first = stub->fp;

    stub->l[0] = (stub->l[0] & ~PSR_ICC) | PSR_Z;
    stub->l[1] = pc;
    stub->l[2] = pc + 4;
    stub->l[3] = first->l[3];   /* %g1 to %g4, y */
    stub->l[4] = first->l[4];
    stub->l[5] = first->l[5];
    stub->l[6] = first->l[6];
    stub->l[7] = first->l[7];
    stub->i[5] = 0;             /* %o5: the result of the first stub's look */
}

static void second(void)
{
    struct window *stub;

    udm_dispose();
    glaze_flush_windows();
    asm volatile ("mov %%fp, %0" : "=r" (stub));        /* our caller's %sp */
    came_at = stub->l[1];
    if (pretend && came_at >= look && came_at <= trap) {
        pretend_at(stub, pretend);
    }
    if (kind & SECOND_USES) {
        float_use(SECOND_VALUE);
    }
    if (kind & WAKES) {
        udm_thread_wake(thread);
    }
    second_done = 1;
}

static void first(void)
{
    udm_dispose();
    if (kind & FIRST_USES) {
        float_use(FIRST_VALUE);
    }
    udm_endatom();
    udm_inject(udm_node(), second);
    spend(delay);
}

static void *runs_when_woken(void *unused)
{
    (void)unused;
    for (;;) {
        udm_thread_block();
        woken = 1;
    }
}

/* Runs one turn. Returns whether the interrupted thread found its value,
 * and the woken thread ran first. */
static bool turn(void)
{
    uint32_t value;

    woken = second_done = 0;
    udm_beginatom();
    if (kind & BUFFER) {
        glaze_divert();
    }
    udm_inject(udm_node(), first);
    value = float_until(KEPT, &second_done);
    return value == KEPT && woken == !!(kind & WAKES);
}

/*
 * Runs a turn for each delay. Returns in how many of them the second handler
 * interrupted the first one's stub at `from` or later, and adds the number of
 * turns that went wrong to *wrong.
 */
static unsigned sweep(uint32_t from, uint32_t *wrong)
{
    unsigned hits = 0;

    for (delay = 0; delay < DELAYS; delay++) {
        *wrong += !turn();
        hits += came_at >= from && came_at <= trap;
    }
    return hits;
}

/* Runs all delays of one kind: with the interrupts as they are, then with
 * each pretended address. */
static void sweeps(const char *name)
{
    uint32_t wrong = 0, hits;
    char text[80];

    delay = DELAYS - 1;         /* executes all of the code */
    pretend = 0;
    turn();                     /* loads the cache */
    hits = sweep(look + 4, &wrong);
    snprintf(text, sizeof(text), "%s; %lu past the look", name,
             (unsigned long)hits);
    check(text, wrong, 0);
    for (pretend = look; pretend <= trap; pretend += 4) {
        wrong = 0;
        hits = sweep(look, &wrong);
        snprintf(text, sizeof(text), "%s; at the look + %lu", name,
                 (unsigned long)(pretend - look));
        check(text, hits ? wrong : ~0u, 0);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    look = strtoul(argv[1], NULL, 0);
    trap = strtoul(argv[2], NULL, 0);
    thread = udm_thread_create(runs_when_woken, NULL, UDM_HIGH);
    udm_thread_yield();         /* the thread blocks */
    for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        kind = kinds[k].kind;
        sweeps(kinds[k].name);
    }
    return check_failures ? 1 : 0;
}
