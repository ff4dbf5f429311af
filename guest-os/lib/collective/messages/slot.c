/*
 * Slots by messages: the messages of a call, and how a thread waits for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "collective.h"

struct call collective_calls[2];

static enum udm_wait wait_how;
static udm_waiter_t waiter;     /* which each message is to wake */
static char *into;              /* where bodies belong */

void udm_collective_wait(enum udm_wait how)
{
    ELSE_BY_UPDATES(updates_collective_wait(how));
    wait_how = how;
}

/* ---- Handlers ----------------------------------------------------------- */

/*
 * Returns the slot for which the current message has come. Ends the job if the
 * message belongs to another call than the one that this node has begun, or
 * than an earlier message.
 */
static inline struct slot *message_slot(void)
{
    uint32_t word = udm_arg(0);
    uint32_t identity = word & ~IDENTITY_SLOT;
    struct call *call = &collective_calls[(word & IDENTITY_ODD) != 0];

    if (call->identity != identity) {
        if (call->identity) {
            collective_mismatch(call->identity, identity, udm_source());
        }
        call->from = udm_source();
        call->identity = identity;
    }
    return &call->slot[word & IDENTITY_SLOT];
}

/* Counts a message whose value or body is in its place. */
static inline void arrived(struct slot *slot)
{
    slot->count++;
    udm_waiter_wake(&waiter);
}

/* Handler. Arguments: identity and slot; the two words of a value, or none. */
static void arrive(void)
{
    struct slot *slot = message_slot();

    slot->value.word[0] = udm_arg(1);
    slot->value.word[1] = udm_arg(2);
    udm_dispose();
    arrived(slot);
}

/* Handler. Arguments: identity and slot; the body's offset in the data. */
static void arrive_body(void)
{
    struct slot *slot = message_slot();

    udm_storeback(into + udm_arg(1), 0, udm_body_length());
    udm_dispose();
    arrived(slot);
}

/* ---- Sending ------------------------------------------------------------ */

void collective_signal(const struct call *call, uint32_t node, unsigned slot)
{
    udm_inject(node, arrive, call->identity | slot);
}

void collective_send(const struct call *call, uint32_t node, unsigned slot,
                     const union value *value)
{
    udm_inject(node, arrive, call->identity | slot, value->word[0],
               value->word[1]);
}

void collective_into(struct call *call, void *data)
{
    (void)call;
    into = data;
}

void collective_send_body(const struct call *call, uint32_t node,
                          const void *body, uint32_t bytes, uint32_t offset)
{
    udm_inject_body(node, arrive_body, body, bytes,
                    call->identity | FROM_PARENT, offset);
}

/* ---- Waiting ------------------------------------------------------------ */

void collective_wait(struct slot *slot, uint32_t count)
{
    udm_wait_until(&waiter, wait_how, slot->count >= count);
}

const union value *collective_take(struct call *call, unsigned slot)
{
    struct slot *taken = &call->slot[slot];

    collective_wait(taken, 1);
    taken->count = 0;
    return &taken->value;
}
