/*
 * A program that receives into a small buffer, to see what others cost it.
 *
 *   batches MESSAGES UNTIL
 *
 * In each round, node 1 sends messages with bodies of 1 KiB to node 0, which takes them
 * when all are in its buffer. Node 0 prints how many rounds there were until the cycle
 * UNTIL, the most pages that its buffer had, and how often its job was suspended.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

static char body[1024];
static uint32_t messages;
static volatile uint32_t got, asked;
static volatile bool ends;

static void take(void)
{
    udm_dispose();
    got++;
}

static void ask(void)
{
    ends = udm_arg(0);
    udm_dispose();
    asked++;
}

static void wait_for(volatile uint32_t *count, uint32_t value)
{
    while (*count < value) {
    }
}

static void receive(void)
{
    uint32_t inserted;

    udm_beginatom();
    glaze_divert();
    inserted = glaze_info(GLAZE_I_INSERTED) + messages;
    udm_inject(1, ask, 0);
    while (glaze_info(GLAZE_I_INSERTED) < inserted) {
    }
    udm_endatom();
}

int main(int argc, char **argv)
{
    struct glaze_count count;
    uint32_t rounds = 0;
    uint64_t until;

    if (argc != 3) {
        return 2;
    }
    messages = strtoul(argv[1], NULL, 0);
    until = strtoull(argv[2], NULL, 0);
    if (udm_node() == 0) {
        for (; udm_cycles() < until; rounds++) {
            receive();
            wait_for(&got, (rounds + 1) * messages);
        }
        udm_inject(1, ask, 1);
        glaze_count(&count);
        printf("batches: %lu rounds, %lu pages, suspended %lu times\n",
               (unsigned long)rounds, (unsigned long)count.buffer_pages_most,
               (unsigned long)glaze_info(GLAZE_I_SUSPENSIONS));
    } else if (udm_node() == 1) {
        while (!ends) {
            wait_for(&asked, ++rounds);
            for (uint32_t i = 0; i < messages && !ends; i++) {
                udm_inject_body(0, take, body, sizeof(body), i);
            }
        }
    }
    return 0;
}
