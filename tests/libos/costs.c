/*
 * What a null message costs its receiver: by interrupt, from the interrupt to
 * the interrupted instruction, and out of the buffer, from record to record.
 * Arguments: the two ceilings, in cycles.
 *
 * All messages are to the node itself, so two nodes or one make no difference.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"

/* costs_code.S */
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

/* From the end of the atomic section until all have been handled. */
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

int main(int argc, char **argv)
{
    uint32_t one, many, before = glaze_info(GLAZE_I_INSERTED);

    (void)argv;
    (void)argc;
    printf("null message by interrupt: %lu cycles\n",
           (unsigned long)by_interrupt());
    drain_time(8);
    one = drain_time(8);
    many = drain_time(40);
    check("messages came out of the buffer",
          glaze_info(GLAZE_I_INSERTED) - before, 56);
    printf("null message out of the buffer: %lu.%02lu cycles, %lu %lu\n",
           (unsigned long)((many - one) / 32),
           (unsigned long)((many - one) % 32 * 100 / 32), (unsigned long)one,
           (unsigned long)many);
    return check_failures;
}
