/*
 * What a null message costs its receiver: by interrupt, from the interrupt
 * until the interrupted instruction continues, and from the buffer, from one
 * record to the next.
 *
 * All messages go from the node to itself. Messages of the same kind precede
 * the measured ones, so that the cache is warm.
 *
 * The same for a body of 4 bytes, and the storeback of a long one.
 *
 * Prints the costs and two checks; the exit status is 1 if a check failed.
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

/* ---- Bodies -------------------------------------------------------------- */

static uint32_t from[FUGU_BODY_MAX / 4], to[FUGU_BODY_MAX / 4];

/*
 * Returns what it takes the kernel to put a body of 4 bytes into a buffer that
 * has one already.
 */
static uint32_t body_insertion(void)
{
    uint32_t gap = 0, turn = 0;

    udm_beginatom();
    glaze_divert();
    for (int i = 0; i <= WARM_UP; i++) {
        turn = longest_gap(200);
        udm_inject_body(udm_node(), null_handler, from, 4);
        gap = longest_gap(200);
    }
    udm_endatom();
    return gap - turn;
}

/* Returns what it takes to copy a page out of the buffer. */
static uint32_t page_storeback(void)
{
    uint32_t cycles = 0;

    for (int i = 0; i < WARM_UP; i++) {
        udm_beginatom();
        glaze_divert();
        udm_inject_body(udm_node(), null_handler, from, sizeof(from));
        while (!udm_available()) {
        }
        cycles = udm_cycles32();
        udm_storeback(to, 0, sizeof(to));
        cycles = udm_cycles32() - cycles;
        udm_dispose();
        udm_endatom();
    }
    return cycles;
}

/* ---- Draining ------------------------------------------------------------ */

/* Returns the cycles from the end of the atomic section until all messages are
 * handled. */
static uint32_t drain_time(uint32_t messages, bool bodies)
{
    uint32_t start;

    udm_beginatom();
    glaze_divert();
    for (uint32_t i = 0; i < messages; i++) {
        if (bodies) {
            udm_inject_body(udm_node(), null_handler, from, 4);
        } else {
            udm_inject(udm_node(), null_handler);
        }
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

static void drain(const char *name, bool bodies)
{
    uint32_t few, many, before = glaze_info(GLAZE_I_INSERTED);

    drain_time(FEW, bodies);
    few = drain_time(FEW, bodies);
    many = drain_time(MANY, bodies);
    check("messages came out of the buffer",
          glaze_info(GLAZE_I_INSERTED) - before, FEW + FEW + MANY);
    printf("%s out of the buffer: %lu.%02lu cycles\n", name,
           (unsigned long)((many - few) / (MANY - FEW)),
           (unsigned long)((many - few) % (MANY - FEW) * 100 / (MANY - FEW)));
}

int main(void)
{
    printf("null message by interrupt: %lu cycles\n",
           (unsigned long)by_interrupt());
    drain("null message", false);
    drain("body of 4 bytes", true);
    printf("body of 4 bytes into the buffer: %lu cycles\n",
           (unsigned long)body_insertion());
    printf("storeback of a page from the buffer: %lu cycles\n",
           (unsigned long)page_storeback());
    return check_end();
}
