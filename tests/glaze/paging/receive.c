/*
 * A program that computes with the FPU while handlers that use the FPU
 * interrupt it, and that enters buffered mode in many rounds: state that could
 * be lost or changed while pages of the program are in backing store.
 *
 *   receive ROUNDS
 *
 * Each node prints how many messages it got, and how many errors. The exit
 * status is 1 if there were errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define BURST   5

static volatile uint32_t got, wrong;
static volatile double sum;

/* Several pages for what handlers write, apart from the library's data. */
static volatile uint32_t apart[8 * GLAZE_PAGE / 4];

static void with_fpu(void)
{
    uint32_t number = udm_arg(0);

    wrong += number != got;
    udm_dispose();
    sum += 0.5 * number;
    got++;
}

static void without_fpu(void)
{
    wrong += udm_arg(0) != got;
    udm_dispose();
    got++;
    apart[got * 64 % (sizeof(apart) / sizeof(apart[0]))]++;
}

/* A handler may interrupt between any two of these operations. */
static double compute(uint32_t until)
{
    double a = 1, b = 1;

    while (got < until) {
        a = a * 1.5 + b;
        b = a - b * 0.5;
        if (a > 1e30) {
            a = b = 1;
        }
        wrong += !(a >= 1);
    }
    return a;
}

static void poll(uint32_t until)
{
    udm_beginatom();
    while (got < until) {
        if (udm_available()) {
            udm_handler()();
        }
    }
    udm_endatom();
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 100, sent = 0;
    uint32_t to = (udm_node() + 1) % udm_nodes();
    double expected = 0;

    for (uint32_t round = 0; round < rounds; round++) {
        if (round % 3) {
            glaze_divert();
        }
        for (unsigned i = 0; i < BURST; i++, sent++) {
            udm_inject(to, i % 2 ? with_fpu : without_fpu, sent);
            expected += i % 2 ? 0.5 * sent : 0;
        }
        if (round % 2) {
            wrong += compute(sent) < 1;
        } else {
            poll(sent);
        }
    }
    wrong += sum != expected;
    printf("receive: node %lu got %lu wrong %lu\n", (unsigned long)udm_node(),
           (unsigned long)got, (unsigned long)wrong);
    return wrong != 0;
}
