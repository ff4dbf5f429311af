/*
 * mbcf-flood COMMAND BYTES [odd]: each node requests the command of all tasks of
 * its job, as often as it can, until TIME has passed twice. With "odd" the bytes
 * go to an address that is no multiple of 4. COMMAND is one of the table below.
 *
 * mbcf-flood self BYTES: node 0 keeps several WRITEs to its own memory under way. All
 * come in slots of its job, which has nothing to do on the other nodes.
 *
 * mbcf-flood bystander [waits]: each node counts how far it comes in TIME; every now
 * and then it sends a message to the next node, and polls for the answer. With
 * `waits`, it gives up the processor until then.
 *
 * With "long" as the last word, TIME is ten times as long.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"

#define PAGES   8
#define PART    24              /* bytes of each of several commands */

static uint32_t time = 10000000;        /* TIME, in cycles */

static uint32_t page[PAGES][GLAZE_PAGE / 4] __attribute__((aligned(GLAZE_PAGE)));
static uint32_t local[2 * GLAZE_PAGE / 4] __attribute__((aligned(GLAZE_PAGE)));
static struct mbcf_fifo fifo = {
    .buffer = (uintptr_t)page[4], .size = 4 * GLAZE_PAGE,
};
static struct mbcf_signal to_run = {
    .invoke = MBCF_INVOKE_TARGET, .during = MBCF_WHILE_INVOKE,
    .store = MBCF_STORE_BUFFER, .to = (uintptr_t)page[0], .size = GLAZE_PAGE,
};

static const struct {
    const char *name;
    uint32_t command;
    const void *at;             /* NULL: pages */
} commands[] = {
    { "WRITE", MBCF_WRITE, NULL }, { "READ", MBCF_READ, NULL },
    { "SWAP", MBCF_SWAP, NULL }, { "FETCH_ADD", MBCF_FETCH_ADD, NULL },
    { "COMP_SWAP", MBCF_COMP_SWAP, NULL },
    { "FIFO", MBCF_FIFO, &fifo }, { "FIFOE", MBCF_FIFOE, &fifo },
    { "FIFOE_RETRY", MBCF_FIFOE_RETRY, &fifo },
    { "SIGNAL", MBCF_SIGNAL, &to_run }, { "UPDATE", MBCF_UPDATE, NULL },
    { "INVALIDATE", MBCF_INVALIDATE, NULL },
    { "WRITE_QUEUE", MBCF_WRITE_QUEUE, NULL }, { "CANCEL", MBCF_CANCEL, NULL },
    { "several", MBCF_UPDATE, NULL },
};

static void ends(struct mbcf_signal *s)
{
    (void)s;
}

/* Copies of all pages, in patterns that are full of circles. */
static void make_circles(void)
{
    for (uint32_t p = 0; p < PAGES; p++) {
        struct mbcf_copy copy[MBCF_COPIES];

        for (uint32_t k = 0; k < MBCF_COPIES; k++) {
            copy[k].task = (udm_node() + k) % udm_nodes();
            copy[k].page = (uintptr_t)page[(p + 1 + k / 2) % PAGES];
        }
        mbcf_pattern((uintptr_t)page[p], copy, MBCF_COPIES);
    }
}

static void flood(unsigned which, uint32_t bytes, bool odd)
{
    uint32_t list = strcmp(commands[which].name, "several") ? 1
                  : MBCF_COMBINED_MAX;
    uint64_t start = udm_cycles();
    char into[GLAZE_PAGE];

    for (uint32_t k = 0; udm_cycles() - start < 2 * time; k++) {
        struct mbcf_request r[MBCF_COMBINED_MAX];

        for (uint32_t part = 0; part < list; part++) {
            const void *at = commands[which].at ? commands[which].at
                                                : page[k % PAGES];
            bool is_page = bytes == GLAZE_PAGE || !bytes;

            r[part] = (struct mbcf_request) {
                .command = commands[which].command,
                .task = k % udm_nodes(),
                .address = (uintptr_t)at + (is_page ? 0 : part * PART) + odd,
                .bytes = list > 1 ? PART : bytes,
                .local = (uintptr_t)local,
                .options = k % 16 ? 0 : MBCF_WAKES,
            };
        }
        mbcf_try(r, list);
        while (mbcf_take(&fifo, into, sizeof(into)) >= 0) {
        }
    }
}

static void flood_self(uint32_t bytes)
{
    static volatile uint32_t status[8];
    uint64_t start = udm_cycles();

    for (uint32_t k = 0; k < 8; k++) {
        status[k] = MBCF_DONE;
    }
    for (uint32_t k = 0; udm_cycles() - start < 2 * time; k = (k + 1) % 8) {
        if (!udm_node() && status[k] != MBCF_PENDING) {
            status[k] = MBCF_PENDING;
            mbcf_write(0, (uintptr_t)page, local, bytes, MBCF_STATUS, &status[k]);
        }
    }
}

static volatile uint32_t answers;

static void answered(void)
{
    udm_dispose();
    answers++;
}

static void asked(void)
{
    uint32_t source = udm_source();

    udm_dispose();
    udm_inject(source, answered);
}

/* Leaves the processor to others while no message waits. */
static void wait_for_messages(uint32_t sent)
{
    udm_beginatom();
    if (answers != sent) {
        glaze_wait();
    }
    udm_endatom();
}

static void bystander(bool waits)
{
    uint64_t start = udm_cycles();
    uint32_t turns = 0, sent = 0;

    while (udm_cycles() - start < time) {
        for (volatile uint32_t k = 0; k < 100; k++) {
        }
        turns++;
        if (turns % 50 == 0) {
            udm_inject((udm_node() + 1) % udm_nodes(), asked);
            sent++;
            while (answers != sent) {
                if (waits) {
                    wait_for_messages(sent);
                }
            }
        }
    }
    printf("bystander: %lu turns\n", (unsigned long)turns);
    printf("bystander: %lu suspensions\n",
           (unsigned long)glaze_info(GLAZE_I_SUSPENSIONS));
    udm_barrier();              /* answers the others until they are done */
}

int main(int argc, char **argv)
{
    bool odd = argc == 4 && strcmp(argv[3], "odd") == 0;

    if (argc > 1 && strcmp(argv[argc - 1], "long") == 0) {
        time *= 10;
        argc--;
    }
    if (argc > 1 && strcmp(argv[1], "bystander") == 0) {
        bystander(argc > 2);
        return 0;
    }
    to_run.program = (uintptr_t)ends;
    mbcf_open();
    mbcf_take_signals();
    mbcf_queue();
    make_circles();
    udm_barrier();
    if (argc > 2 && strcmp(argv[1], "self") == 0) {
        flood_self(atoi(argv[2]));
        glaze_exit(0);
    }
    for (unsigned k = 0; argc > 2 && k < sizeof(commands) / sizeof(*commands);
         k++) {
        if (strcmp(argv[1], commands[k].name) == 0) {
            flood(k, atoi(argv[2]), odd);
            glaze_exit(0);
        }
    }
    printf("mbcf-flood: no such command\n");
    return 2;
}
