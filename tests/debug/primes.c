/*
 * Counts prime numbers, with a wrong result: docs/debugging.md finds the bug.
 *
 * The other nodes send candidates to node 0: odd numbers that 3 and 5 do not
 * divide. There a handler pushes them on a stack, from which main() takes one
 * after the other. Node 0 prints the number of primes; all nodes exit with
 * status 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "udm.h"

enum { LIMIT = 1000 };

static uint32_t pile[LIMIT];
static volatile uint32_t height;
static volatile uint32_t senders_done;

static void candidate_arrives(void)
{
    pile[height] = udm_arg(0);
    height++;
    udm_dispose();
}

static void sender_done(void)
{
    udm_dispose();
    senders_done++;
}

static bool is_prime(uint32_t n)
{
    for (uint32_t d = 3; d * d <= n; d += 2) {
        if (n % d == 0) {
            return false;
        }
    }
    return true;
}

/* Tests the candidate on top of the pile. */
static bool __attribute__((noinline)) take_one(void)
{
    uint32_t top = height - 1;
    bool prime = is_prime(pile[top]);

    height = top;
    return prime;
}

static void send_candidates(void)
{
    uint32_t senders = udm_nodes() - 1;

    for (uint32_t n = 1 + 2 * udm_node(); n < LIMIT; n += 2 * senders) {
        if (n % 3 != 0 && n % 5 != 0) {
            udm_inject(0, candidate_arrives, n);
        }
    }
    udm_inject(0, sender_done);
}

int main(void)
{
    uint32_t primes = 3;        /* 2, 3 and 5 */

    if (udm_node() > 0) {
        send_candidates();
        return 0;
    }
    while (height > 0 || senders_done < udm_nodes() - 1) {
        if (height > 0) {
            primes += take_one();
        }
    }
    printf("%u primes below %u\n", (unsigned)primes, LIMIT);
    return 0;
}
