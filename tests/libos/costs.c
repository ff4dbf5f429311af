/*
 * What a null message costs its receiver: by interrupt, from the interrupt
 * until the interrupted instruction continues, and from the buffer, from one
 * record to the next.
 *
 * All messages go from the node to itself. Messages of the same kind precede
 * the measured ones, so that the cache is warm.
 *
 * Prints both costs and one check; the exit status is 1 if the check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "glaze-calls.h"

/* Defined in costs_code.S. */
void null_handler(void);
uint32_t longest_gap(uint32_t turns);

#define WARM_UP         3

static uint32_t by_interrupt(void)
{
    uint32_t gap = 0, turn = 0;

    for (int i = 0; i < WARM_UP; i++) {
        turn = longest_gap(200);
        udm_inject(udm_node(), null_handler);
        gap = longest_gap(200);
    }
    return gap - turn;
}

/* Returns the cycles from the end of the atomic section until all messages are
 * handled. */
static uint32_t drain_time(uint32_t messages)
{
    uint32_t start;

    udm_beginatom();
    glaze_divert();
    for (uint32_t i = 0; i < messages; i++) {
        udm_inject(udm_node(), null_handler);
        settle();
    }
    start = udm_cycles32();
    udm_endatom();
    return udm_cycles32() - start;
}

/* Numbers of messages. The difference between two drains is measured; both fit
 * into one page of the buffer. */
#define FEW     8
#define MANY    40

int main(void)
{
    uint32_t few, many, before = glaze_info(GLAZE_I_INSERTED);

    printf("null message by interrupt: %lu cycles\n",
           (unsigned long)by_interrupt());
    drain_time(FEW);
    few = drain_time(FEW);
    many = drain_time(MANY);
    check("messages came out of the buffer",
          glaze_info(GLAZE_I_INSERTED) - before, FEW + FEW + MANY);
    printf("null message out of the buffer: %lu.%02lu cycles\n",
           (unsigned long)((many - few) / (MANY - FEW)),
           (unsigned long)((many - few) % (MANY - FEW) * 100 / (MANY - FEW)));
    return check_failures;
}
