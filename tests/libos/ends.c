/*
 * A handler has ended its atomic section and returns; another one interrupts
 * its stub. Wherever that is, what lies below both goes on as if the second
 * handler had come earlier.
 *
 *      ends LOOK TRAP          addresses in the stub: where it looks whether
 *                              something is wanted, and its TRAP_RETURN
 *
 * The first handler sends the second one's message to its own node, and then
 * spends some cycles: one more each time, so that the message comes at each
 * cycle of the first one's end. This machine takes an interrupt only where
 * control is transferred or a page ends (docs/machine.md), so the second handler
 * also pretends that the interrupted stub was at each of the instructions from
 * LOOK to TRAP.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

/* What is done in a turn; some of these. */
enum {
    FIRST_USES = 1,             /* the first handler uses the FPU */
    SECOND_USES = 2,            /* so does the second one */
    WAKES = 4,                  /* the second one wakes a thread */
    BUFFER = 8,                 /* the first one's message is buffered */
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

#define DELAYS          128     /* cycles; ends_code.S has no more */
#define KEPT            0x3fc00000      /* values for the FPU */
#define FIRST_VALUE     0x40490000
#define SECOND_VALUE    0x402d0000

/* ends_code.S */
uint32_t float_until(uint32_t value, const volatile uint32_t *flag);
void float_use(uint32_t value);
void spend(uint32_t cycles);

#define PSR_ICC         0xf00000        /* condition codes */
#define PSR_Z           0x400000

/* A window in memory, on the stack that it belongs to. */
struct window {
    uint32_t l[8], i[6];
    struct window *fp;
    uint32_t i7;
};

static uint32_t look, trap;
static unsigned kind, delay;
static uint32_t pretend;        /* where the stub is to have been interrupted;
                                   0: where it was */
static volatile uint32_t came_at, second_done, woken;
static udm_thread_t *thread;

/*
 * Makes the second handler's stub return to `pc` in the first one's, with
 * everything done that the first one does between its look, which found
 * nothing, and TRAP_RETURN. The stub can do any of it twice, so this is a state
 * in which it could have been interrupted at any of these instructions. Caller
 * must have flushed the windows, and the first stub must not be before its look.
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
    stub->i[5] = 0;             /* %o5, with what it has looked at */
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

/* Did the interrupted thread find its value, and the woken one come first? */
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
 * A turn for each delay. Returns in how many of them the second handler has
 * interrupted the first one's stub at `from` or further on, and adds those that
 * went wrong to *wrong.
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

/* The delays of one kind, as they come, and at each instruction. */
static void sweeps(const char *name)
{
    uint32_t wrong = 0, hits;
    char text[80];

    delay = DELAYS - 1;         /* goes through all of the code there is */
    pretend = 0;
    turn();                     /* warms the cache */
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
    udm_thread_yield();         /* it blocks */
    for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        kind = kinds[k].kind;
        sweeps(kinds[k].name);
    }
    return check_failures ? 1 : 0;
}
