/*
 * The system part of a network interface: beginatom, endatom (paper, table 1);
 * operations of the second network
 *
 * Each operation returns 0 when it is done, a trap type, or SPARCLE_WAIT. In
 * the last two cases it has had no effect.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/op.h"

/* ---- The second network -------------------------------------------------- */

int fugu_system_launch_second(FuguSystemNI *ni, uint32_t n)
{
    FuguMachineState *machine = ni->node->machine;
    const uint32_t *words = ni->second_window;
    FuguPacket *p;

    if (n == 0 || n > FUGU_MSG_WORDS ||
        fugu_header_node(words[0]) >= machine->options.node_count) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    if (ni->second.space < n) {
        return fugu_system_wait(ni, FUGU_WAIT_SECOND);
    }
    p = fugu_packet_new(machine->parts.hub);
    p->dest = fugu_header_node(words[0]);
    p->length = n;
    memcpy(p->words, words, n * sizeof(words[0]));
    /* This network has no GIDs: software chooses all bits but the node. */
    p->words[0] = (words[0] & ~FUGU_HDR_NODE_MASK) | ni->node->number;
    fugu_channel_send(&ni->second, p, fugu_node_time(ni->node), false);
    return 0;
}

int fugu_system_dispose_second(FuguSystemNI *ni)
{
    if (QTAILQ_EMPTY(&ni->second.queue)) {
        return FUGU_TT_BAD_DISPOSE;
    }
    fugu_channel_drop_head(&ni->second, false);
    fugu_system_update(ni);
    return 0;
}

/* ---- Atomicity ----------------------------------------------------------- */

static int op_beginatom(FuguSystemNI *ni, uint32_t mask, bool user)
{
    if (user && !(ni->uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        ni->atomic_since = fugu_node_time(ni->node);
    }
    ni->uac |= mask & (user ? FUGU_UAC_USER : FUGU_UAC_ALL);
    if (user && ni->node->seen) {
        fugu_seen_before_uac(ni->node->seen, fugu_node_time(ni->node));
        fugu_seen_uac(ni->node->seen, fugu_node_time(ni->node), ni->uac);
    }
    fugu_system_update(ni);
    return 0;
}

static int op_endatom(FuguSystemNI *ni, uint32_t mask, bool user)
{
    if (user && (ni->uac & FUGU_UAC_DISPOSE_PENDING)) {
        return FUGU_TT_DISPOSE_FAILURE;
    }
    if (user && (ni->uac & FUGU_UAC_ATOMICITY_EXTEND)) {
        return FUGU_TT_ATOMICITY_EXTEND;
    }
    ni->uac &= ~(mask & (user ? FUGU_UAC_USER : FUGU_UAC_ALL));
    if (user) {
        int64_t now = fugu_node_time(ni->node);

        if (ni->node->seen) {
            fugu_seen_before_uac(ni->node->seen, now);
        }
        fugu_meter_user(&ni->node->meter, now, ni->uac & FUGU_UAC_TIMER_FORCE);
        if (ni->node->seen) {
            fugu_seen_uac(ni->node->seen, now, ni->uac);
        }
    }
    fugu_system_update(ni);
    return 0;
}

int fugu_system_op(FuguSystemNI *ni, SparcleOp op, uint32_t mask, bool user)
{
    if (ni->soft) {
        return TT_NCP_INSN;
    }
    switch (op) {
    case SPARCLE_BEGINATOM:
        return op_beginatom(ni, mask, user);
    case SPARCLE_ENDATOM:
        return op_endatom(ni, mask, user);
    default:
        return TT_NCP_INSN;
    }
}
