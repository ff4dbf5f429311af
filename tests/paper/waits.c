/*
 * A process whose threads all wait: node 1 waits in the kernel for each message of
 * node 0, and answers it. test_switch.py walks through such a wait.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "udm-thread.h"

static udm_thread_t *waiter;
static volatile uint32_t answers;

static void answer(void)
{
    udm_dispose();
    answers++;
}

static void ask(void)
{
    udm_dispose();
    udm_inject(0, answer);
    udm_thread_wake(waiter);
}

int main(void)
{
    waiter = udm_thread_self();
    for (;;) {
        uint32_t before = answers;

        if (udm_node() == 1) {
            udm_thread_block();
            continue;
        }
        for (uint64_t end = udm_cycles() + 20000; udm_cycles() < end;) {
        }
        udm_inject(1, ask);
        while (answers == before) {
        }
    }
}
