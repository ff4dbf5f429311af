/*
 * What all nodes do together: start, barrier, broadcast.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "udm-collective.h"
#include "udm-work.h"

void crl_init(void)
{
    if (crl_num_nodes) {
        CRL_ENTER(CRL_OTHER, 0);
        crl_mistake(0, "crl_init() is called twice");
    }
    crl_self_addr = udm_node();
    crl_num_nodes = udm_nodes();
    CRL_ENTER(CRL_OTHER, 0);
    crl_home_init();
    udm_defer_init();           /* for deferred data */
    udm_barrier();
    crl_end();
}

void rgn_barrier(void)
{
    CRL_ENTER(CRL_BARRIER, 0);
    udm_barrier();
    crl_miss();
}

/* ---- Broadcast ---------------------------------------------------------- */

/* Returns the node that sends. Ends the job if no node does, or two do. */
static uint32_t find_sender(bool sends)
{
    int64_t mine = sends ? (int64_t)1 << 32 | crl_self_addr : 0;
    int64_t sum = udm_reduce_all_int(UDM_SUM, mine);

    if (sum >> 32 != 1) {
        crl_mistake(0, sum == 0 ? "no node sends" : "two nodes send");
    }
    return sum;
}

static void broadcast(bool sends, int bytes, void *data, uint32_t caller)
{
    uint32_t root, whole = (bytes + 3) & ~3;
    void *copy = data;

    crl_enter(CRL_BCAST, 0, udm_uac(), caller);
    if (bytes < 0) {
        crl_mistake(0, "the number of bytes is negative");
    }
    if (((uintptr_t)data | bytes) % 4) {
        copy = malloc(whole);
        if (!copy) {
            crl_mistake(0, "no memory is left");
        }
        memcpy(copy, data, bytes);
    }
    root = find_sender(sends);
    udm_broadcast(root, copy, whole);
    if (copy != data) {
        memcpy(data, copy, bytes);
        free(copy);
    }
    crl_miss();
}

void rgn_bcast_send(int bytes, void *data)
{
    broadcast(true, bytes, data, (uintptr_t)__builtin_return_address(0));
}

void rgn_bcast_recv(int bytes, void *data)
{
    broadcast(false, bytes, data, (uintptr_t)__builtin_return_address(0));
}
