/*
 * The way back from a handler. The interrupted code must find its registers and
 * condition codes as they were, wherever it was interrupted, and the FPU off if
 * it has not used it. A message that waits for the end of a handler interrupts
 * the same code, and not the end.
 *
 * Runs on one node. Prints one line per check; the exit status is 1 if a check
 * failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "glaze-calls.h"
#include "sparcle.h"
#include "udm-thread.h"

#define DELAYS  128             /* cycles; at most SLED of ends_code.S */
#define LEAVE   20              /* returns_code.S */
#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)

/* Defined in returns_code.S and ends_code.S. */
typedef uint32_t wait_fn(uint32_t a, uint32_t b, volatile uint32_t *leave,
                         uint32_t at_page);
wait_fn wait_added, wait_subtracted, wait_tagged;
extern const char wait_at_page[], wait_at_page_end[];
uint32_t float_until(uint32_t value, const volatile uint32_t *flag);
void float_use(uint32_t value);
void spend(uint32_t cycles);

/* Operands for each combination of condition codes that users can set. */
static const struct {
    wait_fn *wait;
    uint32_t a, b;
    uint32_t codes;
} cases[] = {
    { wait_subtracted, 2, 1, 0 },
    { wait_added, 0xffffffff, 2, 1 },
    { wait_subtracted, 0x80000000, 1, 2 },
    { wait_added, 0x80000000, 0x80000001, 3 },
    { wait_subtracted, 1, 1, 4 },
    { wait_added, 0xffffffff, 1, 5 },
    { wait_tagged, 1, 1, 6 },
    { wait_added, 0x80000000, 0x80000000, 7 },
    { wait_subtracted, 0xffffffff, 1, 8 },
    { wait_subtracted, 0, 1, 9 },
    { wait_added, 0x7fffffff, 1, 10 },
    { wait_subtracted, 0x7fffffff, 0x80000000, 11 },
};
#define CASES   (sizeof(cases) / sizeof(cases[0]))

static volatile uint32_t leave, depth, delay, opens, uses, wakes;
static volatile uint32_t psr, pc, npc;  /* of the code that was interrupted */
static volatile uint32_t inside;        /* interruptions of a handler's end */
static uint32_t first_entry;
static volatile uint32_t woken;
static udm_thread_t *thread;

static uint32_t deep(uint32_t n)
{
    return n ? deep(n - 1) * 3 + n : udm_cycles32() / 7;
}

/* The last message of a turn. */
static void last(void)
{
    const uint32_t *stub;

    udm_dispose();
    glaze_flush_windows();
    asm volatile ("mov %%fp, %0" : "=r" (stub));        /* our caller's %sp */
    psr = stub[0];
    pc = stub[1];
    npc = stub[2];
    inside += pc >= first_entry && pc < first_entry + 0x400;
    deep(depth);
    if (uses) {
        float_use(0x40490000);
    }
    if (wakes) {
        udm_thread_wake(thread);
    }
    leave = LEAVE;
}

/* Sends the last message, which comes while this handler runs or ends. */
static void first(void)
{
    udm_dispose();
    if (opens) {
        udm_endatom();
    }
    udm_inject(udm_node(), last);
    spend(delay);
}

/* Runs case k until the handler of `message` has run. Returns whether the
 * loop has found everything as it was. */
static bool turn(unsigned k, uint32_t at_page, udm_handler_t message)
{
    leave = woken = 0;
    udm_beginatom();
    udm_inject(udm_node(), message);
    return cases[k].wait(cases[k].a, cases[k].b, &leave, at_page) ==
           cases[k].codes && woken == wakes;
}

static void *runs_when_woken(void *unused)
{
    (void)unused;
    for (;;) {
        udm_thread_block();
        woken = 1;
    }
    return NULL;
}

/* Each combination, with the interrupted window in a register window and on
 * the stack. */
static void check_codes(void)
{
    delay = 0;
    for (unsigned k = 0; k < CASES; k++) {
        char name[40];
        uint32_t wrong = 0;

        for (depth = 0; depth <= 9; depth += 9) {
            wrong += !turn(k, 0, first);
        }
        depth = 0;
        snprintf(name, sizeof(name), "condition codes %lu",
                 (unsigned long)cases[k].codes);
        check(name, wrong, 0);
        if ((psr & PSR_ICC) / (PSR_ICC / 15) != cases[k].codes) {
            check("interrupted with these codes",
                  (psr & PSR_ICC) / (PSR_ICC / 15), cases[k].codes);
        }
    }
}

/* Interrupts between a branch and its delay slot. */
static void check_delay_slot(void)
{
    uint32_t wrong = 0, slots = 0;

    for (delay = 0; delay < DELAYS; delay++) {
        wrong += !turn(delay % CASES, 1, first);
        slots += pc == (uintptr_t)wait_at_page_end && npc != pc + 4;
    }
    check("loop at a page's end", wrong, 0);
    check("interrupted in a delay slot", slots > 0, true);
}

/* A second message at each cycle of the first one's handler and its end. */
static void check_ends(const char *name)
{
    uint32_t wrong = 0;

    inside = 0;
    for (delay = 0; delay < DELAYS; delay++) {
        wrong += !turn(delay % CASES, 0, first);
    }
    check(name, wrong, 0);
}

static uint32_t entry(void)
{
    return UPCALL->message.entry;
}

/* Sends the last message as the end of a chain of messages. */
static void relay(void)
{
    uint32_t left = udm_arg(0);

    udm_dispose();
    if (left) {
        udm_inject(udm_node(), relay, left - 1);
    } else {
        udm_inject(udm_node(), last);
    }
}

/* Makes a thread ready. The thread has run before the last message comes. */
static void waker(void)
{
    udm_dispose();
    udm_thread_wake(thread);
    udm_inject(udm_node(), relay, 50);
}

/* The value that code has in the FPU is there after a handler that uses it. */
static void check_fpu(udm_handler_t message)
{
    udm_beginatom();
    leave = 0;
    udm_inject(udm_node(), message);
    check("value in the FPU", float_until(0x3fc00000, &leave), 0x3fc00000);
    check("the FPU was on", psr & PSR_EF, PSR_EF);
}

/*
 * Runs turn() `n` frames below, each of which has pages of the stack that have
 * never been touched. The message finds no free window, and the oldest one
 * cannot be stored without C, which then makes the upcall.
 */
static bool __attribute__((noinline)) far_turn(unsigned n, unsigned k)
{
    volatile char untouched[2 * GLAZE_PAGE];
    bool result;

    asm volatile ("" : : "r" (untouched));
    result = n ? far_turn(n - 1, k) : turn(k, 0, first);
    asm volatile ("" : : "r" (untouched));
    return result;
}

int main(void)
{
    bool soft = glaze_info(GLAZE_I_SOFT);

    first_entry = entry();
    thread = udm_thread_create(runs_when_woken, NULL, UDM_HIGH);
    udm_thread_yield();         /* the thread blocks */
    turn(0, 0, last);           /* loads the cache */

    check_codes();
    check("upcall made from C", far_turn(NWINDOWS, 9), true);
    check_delay_slot();
    check_ends("a message waits for the handler's end");
    check("it interrupts no end", inside, 0);
    opens = 1;
    check_ends("a message interrupts a handler that has ended its section");
    check("it interrupts ends", inside > 0, true);
    wakes = 1;
    check_ends("it makes a thread ready");
    opens = 0;
    check_ends("a message that waits makes a thread ready");
    wakes = 0;

    uses = 1;
    check("handler uses the FPU", turn(0, 0, last), true);
    uses = 0;
    check("after that", turn(1, 0, last), true);
    check("the FPU is off", psr & PSR_EF, 0);
    check("the entry is the same", entry(), first_entry);

    uses = 1;
    check_fpu(waker);
    check_fpu(last);
    check("the entry is another one", entry() != first_entry, !soft);
    check_codes();
    return check_end();
}
