/*
 * Makes one of the mistakes of docs/mbcf.md: its number is the argument.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "mbcf.h"

enum { FAR = 99, NOWHERE = 0x3fe00000, OWN = 0 };

static char bytes[2 * GLAZE_PAGE] __attribute__((aligned(4096)));
static volatile uint32_t status;

static void send(uint32_t command, uint32_t address, uint32_t size,
                 uint32_t options)
{
    mbcf_send(command, OWN, address, bytes, size, options, &status);
}

static void list(uint32_t count, uint32_t size)
{
    static struct mbcf_request request[20];

    for (uint32_t k = 0; k < 20; k++) {
        request[k] = (struct mbcf_request) {
            .command = MBCF_WRITE, .task = OWN, .local = (uintptr_t)bytes + 1,
            .address = (uintptr_t)bytes, .bytes = size,
        };
    }
    mbcf_request(request, count);
}

static void several_nodes(void)
{
    struct mbcf_request request[2] = {
        { .command = MBCF_WRITE, .task = 0, .bytes = 4,
          .local = (uintptr_t)bytes, .address = (uintptr_t)bytes },
    };

    request[1] = request[0];
    request[1].task = 1;
    mbcf_request(request, 2);
}

static void mistake(int number)
{
    uint32_t here = (uintptr_t)bytes;
    struct mbcf_agent agent = { .range[0] = { 0, 4, MBCF_RANGE_WRITE } };
    struct mbcf_copy copy[5] = { { 0, here }, { 0, here }, { 0, here } };

    switch (number) {
    case 0: send(0, here, 4, 0); break;
    case 1: send(14, here, 4, 0); break;
    case 2: send(MBCF_WRITE, here, 4, 0x80); break;
    case 3: send(MBCF_WRITE, here, 4, MBCF_COLOUR(8)); break;
    case 4: send(MBCF_WRITE, here, 4, MBCF_CANCELS); break;
    case 5: mbcf_read(OWN, NULL, here, 4, 0, NULL); break;
    case 6: send(MBCF_FIFO, here, 0, 0); break;
    case 7: send(MBCF_FIFO, here, 4100, 0); break;
    case 8: send(MBCF_WRITE_QUEUE, 0, 36, 0); break;
    case 9: send(MBCF_UPDATE, here + 4092, 8, 0); break;
    case 10: list(0, 4); break;
    case 11: list(17, 4); break;
    case 12: several_nodes(); break;
    case 13: list(2, 36); break;
    case 14: list(1, 36); break;
    case 15: mbcf_enter(MBCF_ENTRIES, 0, 0, 0); break;
    case 16: mbcf_enter(0, FAR, 0, 0); break;
    case 17: mbcf_agent(MBCF_AGENTS, &agent); break;
    case 18: mbcf_agent(0, &agent); break;
    case 19: mbcf_pattern(here + 4, copy, 1); break;
    case 20: mbcf_pattern(here, copy, 5); break;
    case 21: mbcf_pattern(here, (struct mbcf_copy []) { { FAR, here } }, 1); break;
    case 22: mbcf_fetch_add_now(FAR, here, 1); break;
    case 23: mbcf_write(OWN, here, (void *)NOWHERE, 64, 0, NULL); break;
    }
}

int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : -1;

    if (number == 24) {
        mbcf_fetch_add_now(OWN, (uintptr_t)bytes, 1);
    }
    mbcf_open();
    mistake(number);
    return 0;
}
