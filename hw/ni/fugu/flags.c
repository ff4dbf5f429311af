/*
 * The FUGU network interface: whose the head of the queue is, and what it
 * interrupts (paper, table 2)
 *
 * With soft atomicity every message interrupts, and the kernel determines its
 * owner.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/ni/fugu/flags.h"

/* Whether the user sees this head: its GID is that of the user, it is no kernel
 * message, and divert-mode is off. */
static bool head_is_users(FuguNI *ni, FuguPacket *head)
{
    return !(head->words[0] & FUGU_HDR_KERNEL) &&
           fugu_ni_gid(head) == ni->parent_obj.gid && !ni->divert;
}

/* Whether this head causes message-available. Any other head causes
 * mismatch-available. */
static bool head_is_a_message(FuguNI *ni, FuguPacket *head)
{
    return ni->parent_obj.soft ? !(head->words[0] & FUGU_HDR_KERNEL)
                               : head_is_users(ni, head);
}

FuguPacket *fugu_ni_message(FuguNI *ni)
{
    FuguPacket *head = fugu_ni_head(ni);

    return head && head_is_users(ni, head) ? head : NULL;
}

uint32_t fugu_ni_pending(FuguNI *ni)
{
    FuguPacket *head = fugu_ni_head(ni);

    if (!head) {
        return 0;
    }
    if (!head_is_a_message(ni, head)) {
        return FUGU_PEND_MISMATCH;
    }
    return ni->parent_obj.soft ||
           !(ni->parent_obj.uac & FUGU_UAC_INTERRUPT_DISABLE)
           ? FUGU_PEND_MESSAGE : 0;
}
