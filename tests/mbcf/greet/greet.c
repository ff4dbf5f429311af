/*
 * mbcf-greet server|client|many|late|fill|idle|both: first messages of several jobs to
 * task 1 of node 0, the first job's. The server reads its queue now and then, and
 * `late` at the end alone. Each client sends a message at a time; `many` sends as
 * many as it can, with MBCF_WAKES, and `fill` until one is refused. `both` sends packets
 * in which commands to the server alternate with some to its own task there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"

#define END     20000000        /* cycles */
#define START   2000000         /* the server has its queue by then */
#define SERVER  1               /* its job's number: the first one */

static void pass(uint32_t cycles)
{
    uint64_t start = udm_cycles();

    while (udm_cycles() - start < cycles) {
    }
}

static void serve(void)
{
    uint32_t got[2] = { 0 }, most = 0, wakes;
    struct mbcf_first first;

    mbcf_queue();
    while (udm_cycles() < END + START) {
        wakes = mbcf_page()->wakes;
        pass(500000);
        wakes = mbcf_page()->wakes - wakes;
        most = wakes > most ? wakes : most;
        while (mbcf_read_queue(&first)) {
            got[first.data[0]]++;
        }
    }
    printf("server: %lu and %lu messages, %lu wakes at most\n",
           (unsigned long)got[0], (unsigned long)got[1], (unsigned long)most);
}

/* Sends messages, of which the first word is `many`. */
static void ask(uint32_t many)
{
    uint32_t task = mbcf_enter(0, 0, SERVER, 0), done = 0, refused = 0;

    while (udm_cycles() < START) {
    }
    while (udm_cycles() < END) {
        volatile uint32_t status = MBCF_PENDING;

        mbcf_send(MBCF_WRITE_QUEUE, task, 0, &many, sizeof(many),
                  MBCF_STATUS | (many ? MBCF_WAKES : 0), &status);
        if (mbcf_await(&status) == MBCF_DONE) {
            done++;
        } else {
            refused++;
        }
        pass(many ? 0 : 200000);
    }
    printf("%s: %lu done, %lu refused\n", many ? "many" : "client",
           (unsigned long)done, (unsigned long)refused);
}

/* Reads what has come by the end. */
static void serve_late(void)
{
    struct mbcf_first first;
    uint32_t got = 0;

    mbcf_queue();
    while (udm_cycles() < END) {
        glaze_yield();
    }
    while (mbcf_read_queue(&first)) {
        got++;
    }
    printf("late: %lu messages\n", (unsigned long)got);
}

static void fill(void)
{
    uint32_t task = mbcf_enter(0, 0, SERVER, 0), done = 0, got;

    while (udm_cycles() < START) {
    }
    do {
        volatile uint32_t status = MBCF_PENDING;

        mbcf_send(MBCF_WRITE_QUEUE, task, 0, &done, sizeof(done), MBCF_STATUS,
                  &status);
        got = mbcf_await(&status);
        done += got == MBCF_DONE;
    } while (got == MBCF_DONE);
    printf("fill: %lu done, then status %lu\n", (unsigned long)done,
           (unsigned long)got);
}

static volatile uint32_t added;

static void ask_both(void)
{
    enum { ROUNDS = 5 };
    uint32_t server = mbcf_enter(0, 0, SERVER, 0), zero = 0, done = 0, sum = 0;

    while (udm_cycles() < START) {
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct mbcf_request r[MBCF_COMBINED_MAX];
        volatile uint32_t status[MBCF_COMBINED_MAX], old[MBCF_COMBINED_MAX];

        for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
            status[k] = MBCF_PENDING;
            r[k] = (struct mbcf_request) {
                .command = k % 2 ? MBCF_WRITE_QUEUE : MBCF_FETCH_ADD,
                .options = MBCF_STATUS,
                .task = k % 2 ? server : 0,
                .address = (uintptr_t)&added,
                .bytes = sizeof(zero),
                .operand = { 1 },
                .local = k % 2 ? (uintptr_t)&zero : (uintptr_t)&old[k],
                .status = (uintptr_t)&status[k],
            };
        }
        mbcf_request(r, MBCF_COMBINED_MAX);
        for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
            done += mbcf_await(&status[k]) == MBCF_DONE;
            sum += k % 2 ? 0 : old[k] == MBCF_COMBINED_MAX / 2 * round + k / 2;
        }
        pass(2000000);          /* the server reads its queue */
    }
    printf("both: %lu done, %lu in order\n", (unsigned long)done, (unsigned long)sum);
}

int main(int argc, char **argv)
{
    mbcf_open();
    if (argc == 2 && strcmp(argv[1], "server") == 0) {
        if (udm_node() == 0) {
            serve();
        }
    } else if (argc == 2 && strcmp(argv[1], "late") == 0) {
        if (udm_node() == 0) {
            serve_late();
        }
    } else if (argc == 2 && strcmp(argv[1], "fill") == 0 && udm_node() == 1) {
        fill();
    } else if (argc == 2 && strcmp(argv[1], "both") == 0) {
        if (udm_node() == 1) {
            ask_both();
        }
        while (udm_cycles() < END) {
            glaze_yield();      /* its task on node 0 is a target */
        }
    } else if (argc == 2 && strcmp(argv[1], "idle") == 0) {
        while (udm_cycles() < END) {
            glaze_yield();
        }
    } else if (argc == 2 && udm_node() == 1) {
        ask(strcmp(argv[1], "many") == 0);
    } else if (argc == 2) {
        while (udm_cycles() < END) {    /* pays for what node 1's asks here */
            glaze_yield();
        }
    }
    return 0;
}
