/*
 * A correct program that runs beside one that misbehaves.
 *
 *      bystander [OTHERS [hungry | KEPT]]
 *
 * It computes with integers, the FPU, register windows and memory, while its
 * messages go round all nodes. Then it waits until at most OTHERS (default 0)
 * other jobs live on its node. If `hungry`, it first waits until its node has
 * no free frame, and then takes nine.
 *
 * Each process prints its results, and how many frames of the node are neither
 * free nor its own. With the same jobs on the command line this number is
 * always the same, whatever the other jobs have done. A test that knows it gives
 * it as KEPT: then the process ends soon after the number is right, and waits
 * long only for frames that do not come. The exit status is 1 if anything was
 * wrong, else 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

#define ROUNDS  24
#define WORDS   4096            /* four pages of memory */
#define QUIET   25000000        /* cycles; empty parts of a space take 20 M */
#define SETTLED 2500000         /* cycles, when as many are kept as should be */

static volatile uint32_t received, wrong;

static void handler(void)
{
    uint32_t round = udm_arg(0), source = udm_source();

    wrong += round != received ||
             source != (udm_node() + udm_nodes() - 1) % udm_nodes() ||
             udm_arg(1) != (round ^ source) * 2654435761u;
    udm_dispose();
    received++;
}

/* Uses one window per level, with values in each. */
static __attribute__((noinline))
uint32_t windows(uint32_t depth, uint32_t seed)
{
    uint32_t below;

    if (!depth) {
        return seed;
    }
    below = windows(depth - 1, seed * 1664525 + depth);
    return below ^ (seed >> depth) ^ depth;
}

/* Keeps four values in the FPU all the time. */
static double floats(double x, unsigned turns)
{
    double a = x, b = x + 1, c = x + 2, d = x + 3;

    for (unsigned i = 0; i < turns; i++) {
        a += b * 0.5;
        b -= c * 0.25;
        c += d * 0.125;
        d -= a * 0.0625;
    }
    return a + b + c + d;
}

static void fill(uint32_t *memory)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        memory[i] = i * 2246822519u;
    }
}

static void check(const uint32_t *memory)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        wrong += memory[i] != i * 2246822519u;
    }
}

/*
 * Receives the first message through the buffer, so that the kernel's tables
 * for it exist and later counts do not differ.
 */
static void warm_up(void)
{
    glaze_divert();
    udm_inject((udm_node() + 1) % udm_nodes(), handler, 0,
               udm_node() * 2654435761u);
    while (received == 0) {
    }
}

static void rounds(uint32_t *sum, double *x)
{
    for (uint32_t round = 1; round < ROUNDS; round++) {
        udm_inject((udm_node() + 1) % udm_nodes(), handler, round,
                   (round ^ udm_node()) * 2654435761u);
        *sum = *sum * 31 + windows(12, round);
        *x = floats(*x, 100);
        while (received <= round) {
        }
    }
}

/* Takes nine untouched pages when the node has no free frame. */
static void eat(void)
{
    static uint32_t pages[9][GLAZE_PAGE / 4];
    struct glaze_count count;

    do {
        glaze_yield();
        glaze_count(&count);
    } while (count.frames_free && count.processes > 1);
    for (unsigned i = 0; i < 9; i++) {
        wrong += pages[i][0] != 0;
        pages[i][0] = i;
    }
}

/* Returns how many frames of the node are neither free nor this process's. */
static uint32_t kept(const struct glaze_count *count)
{
    return count->frames - count->frames_free - count->process_pages;
}

/*
 * Waits until the frames of processes that have ended are back: the kernel frees
 * them in parts, after the process has gone. Ends when the number has been the
 * same for QUIET cycles, so a frame that is lost still counts as kept; or for
 * SETTLED, if as many are kept as should be.
 */
static void await_frames(struct glaze_count *count, uint32_t should)
{
    uint32_t before = count->frames_free;
    uint64_t since = udm_cycles();

    while (udm_cycles() - since < (kept(count) == should ? SETTLED : QUIET)) {
        glaze_yield();
        glaze_count(count);
        if (count->frames_free != before) {
            before = count->frames_free;
            since = udm_cycles();
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t others = argc > 1 ? strtoul(argv[1], NULL, 0) : 0, sum = 0;
    uint32_t *memory = malloc(WORDS * sizeof(*memory));
    bool hungry = argc > 2 && strcmp(argv[2], "hungry") == 0;
    uint32_t should = argc > 2 && !hungry ? strtoul(argv[2], NULL, 0)
                                          : UINT32_MAX;
    struct glaze_count count;
    double x = 1;
    uint64_t bits;

    fill(memory);
    warm_up();
    rounds(&sum, &x);
    if (hungry) {
        eat();
    }
    do {
        glaze_yield();
        glaze_count(&count);
    } while (count.processes > others + 1);
    if (!others) {
        await_frames(&count, should);
    }
    check(memory);
    memcpy(&bits, &x, sizeof(bits));
    printf("bystander: node %lu: sum %08lx, floats %08lx%08lx, %lu wrong, "
           "%lu frames kept\n", (unsigned long)udm_node(), (unsigned long)sum,
           (unsigned long)(bits >> 32), (unsigned long)bits,
           (unsigned long)wrong, (unsigned long)kept(&count));
    return wrong ? 1 : 0;
}
