/*
 * Blocks of memory, with items that say that they have left and arrived.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rq-state.h"
#include "udm-transfer.h"

/* Sends a note, if there is one. */
static void post(uint32_t node, const struct rq_note *note)
{
    if (note) {
        rq_send(node, note->queue, note->word[0], note->word[1]);
    }
}

void rq_store(uint32_t node, void *to, const void *from, uint32_t bytes,
              const struct rq_note *sent, const struct rq_note *arrived)
{
    /* Items stay in order with what goes the same way: they are after the
       bytes. */
    if (rq_fetch_) {
        if (node >= udm_nodes()) {
            rq_mistake("RQ", 0, "a block is for a node that does not exist");
        }
        fetch_write(node, (uintptr_t)to, from, bytes);
    } else {
        udm_transfer(node, to, from, bytes);
    }
    post(udm_node(), sent);
    post(node, arrived);
}
