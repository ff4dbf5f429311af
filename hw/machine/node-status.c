/*
 * What a node does, in words
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/node-status.h"

static const char *wait_text(FuguWait wait)
{
    static const char *const text[FUGU_WAITS] = {
        [FUGU_WAIT_INTERRUPT] = "an interrupt",
        [FUGU_WAIT_SPACE] = "space in the network",
        [FUGU_WAIT_BODY] = "its last message with a body to be delivered",
        [FUGU_WAIT_DMA] = "the DMA engine",
        [FUGU_WAIT_SECOND] = "space in the second network",
        [FUGU_WAIT_OUTGOING] = "room in the Outgoing FIFO",
        [FUGU_WAIT_ACK] = "its last message to leave the registers",
        [FUGU_WAIT_WORD] = "the next word of a message",
        [FUGU_WAIT_MESSAGE] = "a message",
    };

    return text[wait];
}

char *fugu_node_status_text(const FuguNodeStatus *s)
{
    switch (s->state) {
    case FUGU_NODE_RUNS:
        return g_strdup_printf("runs, pc 0x%08x", s->pc);
    case FUGU_NODE_WAITS:
        return g_strdup_printf("waits for %s, pc 0x%08x",
                               wait_text(s->wait), s->pc);
    case FUGU_NODE_ENDED:
        return g_strdup_printf("ended with status %u", s->status);
    case FUGU_NODE_FAILED:
        return g_strdup_printf("error mode, trap 0x%02x with traps disabled, "
                               "pc 0x%08x, npc 0x%08x", s->status, s->pc,
                               s->npc);
    default:
        g_assert_not_reached();
    }
}
