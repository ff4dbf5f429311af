/*
 * Interrupted code loses no state: a computation and half-described messages
 * run during a storm of messages, whose handlers use all registers that they
 * may, end their atomic sections, and become threads.
 *
 * There are two nodes. Node 0 computes. Node 1 sends messages back, after a
 * delay longer than the longest return from a handler: otherwise node 0 would
 * make no progress.
 *
 * Prints one line per check; the exit status is 1 if a check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

/* Flags: what a handler of the storm does in addition. */
enum {
    BUFFER = 1,                 /* messages come through the buffer */
    FPU = 2,                    /* computes with the FPU */
    OPEN = 4,                   /* ends its atomic section, and continues */
    THREAD = 8,                 /* becomes a thread */
    KINDS = 16,
};

static volatile unsigned kind;
static volatile bool storming;
static volatile uint32_t handled, nested;
static volatile double fp_sink;
static volatile uint32_t sink;

static void bounce(void);

/*
 * Messages come in pairs with a short distance, so that the second may
 * interrupt the first one's handler. After a pair there is time for the
 * interrupted code.
 */
#define SOON    2000            /* cycles */
#define LATER   60000

static void pause(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}

static uint32_t scramble(uint32_t x)
{
    for (int i = 0; i < 4; i++) {
        x = x * 1103515245u + 12345u / (x | 1); /* uses y, %g1 to %g4: libgcc */
    }
    return x;
}

static double wobble(double x)
{
    for (int i = 1; i < 4; i++) {
        x = x * 1.0009765625 + 1.0 / i - sqrt(x) / 64;
    }
    return x;
}

static void storm(void)
{
    static unsigned running;
    unsigned k = kind;
    uint32_t argument = udm_arg(0);

    udm_dispose();
    handled++;
    if (k & OPEN) {
        nested += running++ > 0;
        udm_endatom();
        pause(argument % 4 * SOON);
    }
    if (k & FPU && argument % 3) {
        fp_sink = wobble(argument % 97);
    }
    sink = scramble(argument);
    if (k & THREAD) {
        udm_thread_yield();
    }
    if (k & FPU && argument % 3 != 1) {
        fp_sink = wobble(argument % 89);
    }
    udm_beginatom();
    running -= !!(k & OPEN);
    if (storming) {
        udm_inject(1, bounce, argument + 1);
    }
}

static void bounce(void)
{
    static bool late;
    uint32_t source = udm_source(), argument = udm_arg(0);

    udm_dispose();
    late = !late;
    pause(late ? LATER : SOON);
    udm_inject(source, storm, argument);
}

/* Computations call this function often, since buffered mode ends with each
 * message. */
static void step(void)
{
    if (kind & BUFFER && glaze_info(GLAZE_I_MODE) == GLAZE_FAST) {
        glaze_divert();
    }
}

/* ---- Computations -------------------------------------------------------- */

/* Recurses, so that windows are spilled. */
static uint32_t deep(unsigned depth, uint32_t x)
{
    return depth ? deep(depth - 1, scramble(x) ^ depth) + depth : x;
}

static uint32_t compute_integers(void)
{
    uint32_t x = 1;

    for (int i = 0; i < 300; i++) {
        step();
        x = deep(20, x);
    }
    return x;
}

static uint32_t compute_floats(void)
{
    double x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    double sum = 0;

    for (int i = 0; i < 300; i++) {
        step();
        for (int k = 0; k < 8; k++) {
            x[k] = wobble(x[k]) - x[(k + 1) % 8] / 1024;
            sum += x[k];
        }
    }
    return (uint32_t)(int64_t)(sum * 1024);
}

/* ---- Messages that are described while others arrive --------------------- */

static uint32_t described, wrong;

static void described_handler(void)
{
    uint32_t base = udm_arg(0);

    for (unsigned k = 1; k < udm_length() - 2; k++) {
        wrong += udm_arg(k) != base + k;
    }
    described++;
    udm_dispose();
}

static uint32_t compute_messages(void)
{
    described = wrong = 0;
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t base = i << 8;

        step();
        UDM_OUT_(0, udm_node());
        UDM_OUT_(1, (uintptr_t)described_handler);
        UDM_OUT_(2, base);
        UDM_OUT_(3, base + 1);
        pause(LATER / 4);
        UDM_OUT_(4, base + 2);
        pause(LATER / 4);
        UDM_OUT_(5, base + 3);
        UDM_OUT_(6, base + 4);
        NI_LAUNCH(7, 0);
    }
    settle();
    return described << 16 | wrong;
}

/* ---- A handler without a register window --------------------------------- */

/* Defined in contexts_code.S. */
void leaf_handler(void);
uint32_t float_across(uint32_t value, uint32_t count);
extern volatile uint32_t leaf_handled;

static void send_leaf(void)
{
    uint32_t source = udm_source();

    udm_dispose();
    pause(SOON);
    udm_inject(source, leaf_handler);
}

/* Runs the leaf handler by the fast path, or from the buffer. The handler's
 * message arrives after float_across() has begun. */
static void across_leaf(bool buffered)
{
    uint32_t value = 0x3fc00000, count = leaf_handled + 1;

    if (buffered) {
        glaze_divert();
    }
    udm_inject(1, send_leaf);
    check(buffered ? "leaf handler from the buffer" : "leaf handler",
          float_across(value, count), value);
}

/* ---- Main ---------------------------------------------------------------- */

static void in_storm(unsigned k, const char *what, uint32_t (*compute)(void),
                     uint32_t want)
{
    char name[80];
    uint32_t got, before = handled;

    snprintf(name, sizeof(name), "%s,%s%s%s%s%s", what, k ? "" : " plain",
             k & BUFFER ? " buffer" : "", k & FPU ? " fpu" : "",
             k & OPEN ? " open" : "", k & THREAD ? " thread" : "");
    kind = k;
    storming = true;
    udm_inject(1, bounce, 0);
    udm_inject(1, bounce, 1 << 16);
    got = compute();
    storming = false;
    pause(3 * LATER);
    check(name, got, want);
    if (handled - before < 20) {
        check("handled in the storm", handled - before, 20);
    }
}

static volatile bool over;

static void end(void)
{
    udm_dispose();
    over = true;
}

int main(void)
{
    uint32_t integers = compute_integers(), floats = compute_floats();

    if (udm_node() != 0) {
        while (!over) {
        }
        return 0;
    }

    for (unsigned k = 0; k < KINDS; k++) {
        in_storm(k, "integers", compute_integers, integers);
        in_storm(k, "floats", compute_floats, floats);
        in_storm(k, "descriptors", compute_messages, 100 << 16);
    }
    across_leaf(false);
    across_leaf(true);
    check("handlers have interrupted handlers", nested > 50, true);
    udm_inject(1, end);
    return check_end();
}
