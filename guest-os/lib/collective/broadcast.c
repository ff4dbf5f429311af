/*
 * The broadcast. The nodes tell the root along the tree that they are ready:
 * each one knows then where to store the data. The data come back along the
 * tree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "collective.h"

/* The value of each node that is ready is the number of bytes it expects. */
static void same_bytes(union value *to, const union value *from)
{
    if (to->word[0] != from->word[0]) {
        collective_mistake(BROADCAST,
                           "the nodes pass different numbers of bytes");
    }
}

/* Passes on the data in messages with bodies, each one when it has come. */
static void send_bodies(struct call *call, char *data, size_t bytes)
{
    struct slot *slot = &call->slot[FROM_PARENT];
    uint32_t children[ROUNDS];
    unsigned count = collective_children(call, children);
    uint32_t bodies = 0;

    for (size_t offset = 0; offset < bytes; offset += COLLECTIVE_BODY) {
        size_t body = bytes - offset;

        body = body < COLLECTIVE_BODY ? body : COLLECTIVE_BODY;
        bodies++;
        if (!collective_is_root(call)) {
            collective_wait(slot, bodies);
        }
        for (unsigned k = 0; k < count; k++) {
            collective_send_body(call, children[k], data + offset, body,
                                 offset);
        }
    }
    collective_free(call, FROM_PARENT);
}

void udm_broadcast(uint32_t root, void *data, size_t bytes)
{
    struct call *call;
    union value value = { .word = { bytes } };

    ELSE_BY_UPDATES(updates_broadcast(root, data, bytes));
    call = collective_begin(BROADCAST, 0, root);
    if (((uintptr_t)data | bytes) % 4) {
        collective_mistake(BROADCAST, "the data are not aligned to 4 bytes");
    }
    collective_into(call, data);
    collective_gather(call, &value, same_bytes);
    if (bytes > sizeof(value)) {
        send_bodies(call, data, bytes);
    } else {
        memcpy(&value, data, bytes);
        collective_release(call, &value);
        memcpy(data, &value, bytes);
    }
    collective_end(call);
}
