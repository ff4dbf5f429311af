/*
 * A program that sends CRL's messages itself, with arguments that make no
 * sense, to the other node of its job. Two nodes.
 *
 *     forged kernel HANDLER       one message: an address of the kernel's
 *     forged random SEED          many messages to both nodes
 *     forged OFFSET BYTES         a part of a region of 104 bytes, which would be
 *                                 BYTES at OFFSET; part of its data come back
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "pause.h"
#include "random.h"
#include "lib/crl.h"

/* The library's handlers that take addresses (guest-os/lib/crl/protocol/). */
void crl_on_read(void), crl_on_write(void), crl_on_acknowledge(void);
void crl_on_back(void), crl_on_back_part(void), crl_on_data(void);
void crl_on_data_part(void), crl_on_grant(void), crl_on_invalidate(void);
void crl_on_recall(void);

static const udm_handler_t handlers[] = {
    crl_on_read, crl_on_write, crl_on_acknowledge, crl_on_back,
    crl_on_back_part, crl_on_data, crl_on_data_part, crl_on_grant,
    crl_on_invalidate, crl_on_recall,
};

enum {
    HEADER = 64,                /* bytes of a region before its data */
    KERNEL = 0x40000000,
    MESSAGES = 60,
    HANDLERS = sizeof(handlers) / sizeof(handlers[0]),
};

static uint32_t own, body[32];
static rid_t rid;
static char *data, *home;       /* this node's, and node 0's */

static uint32_t any(void)
{
    switch (random_next(&own) % 8) {
    case 0:
        return 0;
    case 1:
        return rid;
    case 2:
        return (uintptr_t)data;
    case 3:
        return (uintptr_t)data - 4 * (random_next(&own) % 40);
    case 4:
        return KERNEL + random_next(&own) % 4096;
    case 5:
        return (uintptr_t)&own;
    case 6:
        return random_next(&own) % 8;
    default:
        return random_next(&own) << 4;
    }
}

static void forge(void)
{
    udm_handler_t handler = handlers[random_next(&own) % HANDLERS];
    uint32_t node = random_next(&own) % 2;

    if (random_next(&own) % 2) {
        udm_inject_body(node, handler, body, 64, any(), any(), any());
    } else {
        udm_inject(node, handler, any(), any(), any(), any());
    }
}

int main(int argc, char **argv)
{
    uint32_t number = atoi(argv[argc - 1]);

    crl_init();
    if (crl_self_addr == 0) {
        rid = rgn_create(100);
        rgn_bcast_send(sizeof(rid), &rid);
    } else {
        rgn_bcast_recv(sizeof(rid), &rid);
    }
    data = home = rgn_map(rid);
    if (crl_self_addr == 0) {
        rgn_bcast_send(sizeof(home), &home);
    } else {
        rgn_bcast_recv(sizeof(home), &home);
    }
    rgn_start_read(data);
    rgn_end_read(data);
    rgn_barrier();
    if (crl_self_addr == 1 && !strcmp(argv[1], "kernel")) {
        udm_inject(0, handlers[number], KERNEL + 4096, KERNEL, KERNEL, KERNEL);
    } else if (crl_self_addr == 1 && strcmp(argv[1], "random")) {
        udm_inject_body(0, crl_on_back_part, body, number,
                        (uintptr_t)home - HEADER, 0,
                        strtol(argv[1], NULL, 0));
    } else if (crl_self_addr == 1) {
        own = hash(number, 1, 2);
        for (uint32_t i = 0; i < MESSAGES; i++) {
            forge();
        }
    }
    spin_for(200000);
    return 0;
}
