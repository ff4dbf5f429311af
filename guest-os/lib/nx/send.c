/*
 * csend().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "nx-state.h"
#include "udm.h"

static const char call[] = "csend";

static __attribute__((noinline, cold)) void
check(unsigned long type, const void *buffer, long length, unsigned long node,
      long process)
{
    if (type >= NX_TYPES) {
        nx_mistake(call, "type %ld is none of 0 to %d", (long)type, NX_TYPES - 1);
    }
    if (node >= nx_nodes || udm_node() >= NX_NODES) {
        nx_mistake(call, "there is no node %ld for it from node %lu", (long)node,
                   (unsigned long)udm_node());
    }
    if (process) {
        nx_mistake(call, "there is no process %ld, but 0 alone", process);
    }
    if (length < 0) {
        nx_mistake(call, "a message cannot have %ld bytes", length);
    }
    if (length && !buffer) {
        nx_mistake(call, "the buffer is NULL");
    }
}

/* Stores words one after the other, so that they are one packet. */
static inline void
put_words(volatile uint32_t *to, const uint32_t *from, uint32_t bytes)
{
    const uint32_t *end = from + (bytes + 3) / 4;

    while (from != end) {
        *to++ = *from++;
    }
}

/* The same for a piece of a long message, from any address. */
static void bytes_put(volatile uint32_t *to, const char *from, uint32_t bytes)
{
    uint64_t copy[SLOT_BYTES / 8];
    volatile uint64_t *doubles = (volatile uint64_t *)to;
    uint32_t count = bytes / 8;

    if ((uintptr_t)from % 8) {
        memcpy(copy, from, bytes);
        from = (const char *)copy;
    }
    for (uint32_t k = 0; k < count; k++) {
        doubles[k] = ((const uint64_t *)from)[k];
    }
    put_words(to + 2 * count, (const uint32_t *)(from + 8 * count), bytes % 8);
}

/* Sends in whatever case, or ends the job. */
static __attribute__((noinline, cold)) void
send(long type, const char *buffer, long length, long node, long process)
{
    struct peer *p = &nx_peers[node];
    uint32_t left = length;

    check(type, buffer, length, node, process);
    nx_connect(p, call);
    do {
        uint32_t bytes = left < SLOT_BYTES ? left : SLOT_BYTES;
        volatile struct slot *slot;

        if (!nx_has_room(p)) {
            nx_await_room(p, call);
        }
        slot = p->next_out;
        slot->type = type;
        slot->left = left;
        bytes_put(slot->data, buffer, bytes);
        nx_fill(p);
        buffer += bytes;
        left -= bytes;
    } while (left);
}

NX_ROW_OF(nx_csend, "check the arguments");

void nx_csend(long type, const void *buffer, long length, long node, long process)
{
    struct peer *p;
    volatile struct slot *slot;

    if ((unsigned long)type >= NX_TYPES || (unsigned long)node >= nx_nodes || process ||
        !buffer || (uintptr_t)buffer % 4 || (unsigned long)length > SLOT_BYTES) {
        goto other;
    }
    NX_ROW("find the receiver, wait for room");
    p = &nx_peers[node];
    if (!p->out || !nx_has_room(p)) {
        goto other;
    }
    NX_ROW("store type and length");
    slot = p->next_out;
    slot->type = type;
    slot->left = length;
    NX_ROW("copy");
    put_words(slot->data, buffer, length);
    NX_ROW("next slot, tell the receiver, return");
    nx_fill(p);
    return;
other:
    send(type, buffer, length, node, process);
}
