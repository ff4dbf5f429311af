/*
 * Prime numbers, counted in pieces that nodes take from a work queue. See
 * README.md.
 *
 * The queue is one word: the number of the next piece. A node takes a piece by
 * FETCH_ADD, which the kernel of node 0 does, whatever node 0's program does at
 * that time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "arguments.h"
#include "mbcf.h"
#include "udm-collective.h"

enum { PIECE = 64 };            /* numbers of a piece */
enum { RESULTS = 1 };           /* a colour: additions to node 0's sum */

/* Node 0's. */
static volatile uint32_t next, primes;

static uint32_t pieces = 64;

static bool is_prime(uint32_t number)
{
    for (uint32_t factor = 2; factor * factor <= number; factor++) {
        if (number % factor == 0) {
            return false;
        }
    }
    return number > 1;
}

static uint32_t count(uint32_t piece)
{
    uint32_t found = 0;

    for (uint32_t k = 0; k < PIECE; k++) {
        found += is_prime(piece * PIECE + k);
    }
    return found;
}

/* Takes pieces until none is left. Returns how many this node has taken. */
static uint32_t work(void)
{
    uint32_t piece, taken = 0;

    while ((piece = mbcf_fetch_add_now(0, (uintptr_t)&next, 1)) < pieces) {
        /* The sum needs no reply: the colour tells when all are added. */
        mbcf_fetch_add(0, (uintptr_t)&primes, count(piece), NULL,
                       MBCF_COLOUR(RESULTS), NULL);
        taken++;
    }
    mbcf_barrier(RESULTS);
    return taken;
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "PIECES", "pieces of 64 numbers", 1, 1000000, &pieces }, { 0 },
    };
    struct arguments arguments = { .app = "workqueue", .numbers = numbers };
    uint32_t taken, sum, most, right = 0;

    arguments_read(&arguments, argc, argv);
    mbcf_open();
    udm_barrier();              /* all nodes are tasks: commands may come */
    taken = work();
    sum = udm_reduce_all_int(UDM_SUM, taken);
    most = udm_reduce_all_int(UDM_MAX, taken);
    if (udm_node() > 0) {
        return 0;
    }
    for (uint32_t piece = 0; piece < pieces; piece++) {
        right += count(piece);
    }
    printf("workqueue: %lu pieces, %lu of them by one node at most\n",
           (unsigned long)sum, (unsigned long)most);
    printf("workqueue: %lu primes: %s\n", (unsigned long)primes,
           primes == right && sum == pieces ? "right" : "wrong");
    return primes != right || sum != pieces;
}
