/*
 * A process with requests under way, for tests of fugu mbcf. Node 0 sends
 * commands that need an untouched page of node 1, and calls look().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mbcf.h"
#include "udm-collective.h"

enum { COMMANDS = 3, BYTES = 8 };

static uint8_t memory[3 * GLAZE_PAGE];          /* a whole page in it */
static volatile uint32_t status[COMMANDS];
static uint32_t local[COMMANDS][BYTES / 4];

/* A place for breakpoints. */
static void __attribute__((noinline)) look(void)
{
    asm volatile ("" : : : "memory");
}

int main(void)
{
    static const uint32_t command[COMMANDS] = { MBCF_FETCH_ADD, MBCF_WRITE,
                                                MBCF_READ };
    struct mbcf_request request[COMMANDS];
    uint32_t page = ((uintptr_t)memory + GLAZE_PAGE) & -GLAZE_PAGE;

    mbcf_open();
    mbcf_queue();
    udm_barrier();
    if (udm_node() == 0) {
        mbcf_send(MBCF_WRITE_QUEUE, 1, 0, local, BYTES, MBCF_STATUS, status);
        mbcf_await(status);
        status[0] = MBCF_PENDING;
        mbcf_write_now(1, 4, local, BYTES);     /* is refused */
        for (unsigned k = 0; k < COMMANDS; k++) {
            request[k] = (struct mbcf_request) {
                .command = command[k],
                .options = MBCF_STATUS,
                .task = 1,
                .address = page + 16 * k,
                .bytes = BYTES,
                .local = (uintptr_t)local[k],
                .operand = { 1 },
                .status = (uintptr_t)&status[k],
            };
        }
        mbcf_request(request, COMMANDS);
        look();
        for (unsigned k = 0; k < COMMANDS; k++) {
            mbcf_await(&status[k]);
        }
    }
    udm_barrier();
    return 0;
}
