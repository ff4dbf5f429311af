/*
 * One network of a network interface: arrivals, input queue, source space
 *
 * A message comes in four steps. The hub puts it in flight when the round in
 * which it was sent is over. At its arrival it joins the line of blocked
 * messages in front of the input queue. When the queue has room, the message
 * enters it, and a credit gives its words back to the sender. At last the
 * processor disposes of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/trace.h"

static FuguHub *channel_hub(FuguChannel *c)
{
    return c->ni->node->machine->parts.hub;
}

/* Returns the words that a message counts in queue and space. */
static uint32_t counted(const FuguChannel *c, const FuguPacket *message)
{
    return fugu_netif_counted(&c->limits, message);
}

/* ---- Out ---------------------------------------------------------------- */

/* Sends what departs now. The processor may be ahead, and later packets belong
 * to later rounds. */
static void channel_depart(void *opaque)
{
    FuguChannel *c = opaque;
    FuguPacket *p = QTAILQ_FIRST(&c->departing);
    int64_t now = p->time;

    while ((p = QTAILQ_FIRST(&c->departing)) && p->time == now) {
        QTAILQ_REMOVE(&c->departing, p, next);
        fugu_hub_send(channel_hub(c), p);
    }
    fugu_event_set(c->ni->node, &c->departure, p ? p->time : FUGU_NEVER);
}

/* Sends it at @time, or when those before it have left. */
static void channel_send(FuguChannel *c, FuguPacket *p, int64_t time)
{
    p->sequence = c->ni->sequence++;
    if (!p->from) {
        p->issued = fugu_node_time(c->ni->node);
    }
    p->time = MAX(time, c->depart_time);
    c->depart_time = p->time;
    /*
     * The processor may be a few cycles past the departure of an earlier
     * packet whose event has not fired yet. No packet may overtake that one.
     */
    if (QTAILQ_EMPTY(&c->departing) &&
        p->time <= fugu_node_time(c->ni->node)) {
        fugu_hub_send(channel_hub(c), p);
    } else {
        QTAILQ_INSERT_TAIL(&c->departing, p, next);
        fugu_event_set(c->ni->node, &c->departure,
                       QTAILQ_FIRST(&c->departing)->time);
    }
}

static void digest_launch(FuguNode *node, const FuguPacket *p)
{
    fugu_digest(node, FUGU_DIGEST_LAUNCH,
                ((uint64_t)p->words[0] << 32) | (p->dest << 16) |
                (p->network << 8) | p->length);
}

void fugu_channel_send(FuguChannel *c, FuguPacket *p, int64_t time, bool user)
{
    FuguNode *node = c->ni->node;

    p->kind = FUGU_PACKET_MESSAGE;
    p->network = c->network;
    p->source = node->number;
    c->space -= counted(c, p);
    c->bodies_out += p->has_body;
    trace_fugu_ni_launch(node->number, c->network, p->dest, p->length,
                         p->body_len, p->words[0], fugu_node_time(node));
    digest_launch(node, p);
    channel_send(c, p, time);
    if (node->seen && !fugu_netif_is_word(&c->limits, p)) {
        fugu_seen_launch(node->seen, p->mode ? p->time : fugu_node_time(node), p,
                         user, c->space);
    }
}

/* ---- In ----------------------------------------------------------------- */

static void channel_send_credit(FuguChannel *c, FuguPacket *message,
                                int64_t time)
{
    FuguPacket *p = fugu_packet_new(channel_hub(c));

    p->kind = FUGU_PACKET_CREDIT;
    p->network = c->network;
    p->source = c->ni->node->number;
    p->dest = message->source;
    p->has_body = message->has_body;
    p->words[0] = counted(c, message);
    p->time = time;
    fugu_hub_send(channel_hub(c), p);
}

static void channel_digest_delivery(FuguChannel *c, FuguPacket *p)
{
    FuguNode *node = c->ni->node;

    fugu_digest(node, FUGU_DIGEST_DELIVERY,
                ((uint64_t)p->words[0] << 32) | (c->network << 16) | p->length);
    for (unsigned i = 1; i < p->length; i++) {
        uint32_t word = cpu_to_be32(p->words[i]);

        fugu_digest_data(node, &word, sizeof(word));
    }
    fugu_digest_data(node, p->body, p->body_len);
}

/*
 * Moves blocked messages into the queue, in the order of arrival, as long as
 * there is room. The hardware does so at @time, even if the processor is a few
 * instructions ahead.
 */
static void channel_accept(FuguChannel *c, int64_t time)
{
    FuguPacket *p;

    while ((p = QTAILQ_FIRST(&c->blocked)) &&
           c->queue_words + counted(c, p) <= c->queue_max) {
        QTAILQ_REMOVE(&c->blocked, p, next);
        QTAILQ_INSERT_TAIL(&c->queue, p, next);
        c->queue_words += counted(c, p);
        trace_fugu_ni_deliver(c->ni->node->number, c->network, p->source,
                              p->length, p->body_len, c->queue_words, time);
        if (c->ni->node->seen) {
            fugu_seen_accept(c->ni->node->seen, time, p, c->queue_words);
        }
        channel_digest_delivery(c, p);
        channel_send_credit(c, p, time);
        if (c->entered) {
            c->entered(c->ni, p, time);
        }
    }
    if (p) {
        trace_fugu_ni_blocked(c->ni->node->number, c->network, p->source,
                              p->length, c->queue_words);
    }
}

static void channel_take_credit(FuguChannel *c, FuguPacket *p)
{
    c->space += p->words[0];
    /* The link checks the credits of other processes (link/account.h). */
    assert(c->space <= c->limits.space);
    if (p->has_body && c->bodies_out) {
        c->bodies_out--;
    }
    trace_fugu_ni_space(c->ni->node->number, c->network, c->space,
                        fugu_node_time(c->ni->node));
    if (c->ni->node->seen) {
        fugu_seen_space(c->ni->node->seen, fugu_node_time(c->ni->node),
                        c->network, c->space);
    }
    if (c->credited) {
        c->credited(c->ni, p);
    }
    fugu_packet_free(channel_hub(c), p);
}

/* Takes what arrives now. The processor may be ahead, and others may still
 * send what arrives before the packets that follow. */
static void channel_arrive(void *opaque)
{
    FuguChannel *c = opaque;
    FuguPacket *p = QTAILQ_FIRST(&c->flight);
    int64_t now = p->arrival;
    bool update = false;

    while ((p = QTAILQ_FIRST(&c->flight)) && p->arrival == now) {
        QTAILQ_REMOVE(&c->flight, p, next);
        /* A credit that nothing waits for changes no interrupt and no timer. */
        update |= p->kind != FUGU_PACKET_CREDIT || c->credited;
        if (p->kind == FUGU_PACKET_CREDIT) {
            channel_take_credit(c, p);
        } else if (fugu_netif_is_word(&c->limits, p)) {
            c->joins(c->ni, p, p->arrival);
            fugu_packet_free(channel_hub(c), p);
        } else {
            int64_t arrival = p->arrival;

            QTAILQ_INSERT_TAIL(&c->blocked, p, next);
            if (c->ni->node->seen &&
                c->queue_words + counted(c, p) > c->queue_max) {
                fugu_seen_blocked(c->ni->node->seen, arrival, p);
            }
            channel_accept(c, arrival);
        }
    }
    fugu_event_set(c->ni->node, &c->arrival, p ? p->arrival : FUGU_NEVER);
    if (update) {
        fugu_system_update(c->ni);
    }
}

void fugu_channel_arrive(FuguChannel *c, FuguPacket *p)
{
    FuguNode *node = c->ni->node;

    fugu_packet_insert(&c->flight, p);
    if (node->seen && p->kind == FUGU_PACKET_MESSAGE &&
        !fugu_netif_is_word(&c->limits, p)) {
        fugu_seen_flight(node->seen);
    }
    if (p == QTAILQ_FIRST(&c->flight)) {
        fugu_event_set(node, &c->arrival, p->arrival);
    }
}

/* Returns the first credit that has come by @time and was not taken, or NULL. */
static FuguPacket *due_credit(const FuguChannel *c, int64_t time)
{
    FuguPacket *p;

    if (c->arrival.time > time) {
        return NULL;
    }
    QTAILQ_FOREACH(p, &c->flight, next) {
        if (p->arrival > time) {
            return NULL;
        }
        if (p->kind == FUGU_PACKET_CREDIT) {
            return p;
        }
    }
    return NULL;
}

int64_t fugu_channel_next_credit(const FuguChannel *c, int64_t time)
{
    const FuguPacket *p = due_credit(c, time);

    return p ? p->arrival : FUGU_NEVER;
}

void fugu_channel_take_credit(FuguChannel *c)
{
    FuguPacket *p = due_credit(c, FUGU_NEVER - 1), *first;

    QTAILQ_REMOVE(&c->flight, p, next);
    first = QTAILQ_FIRST(&c->flight);
    fugu_event_set(c->ni->node, &c->arrival,
                   first ? first->arrival : FUGU_NEVER);
    channel_take_credit(c, p);
}

static void channel_drop(FuguChannel *c, FuguPacket *p, int64_t time)
{
    QTAILQ_REMOVE(&c->queue, p, next);
    fugu_packet_free(channel_hub(c), p);
    channel_accept(c, time);
}

void fugu_channel_drop_head(FuguChannel *c, bool user)
{
    FuguPacket *p = QTAILQ_FIRST(&c->queue);
    FuguNode *node = c->ni->node;

    c->queue_words -= counted(c, p);
    if (node->seen) {
        fugu_seen_dispose(node->seen, fugu_node_time(node), p, user,
                          c->queue_words);
    }
    channel_drop(c, p, fugu_node_time(node));
}

void fugu_channel_drain_head(FuguChannel *c, int64_t time)
{
    FuguPacket *p = QTAILQ_FIRST(&c->queue);

    c->queue_words -= counted(c, p);
    channel_drop(c, p, time);
}

const FuguPacketList *fugu_channel_packets(const FuguChannel *c,
                                           FuguNetifPlace place)
{
    switch (place) {
    case FUGU_NETIF_DEPARTING:
        return &c->departing;
    case FUGU_NETIF_FLIGHT:
        return &c->flight;
    case FUGU_NETIF_BLOCKED:
        return &c->blocked;
    case FUGU_NETIF_QUEUE:
        return &c->queue;
    }
    g_assert_not_reached();
}

/* ---- Set-up ------------------------------------------------------------- */

void fugu_channel_init(FuguSystemNI *ni, FuguChannel *c, int network,
                       uint32_t queue)
{
    ni->channel[network] = c;
    c->ni = ni;
    c->network = network;
    c->limits = ni->parent_obj.kind->limits(ni->node->machine, network);
    c->queue_max = queue;
    QTAILQ_INIT(&c->flight);
    QTAILQ_INIT(&c->blocked);
    QTAILQ_INIT(&c->queue);
    QTAILQ_INIT(&c->departing);
    fugu_event_init(ni->node, &c->arrival, channel_arrive, c);
    fugu_event_init(ni->node, &c->departure, channel_depart, c);
}

static void packets_drop(FuguChannel *c, FuguPacketList *list)
{
    FuguPacket *p;

    while ((p = QTAILQ_FIRST(list))) {
        QTAILQ_REMOVE(list, p, next);
        fugu_packet_free(channel_hub(c), p);
    }
}

void fugu_channel_reset(FuguChannel *c)
{
    packets_drop(c, &c->flight);
    packets_drop(c, &c->blocked);
    packets_drop(c, &c->queue);
    packets_drop(c, &c->departing);
    c->queue_words = 0;
    c->space = c->limits.space;
    c->bodies_out = 0;
    c->depart_time = 0;
    fugu_event_set(c->ni->node, &c->arrival, FUGU_NEVER);
    fugu_event_set(c->ni->node, &c->departure, FUGU_NEVER);
}

const VMStateDescription vmstate_fugu_channel = {
    .name = "fugu-channel",
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        VMSTATE_QTAILQ_V(flight, FuguChannel, 1, vmstate_fugu_packet,
                         FuguPacket, next),
        VMSTATE_QTAILQ_V(blocked, FuguChannel, 1, vmstate_fugu_packet,
                         FuguPacket, next),
        VMSTATE_QTAILQ_V(queue, FuguChannel, 1, vmstate_fugu_packet,
                         FuguPacket, next),
        VMSTATE_QTAILQ_V(departing, FuguChannel, 1, vmstate_fugu_packet,
                         FuguPacket, next),
        VMSTATE_UINT32(queue_words, FuguChannel),
        VMSTATE_UINT32(space, FuguChannel),
        VMSTATE_UINT32(bodies_out, FuguChannel),
        VMSTATE_INT64(depart_time, FuguChannel),
        VMSTATE_END_OF_LIST()
    }
};
